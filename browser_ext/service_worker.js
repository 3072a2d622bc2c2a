// What only a service worker can do: keep the toolbar icon in step with each tab, hear the keyboard shortcuts,
// bring the scripts to tabs that were open before the extension, and let pages use the session's storage.

// Firefox has no service worker here but a page, which has these from its manifest.
globalThis.importScripts?.("words.js", "idb.js", "thought_store.js");

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
  const [{ matches }] = chrome.runtime.getManifest().content_scripts;
  for (const tab of await chrome.tabs.query({ url: matches })) {
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
    sessionIsOpen.then(() => method && session[method](given)).then(done, refused).then(reply);
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

// Tabs that were open before the extension was installed, or that hold the script of the version before.
chrome.runtime.onInstalled.addListener(async () => {
  const scripts = chrome.runtime.getManifest().content_scripts;
  for (const tab of await chrome.tabs.query({ url: scripts[0].matches })) {
    const isThere = await chrome.tabs.sendMessage(tab.id, { ask: "status" }).then(() => true, () => false);
    if (isThere) continue; // loaded a moment ago, or only the browser was updated
    const target = { tabId: tab.id };
    const ignoreClosedTab = () => {};
    for (const { css, js, world } of scripts) {
      if (css) await chrome.scripting.insertCSS({ target, files: css }).catch(ignoreClosedTab);
      await chrome.scripting.executeScript({ target, files: js, world }).catch(ignoreClosedTab);
    }
  }
});
