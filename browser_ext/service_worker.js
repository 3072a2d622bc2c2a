// What only a service worker can do: keep the toolbar icon in step with each tab, hear the keyboard shortcuts, bring the
// scripts to the sites that the user chose and to tabs that were open before, and let pages use the session's storage.

// Firefox has no service worker here but a page, which has these from its manifest.
globalThis.importScripts?.("words.js", "sites.js", "idb.js", "thought_store.js", "refine.js");

const ICONS = { on: "iconOn", off: "iconOff", "no-chat": "iconNoChat", unknown: "iconUnknown", failed: "iconFailed" };
const AREAS = { browser: "session", always: "local" }; // where choices are kept; for "page" they are not
const DEFAULT_REMEMBER = "browser";
const KEPT = "box/"; // what the names of kept choices begin with

let words = readWords(); // a promise
showDefaultTitle();

async function showDefaultTitle() {
  chrome.action.setTitle({ title: (await words).word("iconNoChat") });
}

// The icons speak the language that the user chose.
chrome.storage.local.onChanged.addListener(async ({ language }) => {
  if (!language) return;
  words = readWords();
  showDefaultTitle();
  for (const tab of await chrome.tabs.query({ url: await usedPatterns() })) {
    const status = await chrome.tabs.sendMessage(tab.id, { ask: "status" }).catch(() => null); // no script of ours there
    if (status) showState(tab.id, status);
  }
});

// A tab tells its state; a navigation resets the icon to "no chat".

function iconOf({ state, chat, missed }) {
  if (state === "failed") return "failed";
  if (!chat) return "no-chat";
  if (state === "off") return "off";
  return missed ? "unknown" : "on";
}

async function showState(tabId, status) {
  const icon = iconOf(status);
  const { word } = await words;
  const picture = icon === "failed" || icon === "unknown" ? "off" : icon;
  const ignoreClosedTab = () => {};
  chrome.action.setIcon({ tabId, path: { 16: `icons/${picture}-16.png`, 32: `icons/${picture}-32.png` } }).catch(ignoreClosedTab);
  chrome.action.setTitle({ tabId, title: word(ICONS[icon]) }).catch(ignoreClosedTab);
  chrome.action.setBadgeText({ tabId, text: { failed: "!", unknown: "?" }[icon] ?? "" }).catch(ignoreClosedTab);
}

// The session's storage is open to pages only when this has run; a page asks for it before it reads. Firefox cannot open
// it: there a page has it read and written here.
const { session } = chrome.storage;
const sessionIsOpen = Promise.resolve(session.setAccessLevel?.({ accessLevel: "TRUSTED_AND_UNTRUSTED_CONTEXTS" }));
const done = (value) => ({ value });
const refused = (error) => ({ error: String(error) });

chrome.runtime.onMessage.addListener((message, sender, reply) => {
  if (message.status && sender.tab) showState(sender.tab.id, message.status);
  if (message.ask === "session") {
    const { method, given } = message;
    sessionIsOpen.then(() => method && session[method](given)).then(done, refused).then(reply); // in any case: a page waits for it
    return true; // the reply comes later
  }
});

// What is kept of the user's choices moves along when the setting changes.
chrome.storage.local.onChanged.addListener(async ({ remember }) => {
  if (!remember) return;
  const from = chrome.storage[AREAS[remember.oldValue ?? DEFAULT_REMEMBER]];
  const to = chrome.storage[AREAS[remember.newValue ?? DEFAULT_REMEMBER]];
  if (!from || from === to) return;
  const kept = Object.entries(await from.get(null)).filter(([name]) => name.startsWith(KEPT));
  await to?.set(Object.fromEntries(kept));
  await from.remove(kept.map(([name]) => name));
});

chrome.commands.onCommand.addListener(async (command, tab) => {
  await chrome.tabs.sendMessage(tab.id, { do: command }).catch(() => {}); // no chat page
});

// The sites. This computer's are in the manifest; the user's own are registered, for the browser to bring the scripts to
// them from then on.

const SCRIPTS = chrome.runtime.getManifest().content_scripts;
const OWN_PATTERNS = SCRIPTS[0].matches;
const IN_PAGE_EVERYWHERE = ["leftovers.js"]; // in the page's own world where there are only messages to read: no DSH to hear

