// Starts Python in the page and hands over to thinkfold.app. Runs in the extension's isolated world at
// document_start, and holds no rule of the product.
//
// Python is started when the page shows a first sign of a chat, or at once on an origin where one was seen
// before. html[data-thinkfold=starting] lets the stylesheet cover process rows until Python has folded them;
// whatever happens, the cover is lifted after a while.

(() => {
  const COVER_MILLISECONDS = 8000;
  const CHAT_SEEN = "thinkfold-flow-seen"; // the animation that thinkfold.css gives to a chat's elements
  const FLOW = "[data-chat-flow]";
  const root = document.documentElement;

  let enabled = true;
  let python = null; // a promise of the thinkfold.app module, once it is wanted
  let running = null; // the module itself, once it is there
  let status = { state: "off", chat: false, boxes: 0, steps: 0, reason: "" };
  let cover = 0;

  async function inflate(url) {
    const packed = await fetch(url);
    const image = packed.body.pipeThrough(new DecompressionStream("gzip"));
    return new Uint8Array(await new Response(image).arrayBuffer());
  }

  async function loadPython() {
    const folder = chrome.runtime.getURL("python/");
    const snapshot = inflate(`${folder}memory.snapshot.gz`);
    const { loadPyodide } = await import(`${folder}pyodide.mjs`);
    // PyScript's library looks for these two when Python first imports it; their JavaScript half cannot run here.
    const python = await loadPyodide({ indexURL: folder, _loadSnapshot: snapshot });
    python.registerJsModule("polyscript", {
      config: {}, js_modules: {}, lazy_py_modules: null, storage: null, workers: {}, currentScript: null, target: null, IDBMap: null,
    });
    python.registerJsModule("_pyscript", { PyWorker: null, js_import: null, target: null, fs: null, interpreter: null });
    return python.pyimport("thinkfold.app");
  }

  function startCover() {
    root.setAttribute("data-thinkfold", "starting");
    clearTimeout(cover);
    cover = setTimeout(liftCover, COVER_MILLISECONDS);
  }

  function liftCover() {
    if (root.getAttribute("data-thinkfold") === "starting") root.removeAttribute("data-thinkfold");
  }

  function tell(change) {
    const before = JSON.stringify(status);
    status = { ...status, ...change, chat: document.querySelector(FLOW) !== null };
    if (JSON.stringify(status) === before) return;
    if (!chrome.runtime?.id) return release(); // the extension was updated or removed under this page
    chrome.runtime.sendMessage({ status }).catch(() => {});
  }

  // The old script of an updated extension: nothing may stay hidden without a way to open it.
  function release() {
    running?.stop();
    running = null;
    enabled = false;
    liftCover();
  }

  async function start() {
    if (!enabled || running) return running?.start(tell);
    startCover();
    tell({ state: "starting" });
    try {
      python ??= loadPython();
      running = await python;
      if (enabled) running.start(tell);
    } catch (error) {
      tell({ state: "failed", reason: String(error) });
    }
    liftCover();
  }

  function stop() {
    liftCover();
    running?.stop();
    tell({ state: "off" });
  }

  function onChatSeen(event) {
    if (event.animationName !== CHAT_SEEN) return;
    chrome.storage.local.get({ origins: [] }).then(({ origins }) => {
      if (!origins.includes(location.origin)) chrome.storage.local.set({ origins: [...origins, location.origin].slice(-50) });
    });
    if (enabled && !python) start();
    tell({});
  }

  document.addEventListener("animationstart", onChatSeen, true);

  chrome.storage.onChanged.addListener((changes) => {
    if (!changes.enabled) return;
    enabled = changes.enabled.newValue !== false;
    if (!enabled) stop();
    else if (python || document.querySelector(FLOW)) start();
  });

  chrome.runtime.onMessage.addListener((message, _sender, reply) => {
    if (message.ask !== "status") return;
    const counts = running && enabled ? running.status() : {};
    reply({ ...status, ...counts, chat: document.querySelector(FLOW) !== null });
  });

  startCover(); // until the switch is known, a few milliseconds
  chrome.storage.local.get({ enabled: true, origins: [] }).then((stored) => {
    enabled = stored.enabled;
    if (enabled && stored.origins.includes(location.origin)) start();
    else if (!python) liftCover();
    if (!enabled) tell({ state: "off" });
  });
})();
