// The popup: the switch, one line about the page in front, and the choices. Plain JavaScript, because it must open at once.
// popup.html?tab=ID speaks of that tab instead of the one in front (for a popup that was opened as a page).

const find = (id) => document.getElementById(id);
let word, counted; // from words.js

async function showWords() {
  ({ word, counted } = await readWords());
  document.documentElement.lang = word("language");
  for (const element of document.querySelectorAll("[data-message]")) element.textContent = word(element.dataset.message);
}

async function pageTab() {
  const named = new URLSearchParams(location.search).get("tab");
  if (named) return Number(named);
  const [tab] = await chrome.tabs.query({ active: true, currentWindow: true });
  return tab?.id;
}

function sentence({ state, chat, boxes, steps, opened, missed, forgetful, unkept }) {
  if (forgetful) return word("popupForgetful");
  if (unkept) return word("popupUnkept", unkept);
  if (state === "failed") return word("popupFailed");
  if (state === "off") return word("popupOff");
  if (state === "absent") return word("popupReload");
  if (!chat) return word("popupNoChat");
  if (missed) return word("popupUnknown", missed);
  if (state === "starting") return word("popupStarting");
  if (boxes) return word("popupCount", counted("steps", steps), counted("boxes", boxes));
  if (opened) return word("popupAllOpen");
  return word("popupNothing");
}

async function showPage() {
  const id = await pageTab();
  let status;
  try {
    status = await chrome.tabs.sendMessage(id, { ask: "status" });
  } catch {
    status = { state: find("enabled").checked ? "on" : "off", chat: false }; // no script of ours in that page
    const tab = await chrome.tabs.get(id);
    if (tab.url?.startsWith("http") && find("enabled").checked) status.state = "absent"; // a page that we may see, so it should have one
  }
  find("status").textContent = sentence(status);
  for (const action of ["fold-all", "unfold-all"]) find(action).disabled = status.state !== "on" || !status.chat;
  find("reason").textContent = status.reason ?? "";
  find("reason").hidden = find("report").hidden = status.state !== "failed";
}

find("enabled").addEventListener("change", async (event) => {
  await chrome.storage.local.set({ enabled: event.target.checked });
  await showPage();
});

for (const action of ["fold-all", "unfold-all"]) {
  find(action).addEventListener("click", async () => {
    await chrome.tabs.sendMessage(await pageTab(), { do: action });
    await showPage();
  });
}

// A choice is what its element says until the user says something else; Python knows the same defaults.
const choices = [...document.querySelectorAll("[data-setting]")];

function showChoices(stored) {
  for (const element of choices) {
    const value = stored[element.dataset.setting];
    const renamed = element.querySelector(`[data-formerly="${CSS.escape(value)}"]`);
    if (value !== undefined) element.value = renamed?.value ?? value;
  }
}

for (const element of choices) {
  element.addEventListener("change", async () => {
    if (!element.reportValidity()) return;
    const value = element.type === "number" ? element.valueAsNumber : element.value;
    await chrome.storage.local.set({ [element.dataset.setting]: value });
    await showPage();
  });
}

find("forget").addEventListener("click", async () => {
  for (const area of [chrome.storage.session, chrome.storage.local]) {
    await area.remove(Object.keys(await area.get(null)).filter((name) => name.startsWith("box/")));
  }
  find("forget").textContent = word("popupForgotten");
});

find("options").addEventListener("click", (event) => {
  event.preventDefault();
  chrome.runtime.openOptionsPage(); // the page that is open already, if there is one
});

find("report").addEventListener("click", async () => {
  const { version } = chrome.runtime.getManifest();
  await navigator.clipboard.writeText(`Thinkfold ${version}\n${navigator.userAgent}\n${find("reason").textContent}`);
  find("report").textContent = word("popupCopied");
});

chrome.storage.local.onChanged.addListener(async (changes) => {
  if (changes.enabled) find("enabled").checked = changes.enabled.newValue !== false;
  if (changes.language) await showWords().then(showPage);
});

Promise.all([chrome.storage.local.get(null), showWords()]).then(([stored]) => {
  find("enabled").checked = stored.enabled ?? true;
  showChoices(stored);
  setInterval(showPage, 1000); // the counts change while a chat runs and the popup is open
  return showPage();
});
