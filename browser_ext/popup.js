// The popup: the switches, one line about the page in front, ways on, and the choices. Plain JavaScript, because it must
// open at once. popup.html?tab=ID speaks of that tab instead of the one in front (for a popup that was opened as a page).

const find = (id) => document.getElementById(id);
let word, counted; // from words.js
let origin = null; // of the page, where the browser tells

async function showWords() {
  ({ word, counted } = await readWords());
  document.documentElement.lang = word("language");
  for (const element of document.querySelectorAll("[data-message]")) element.textContent = word(element.dataset.message);
  for (const element of document.querySelectorAll("[data-message-label]")) element.ariaLabel = word(element.dataset.messageLabel);
}

async function pageTab() {
  const named = new URLSearchParams(location.search).get("tab");
  if (named) return chrome.tabs.get(Number(named));
  const [tab] = await chrome.tabs.query({ active: true, currentWindow: true });
  return tab;
}

function sentence({ state, chat, boxes, steps, opened, thoughts, missed, forgetful, unkept, blocked }) {
  if (forgetful) return word("popupForgetful");
  if (unkept) return word("popupUnkept", unkept);
  if (blocked) return word("popupBlocked");
  if (state === "failed") return word("popupFailed");
  if (state === "elsewhere") return word("popupElsewhere");
  if (state === "off") return word("popupOff");
  if (state === "absent") return word("popupReload");
  if (!chat) return word("popupNoChat");
  if (missed) return word("popupUnknown", missed);
  if (state === "starting") return word("popupStarting");
  if (thoughts) return word("popupThoughts", counted("thoughts", thoughts));
  if (boxes) return word("popupCount", counted("steps", steps), counted("boxes", boxes));
  if (opened) return word("popupAllOpen");
  return word("popupNothing");
}

// How the page is; *site* is null where Thinkfold is not used.
async function statusOf(tab, site) {
  try {
    return await chrome.tabs.sendMessage(tab.id, { ask: "status" });
  } catch {
    if (!find("enabled").checked) return { state: "off", chat: false }; // no script of ours in that page
    if (!origin) return { state: "on", chat: false };
    if (!site) return { state: "elsewhere", chat: false };
    return { state: site.on ? "absent" : "off", chat: false };
  }
}

async function showPage() {
  const tab = await pageTab();
  origin = tab.url?.startsWith("http") ? new URL(tab.url).origin : null;
  const site = origin && siteIn(await chrome.storage.local.get(siteName(origin)), origin);
  const status = await statusOf(tab, site);
  const isWorking = status.state === "on" && status.chat;
  find("status").textContent = sentence(status);
  find("status").dataset.state = status.state === "on" && !status.chat ? "idle" : status.state;
  find("site").hidden = !site;
  find("origin").textContent = origin ? new URL(origin).host : "";
  find("site-on").checked = Boolean(site?.on);
  find("site-on").disabled = !find("enabled").checked;
  find("elsewhere").hidden = status.state !== "elsewhere";
  find("fold-all").parentElement.hidden = status.state === "elsewhere" || Boolean(site?.selector);
  for (const action of ["fold-all", "unfold-all"]) find(action).disabled = !isWorking;
  find("summaries").hidden = find("fold-all").parentElement.hidden;
  find("summaries").disabled = !(isWorking && status.summaries); // and in its place, so that nothing moves when it is there
  find("reason").textContent = status.reason ?? "";
  find("reason").hidden = find("report").hidden = status.state !== "failed";
}

find("enabled").addEventListener("change", async (event) => {
  await chrome.storage.local.set({ enabled: event.target.checked });
  await showPage();
});

find("site-on").addEventListener("change", async (event) => {
  await switchSite(origin, event.target.checked);
  await showPage();
});

find("use").addEventListener("click", async () => {
  await useSite(origin, "");
  await showPage();
});

for (const action of ["fold-all", "unfold-all"]) {
  find(action).addEventListener("click", async () => {
    await chrome.tabs.sendMessage((await pageTab()).id, { do: action });
    await showPage();
  });
}

find("summaries").addEventListener("click", async () => {
  await chrome.tabs.sendMessage((await pageTab()).id, { do: "show-summaries" });
  window.close(); // they are in the page
});

find("shortcuts").addEventListener("click", () => {
  const inFirefox = chrome.commands.openShortcutSettings?.();
  if (!inFirefox) chrome.tabs.create({ url: "chrome://extensions/shortcuts" });
});

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
