// The welcome page: its words at once, and the example when Python is up (py_src/thinkfold/welcome).

async function showWords() {
  const { word } = await readWords();
  document.documentElement.lang = word("language");
  for (const element of document.querySelectorAll("[data-message]")) element.textContent = word(element.dataset.message);
  for (const element of document.querySelectorAll("[data-message-label]")) element.ariaLabel = word(element.dataset.messageLabel);
}

async function showExample() {
  const folder = new URL("python/", location.href).href; // the fixed address: a page of ours may not take from the changing one
  const { loadPython } = await import(`${folder}load.mjs`);
  await (await loadPython(folder)).pyimport("thinkfold.welcome").start();
}

showWords();
showExample();
