// Speaks with the small model that refines summaries, for pages that may not: the key goes from the storage to the
// stored address and nowhere else, and no page ever sees it.
//
// A page connects a port "refine" for each question and posts {path, body}. It hears {waiting} now and then, then
// {status, retryAfter}, {piece} for each piece of the reply as it comes, and {end}; or {failure}: "address" (none is
// stored), "permission", "redirect", "network", "slow". To disconnect is to abort. What a question says and what a
// reply means is Python's business (core/refinement).

const PATHS = ["/chat/completions", "/models"];
const LONGEST_BODY = 400_000; // characters
const LONGEST_REPLY = 2_000_000; // characters; Python has had enough long before
const LIMITS = { headers: 90_000, silence: 45_000, whole: 240_000 }; // milliseconds; local models load slowly
const SIGN_OF_LIFE = 15_000; // milliseconds: the browser stops a worker that is silent for 30 s

let last = Promise.resolve(); // one question at a time, over all tabs

chrome.runtime.onConnect.addListener((port) => {
  if (port.name !== "refine") return;
  const gone = new AbortController();
  const post = (message) => gone.signal.aborted || port.postMessage(message);
  const sign = setInterval(() => post({ waiting: true }), SIGN_OF_LIFE);
  port.onDisconnect.addListener(() => {
    clearInterval(sign);
    gone.abort();
  });
  port.onMessage.addListener((question) => {
    last = last.then(() => answer(question, post, gone.signal)).catch(() => post({ failure: "network" }));
  });
});

async function answer({ path, body, limits }, post, gone) {
  if (gone.aborted || !PATHS.includes(path) || body?.length > LONGEST_BODY) return;
  const { refineAddress, refineKey } = await chrome.storage.local.get(["refineAddress", "refineKey"]);
  if (!refineAddress) return post({ failure: "address" });
  const address = new URL(refineAddress);
  address.pathname = address.pathname.replace(/\/+$/, "") + path;
  address.hash = "";
  const isPermitted = await chrome.permissions.contains({ origins: [`${address.protocol}//${address.hostname}/*`] });
  if (!isPermitted) return post({ failure: "permission" });

  const request = new AbortController();
  const endSlow = () => request.abort("slow");
  const { headers, silence, whole } = { ...LIMITS, ...limits };
  const timers = [setTimeout(endSlow, whole), setTimeout(endSlow, headers)];
  gone.addEventListener("abort", () => request.abort("gone"));
  try {
    const reply = await fetch(address, {
      method: body ? "POST" : "GET",
      body,
      headers: {
        Accept: "text/event-stream, application/json",
        ...(body && { "Content-Type": "application/json" }),
        ...(refineKey && { Authorization: `Bearer ${refineKey}` }),
      },
      credentials: "omit",
      redirect: "manual", // it is not followed; with "error" it could not be told from a server that is not there
      cache: "no-store",
      referrerPolicy: "no-referrer",
      signal: request.signal,
    });
    if (reply.type === "opaqueredirect") return post({ failure: "redirect" });
    post({ status: reply.status, retryAfter: reply.headers.get("Retry-After") ?? "" });
    const pieces = reply.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let length = 0; length < LONGEST_REPLY; ) {
      clearTimeout(timers.pop());
      timers.push(setTimeout(endSlow, silence));
      const { done, value } = await pieces.read();
      if (done) break;
      length += value.length;
      post({ piece: value });
    }
    post({ end: true });
  } catch {
    post({ failure: request.signal.reason === "slow" ? "slow" : "network" });
  } finally {
    timers.forEach(clearTimeout);
    request.abort(); // what of the reply nobody read
  }
}
