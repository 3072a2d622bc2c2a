// The popup: one switch, and one line about the page in front. Plain JavaScript, because it must open at once.
// popup.html?tab=ID speaks of that tab instead of the one in front (for a popup that was opened as a page).

const word = (key, ...substitutions) => chrome.i18n.getMessage(key, substitutions);
const find = (id) => document.getElementById(id);
const plural = new Intl.PluralRules(chrome.i18n.getUILanguage());
const counted = (key, count) => word(`${key}_${plural.select(count)}`, String(count)) || word(`${key}_other`, String(count));

document.documentElement.lang = chrome.i18n.getUILanguage();
for (const element of document.querySelectorAll("[data-message]")) element.textContent = word(element.dataset.message);

async function pageTab() {
  const named = new URLSearchParams(location.search).get("tab");
  if (named) return Number(named);
  const [tab] = await chrome.tabs.query({ active: true, currentWindow: true });
  return tab?.id;
}

function sentence({ state, chat, boxes, steps, missed }) {
  if (state === "failed") return word("popupFailed");
  if (state === "off") return word("popupOff");
  if (!chat) return word("popupNoChat");
  if (missed) return word("popupUnknown", missed);
  if (state === "starting") return word("popupStarting");
  return boxes ? word("popupCount", counted("steps", steps), counted("boxes", boxes)) : word("popupNothing");
}

async function showPage() {
  const id = await pageTab();
  let status;
  try {
    status = await chrome.tabs.sendMessage(id, { ask: "status" });
  } catch {
    status = { state: find("enabled").checked ? "on" : "off", chat: false }; // no script of ours in that page
  }
  find("status").textContent = sentence(status);
  find("reason").textContent = status.reason ?? "";
  find("reason").hidden = find("report").hidden = status.state !== "failed";
}

find("enabled").addEventListener("change", async (event) => {
  await chrome.storage.local.set({ enabled: event.target.checked });
  await showPage();
});

find("stand-back").addEventListener("change", async (event) => {
  await chrome.storage.local.set({ hostFold: event.target.checked ? "stand back" : "take over" });
  await showPage();
});

find("report").addEventListener("click", async () => {
  const { version } = chrome.runtime.getManifest();
  await navigator.clipboard.writeText(`Thinkfold ${version}\n${navigator.userAgent}\n${find("reason").textContent}`);
  find("report").textContent = word("popupCopied");
});

chrome.storage.onChanged.addListener((changes) => {
  if (changes.enabled) find("enabled").checked = changes.enabled.newValue !== false;
});

chrome.storage.local.get({ enabled: true, hostFold: "take over" }).then(({ enabled, hostFold }) => {
  find("enabled").checked = enabled;
  find("stand-back").checked = hostFold === "stand back";
  return showPage();
});
setInterval(showPage, 1000); // the counts change while a chat runs and the popup is open
