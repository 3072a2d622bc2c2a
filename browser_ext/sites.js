// Where Thinkfold is used, for pages' scripts, the popup, the options page and the service worker. On this computer it
// is used from the start. Any other site has an entry of its own in the browser's storage, "site/ORIGIN": whether it
// is switched on there and, for a chat page that is no DSH, the CSS selector of its messages.
//
// Functions alone, because the browser may bring this file to a page twice.

function siteName(origin) {
  return `site/${origin}`;
}

function isOnThisComputer(origin) {
  return /^http:\/\/(127\.0\.0\.1|localhost)(:\d+)?$/.test(origin);
}

// The site of *origin* by what is stored, or null where Thinkfold is not used.
function siteIn(stored, origin) {
  return stored[siteName(origin)] ?? (isOnThisComputer(origin) ? { selector: "", on: true } : null);
}

// All sites that are stored, each with its origin.
function sitesIn(stored) {
  const start = siteName("");
  const found = Object.entries(stored).filter(([name]) => name.startsWith(start));
  return found.map(([name, site]) => ({ origin: name.slice(start.length), ...site }));
}

// What the browser is asked for: this origin and no other. Firefox knows no ports there.
function patternOf(origin) {
  const { protocol, host, hostname } = new URL(origin);
  return `${protocol}//${"getBrowserInfo" in chrome.runtime ? hostname : host}/*`;
}

// Only in a click: asks for access to a site, and has it used when the user allows it. False when not. The question may
// close the page that asks, so the service worker is told before what the user wants.
async function useSite(origin, selector) {
  const site = { selector, on: true };
  chrome.storage.session.set({ wanted: { origin, site } });
  const allowed = await chrome.permissions.request({ origins: [patternOf(origin)] });
  if (allowed) await chrome.storage.local.set({ [siteName(origin)]: site });
  await chrome.storage.session.remove("wanted");
  return allowed;
}

// Switches Thinkfold on or off on one site.
async function switchSite(origin, on) {
  const name = siteName(origin);
  const stored = await chrome.storage.local.get(name);
  await chrome.storage.local.set({ [name]: { ...siteIn(stored, origin), on } });
}
