// Starts Python in the page and hands over to thinkfold.app. Runs in the extension's isolated world at
// document_start, and holds no rule of the product.
//
// Python is started when the page shows its first sign of a chat, and not before: an earlier start was measured
// to bring the first box no sooner and the host's own page later (docs/performance.md). Until Python has folded
// what is there, html[data-thinkfold=starting] lets the stylesheet cover the process rows; whatever happens, the
// cover is lifted after a while.

(() => {
  const COVER_MILLISECONDS = 8000;
  const NO_CHAT_MILLISECONDS = 1000; // after the page has loaded
  const ANSWER_MILLISECONDS = 2000; // how long Python waits for what the browser has stored
  const CHAT_SEEN = "thinkfold-flow-seen"; // the animation that thinkfold.css gives to a chat's elements
  const FLOW = "[data-chat-flow]";
  const CHAT = `[data-phase], ${FLOW}`; // those elements: of a chat's empty start page, too
  const root = document.documentElement;

  const AREAS = { browser: "session", always: "local" }; // where the user's choices are kept
  const SECRETS = ["refineKey"]; // settings that no page is given: only the service worker needs them
  const NEW_SCRIPT = "thinkfold-new-script"; // the event that tells the script of an older version to let go

  // Where pages can never have the session's storage (Firefox), the service worker reads and writes it for them.
  const throughWorker = (method) => async (given) => {
    const { value, error } = await chrome.runtime.sendMessage({ ask: "session", method, given });
    if (error) throw new Error(error);
    return value;
  };
  chrome.storage.session ??= Object.fromEntries(["get", "set", "remove"].map((method) => [method, throughWorker(method)]));

  let settings = { enabled: true };
  let isRead = false; // what is stored has been read
  let known = false; // or that took too long: until then nothing is started
  let python = null; // a promise of the thinkfold.app module, once it is wanted
  let running = null; // the module itself, once it is there
  let status = { state: "waiting", chat: false, boxes: 0, steps: 0, missed: "", reason: "", unkept: "" };
  let kept = {}; // what is kept of the user's choices, once it is read
  let keptRead = null; // the promise of that
  let cover = 0;
  let released = false; // true when a newer script has the page

  function withoutSecrets(values) {
    return Object.fromEntries(Object.entries(values).filter(([name]) => !SECRETS.includes(name)));
  }

  // The stored settings, and what is kept of the user's choices: the two never have a name in common.
  const stored = chrome.storage.local.get(null).catch(() => ({})).then((values) => {
    if (!released) settings = { ...settings, ...withoutSecrets(values) };
    isRead = known = true;
  });
  const settingsRead = soon(stored).then(() => {
    known = true;
  });

  // What *answer* brings, or undefined when that takes too long: no boxes would be worse than closed ones.
  function soon(answer) {
    return Promise.race([answer, new Promise((done) => setTimeout(done, ANSWER_MILLISECONDS))]);
  }

  const site = () => siteIn(settings, location.origin); // null where Thinkfold is not used any more
  const isOn = () => known && settings.enabled && Boolean(site()?.on);
  const hasChat = () => document.querySelector(site()?.selector || FLOW) !== null;

  // A page that is no DSH has no sign of a chat that the stylesheet could know: it is watched until there is a message.
  const watcher = new MutationObserver(() => onChatSeen({ animationName: hasChat() && CHAT_SEEN }));

  async function readKept() {
    await settingsRead;
    const area = AREAS[settings.remember ?? "browser"];
    if (!area) return {};
    try {
      return withoutSecrets(await chrome.storage[area].get(null));
    } catch {
      await chrome.runtime.sendMessage({ ask: "session" }); // it is closed to pages until the service worker has run
      return withoutSecrets(await chrome.storage[area].get(null));
    }
  }

  function onKept(values) {
    kept = values;
    running?.remember(values); // Python did not wait for it
  }

  async function readChosenMessages() {
    await settingsRead;
    return readMessages(settings.language);
  }

  async function loadApp() {
    const folder = chrome.runtime.getURL("python/");
    const { loadPython } = await import(`${folder}load.mjs`);
    return (await loadPython(folder)).pyimport("thinkfold.app");
  }

  function startCover() {
    root.setAttribute("data-thinkfold", "starting");
    clearTimeout(cover);
    cover = setTimeout(liftCover, COVER_MILLISECONDS);
  }

  function liftCover() {
    if (!released && root.getAttribute("data-thinkfold") === "starting") root.removeAttribute("data-thinkfold");
  }

  function tell(change) {
    const before = JSON.stringify(status);
    status = { ...status, ...change, chat: hasChat() };
    if (JSON.stringify(status) === before) return;
    if (!chrome.runtime?.id) return release(); // the extension was updated or removed under this page
    chrome.runtime.sendMessage({ status }).catch(() => {});
  }

  // The old script of an updated extension: nothing may stay hidden without a way to open it. A browser that brings the
  // script to its pages right after it has loaded one has two of the same version: then the old one must fall silent.
  function release() {
    running?.stop();
    running = null;
    settings = { ...settings, enabled: false };
    watcher.disconnect();
    liftCover();
    released = true;
    document.removeEventListener("animationstart", onChatSeen, true);
    document.removeEventListener(NEW_SCRIPT, release);
    if (!chrome.runtime?.id) return;
    chrome.runtime.onMessage.removeListener(onMessage);
    chrome.storage.local.onChanged.removeListener(onSettings);
  }

  async function start() {
    if (running) return restart();
    startCover();
    tell({ state: "starting", blocked: false });
    try {
      python ??= loadApp();
      keptRead ??= readKept().then(onKept).catch(() => {});
      const [app, messages] = await Promise.all([python, readChosenMessages(), soon(keptRead)]);
      running = app;
      if (isOn()) running.start(tell, settings, kept, messages, site().selector);
    } catch (error) {
      python = null; // switching off and on tries again
      tell({ state: "failed", reason: String(error), blocked: error.name === "CompileError" });
    }
    liftCover();
  }

  async function restart() {
    const { language } = settings;
    const messages = await readMessages(language);
    if (isOn() && settings.language === language) running?.start(tell, settings, kept, messages, site().selector);
  }

  function stop() {
    liftCover();
    running?.stop();
    tell({ state: "off" });
  }

  function onChatSeen(event) {
    if (event.animationName !== CHAT_SEEN || !known) return;
    watcher.disconnect();
    if (isOn() && !python) start();
    tell({});
  }

  function onSettingsRead() {
    if (released || (!site() && !isRead)) return;
    if (!site()) return release(); // the page's script came by another port of the site that is used
    if (!isOn()) return stop();
    // A chat may be there already, its animation over: what is stored was read late, or the script came late.
    if (running || (!python && document.querySelector(site().selector || CHAT))) return start();
    if (site().selector && !python) watcher.observe(root, { childList: true, subtree: true });
  }

  function onSettings(changes) {
    const isOurs = (name) => (!name.includes("/") || name === siteName(location.origin)) && !SECRETS.includes(name);
    const changed = Object.entries(changes).filter(([name]) => isOurs(name)); // the kept choices have a "/"
    if (!changed.length) return;
    settings = { ...settings, ...Object.fromEntries(changed.map(([name, { newValue }]) => [name, newValue])) };
    settings.enabled ??= true;
    if (!isOn()) stop();
    else if (python || hasChat()) start();
    else if (site().selector) watcher.observe(root, { childList: true, subtree: true });
    if (!site()) release();
  }

  function onMessage(message, _sender, reply) {
    if (message.do && isOn()) running?.act(message.do);
    if (message.ask !== "status") return;
    const counts = running && isOn() ? running.status() : {};
    reply({ ...status, ...counts, chat: hasChat() });
  }

  document.dispatchEvent(new Event(NEW_SCRIPT));
  document.dispatchEvent(new Event("thinkfold-clear")); // leftovers.js hears it
  document.addEventListener(NEW_SCRIPT, release);
  document.addEventListener("animationstart", onChatSeen, true);
  chrome.storage.local.onChanged.addListener(onSettings);
  chrome.runtime.onMessage.addListener(onMessage);

  startCover(); // at once: the first rows may come before the first sign of a chat is told
  addEventListener("load", () => setTimeout(() => python ?? liftCover(), NO_CHAT_MILLISECONDS));
  settingsRead.then(onSettingsRead);
  stored.then(onSettingsRead); // late
})();
