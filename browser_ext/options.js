// The options page: shows its words and its frame at once, and starts Python, which does the rest
// (py_src/thinkfold/options).

const find = (id) => document.getElementById(id);

// Python calls this too, when another language is chosen.
async function showWords() {
  const { word } = await readWords();
  document.documentElement.lang = word("language");
  document.title = [word("name"), word("optionsTitle")].join(" · ");
  for (const element of document.querySelectorAll("[data-message]")) element.textContent = word(element.dataset.message);
  for (const element of document.querySelectorAll("[data-message-label]")) element.ariaLabel = word(element.dataset.messageLabel);
  for (const element of document.querySelectorAll("[data-message-placeholder]")) element.placeholder = word(element.dataset.messagePlaceholder);
}

async function showSettings() {
  const folder = new URL("python/", location.href).href; // the fixed address: a page of ours may not take from the changing one
  const { loadPython } = await import(`${folder}load.mjs`);
  await (await loadPython(folder)).pyimport("thinkfold.options").start();
}

function showFailure(reason) {
  find("reason").textContent = String(reason?.message ?? reason);
  find("failure").hidden = false;
}

addEventListener("error", (event) => showFailure(event.error ?? event.message));
addEventListener("unhandledrejection", (event) => showFailure(event.reason));
showWords();
showSettings();
