// Keeps the toolbar icon in step with each tab. A tab tells its state; a navigation resets it to "no chat".

const ICONS = { on: "iconOn", off: "iconOff", "no-chat": "iconNoChat", unknown: "iconUnknown", failed: "iconFailed" };

function iconOf({ state, chat, missed }) {
  if (state === "failed") return "failed";
  if (!chat) return "no-chat";
  if (state === "off") return "off";
  return missed ? "unknown" : "on";
}

chrome.runtime.onMessage.addListener((message, sender) => {
  const tabId = sender.tab?.id;
  if (!message.status || tabId === undefined) return;
  const icon = iconOf(message.status);
  const picture = icon === "failed" || icon === "unknown" ? "off" : icon;
  const ignoreClosedTab = () => {};
  chrome.action.setIcon({ tabId, path: { 16: `icons/${picture}-16.png`, 32: `icons/${picture}-32.png` } }).catch(ignoreClosedTab);
  chrome.action.setTitle({ tabId, title: chrome.i18n.getMessage(ICONS[icon]) }).catch(ignoreClosedTab);
  chrome.action.setBadgeText({ tabId, text: { failed: "!", unknown: "?" }[icon] ?? "" }).catch(ignoreClosedTab);
});