function scriptsFor({ selector }) {
  return SCRIPTS.map((script) => (selector && script.world ? { ...script, js: IN_PAGE_EVERYWHERE } : script));
}

// The sites beside this computer's that the browser lets us into.
async function allowedSites() {
  const sites = sitesIn(await chrome.storage.local.get(null)).filter(({ origin }) => !isOnThisComputer(origin));
  const allowed = await Promise.all(sites.map(({ origin }) => chrome.permissions.contains({ origins: [patternOf(origin)] })));
  return sites.filter((_, index) => allowed[index]);
}

async function usedPatterns() {
  return [...OWN_PATTERNS, ...(await allowedSites()).map(({ origin }) => patternOf(origin))];
}

let registering = Promise.resolve(); // one after the other

function registerSites() {
  registering = registering.then(async () => {
    const sites = await allowedSites();
    const scripts = sites.flatMap((site) =>
      scriptsFor(site).map(({ css, js, world = "ISOLATED", run_at }) => {
        const id = `${world} ${site.origin}`;
        return { id, matches: [patternOf(site.origin)], css, js, world, runAt: run_at, persistAcrossSessions: true };
      }),
    );
    await chrome.scripting.unregisterContentScripts();
    if (scripts.length) await chrome.scripting.registerContentScripts(scripts);
  });
  return registering;
}

chrome.storage.local.onChanged.addListener(async (changes) => {
  const changed = sitesIn(changes);
  if (!changed.length) return;
  await registerSites();
  const used = await usedPatterns();
  for (const { origin, oldValue, newValue } of changed) {
    const pattern = patternOf(origin);
    if (newValue && !oldValue) await bringScripts([pattern], scriptsFor(newValue));
    if (newValue || isOnThisComputer(origin) || used.includes(pattern)) continue;
    await chrome.permissions.remove({ origins: [pattern] }).catch(() => {}); // one that the installation gave stays
  }
});

// The popup that asked may be gone by now.
chrome.permissions.onAdded.addListener(async ({ origins = [] }) => {
  const { wanted } = await session.get("wanted");
  if (wanted && origins.includes(patternOf(wanted.origin))) {
    await chrome.storage.local.set({ [siteName(wanted.origin)]: wanted.site });
  }
});

// Who takes the access away on the browser's own page does not want the site any more.
chrome.permissions.onRemoved.addListener(async () => {
  const used = (await allowedSites()).map(({ origin }) => origin);
  const all = sitesIn(await chrome.storage.local.get(null)).map(({ origin }) => origin);
  const gone = all.filter((origin) => !used.includes(origin) && !isOnThisComputer(origin));
  if (gone.length) await chrome.storage.local.remove(gone.map(siteName));
});

// Brings scripts to open tabs that have none that answers; side by side, so that one that hangs keeps no other waiting.
async function bringScripts(patterns, scripts) {
  const tabs = await chrome.tabs.query({ url: patterns });
  await Promise.all(tabs.map(({ id }) => bringScriptsTo(id, scripts)));
}

async function bringScriptsTo(tabId, scripts) {
  const target = { tabId };
  const ignoreClosedTab = () => {};
  const isOpen = await chrome.scripting.executeScript({ target, func: () => {} }).then(() => true, () => false); // waits until it is read
  if (!isOpen) return; // closed, or on its way to a page that gets the scripts as it loads
  const isThere = await chrome.tabs.sendMessage(tabId, { ask: "status" }).then(() => true, () => false);
  if (isThere) return; // loaded a moment ago, or only the browser was updated
  for (const { css, js, world } of scripts) {
    if (css) await chrome.scripting.insertCSS({ target, files: css }).catch(ignoreClosedTab);
    await chrome.scripting.executeScript({ target, files: js, world }).catch(ignoreClosedTab);
  }
}

// Tabs that were open before the extension was installed, or that hold the script of the version before. The browser has
// forgotten what was registered. Who has just installed it is shown what it does, once.
chrome.runtime.onInstalled.addListener(async ({ reason, temporary }) => {
  if (reason === "install" && !temporary) chrome.tabs.create({ url: "welcome.html" });
  await registerSites();
  bringScripts(OWN_PATTERNS, SCRIPTS);
  for (const site of await allowedSites()) bringScripts([patternOf(site.origin)], scriptsFor(site));
});
