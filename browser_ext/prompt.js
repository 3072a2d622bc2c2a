// In the page's own world, which alone sends the user's messages. Only while the user has switched it on, adds to a
// message the words that Python gave (page/long_thoughts.py): the chat shows them as a part of the message.

(() => {
  const PROMPTS = /\/api\/session[./]prompt$/;
  let words = "";

  document.addEventListener("thinkfold-prompt", ({ detail }) => {
    words = typeof detail === "string" ? detail : "";
  });

  function withWords(body) {
    const request = JSON.parse(body);
    const { content } = request.payload.args?.request ?? request.payload;
    const text = content.findLast(({ type }) => type === "text");
    if (!text || text.text.startsWith("/")) return body; // a picture alone, or a command of the host's
    text.text += `\n\n${words}`;
    return JSON.stringify(request);
  }

  fetch = new Proxy(fetch, {
    apply(target, self, args) {
      const [address, options] = args;
      try {
        if (words && typeof options?.body === "string" && PROMPTS.test(new URL(address, location.href).pathname))
          args = [address, { ...options, body: withWords(options.body) }];
      } catch {
        // a message of another shape goes as it is
      }
      return Reflect.apply(target, self, args);
    },
  });
})();
