// In the page's own world, before the page's first script: copies what the host says of its conversations, so that
// Python reads the model's words as they were written. It changes nothing: the page gets every frame and every reply
// from the browser as ever, and what it does to WebSocket or fetch afterwards lies on top of this.
//
// A record is one letter and a text: "f" a frame that came in, "r" a request's body, RS, and its reply's, "c" a
// connection that ended. Records are handed over a few at a time, joined by RS RS. RS (U+001E) is in no JSON text.

(() => {
  const SOCKETS = /\/api\/(events|remote)\.mux$/;
  const REPLIES = /\/api\/session[./](history|page)$/;
  const MILLISECONDS = 150; // from the first record of a batch to its delivery
  const MOST_CHARACTERS = 4e6; // kept while Python starts; what is dropped is made up from the host's history
  const RS = "\u001e";

  let waiting = [];
  let characters = 0;
  let wanted = true; // until Python says that it is off
  let heard = false; // Python is there
  let timer = 0;

  function record(text) {
    if (!wanted) return;
    waiting.push(text);
    characters += text.length;
    while (characters > MOST_CHARACTERS && waiting.length > 1) characters -= waiting.shift().length;
    if (heard) timer ||= setTimeout(deliver, MILLISECONDS);
  }

  function deliver() {
    timer = 0;
    if (!waiting.length) return;
    const detail = waiting.join(RS + RS);
    waiting = [];
    characters = 0;
    document.dispatchEvent(new CustomEvent("thinkfold-records", { detail }));
  }

  function pathOf(address) {
    try {
      return new URL(address, location.href).pathname;
    } catch {
      return "";
    }
  }

  document.addEventListener("thinkfold-listen", ({ detail }) => {
    wanted = heard = detail === "on";
    if (heard) deliver();
    else waiting = [];
  });

  WebSocket = new Proxy(WebSocket, {
    construct(target, args, newTarget) {
      const socket = Reflect.construct(target, args, newTarget);
      if (SOCKETS.test(pathOf(socket.url))) {
        socket.addEventListener("message", ({ data }) => typeof data === "string" && record(`f${data}`));
        socket.addEventListener("close", () => record("c"));
      }
      return socket;
    },
  });
  WebSocket.prototype.constructor = WebSocket;

  fetch = new Proxy(fetch, {
    apply(target, self, args) {
      const reply = Reflect.apply(target, self, args);
      const [request, options] = args;
      if (REPLIES.test(pathOf(request?.url ?? request)))
        reply
          .then(async (answer) => record(`r${typeof options?.body === "string" ? options.body : ""}${RS}${await answer.clone().text()}`))
          .catch(() => {}); // the page hears of it from its own promise
      return reply;
    },
  });
})();
