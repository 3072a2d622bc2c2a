// In the page's own world, which alone sees what a copy button of the host's copies. Asks Python what is to be
// copied instead, by two events that are dispatched at once; without an answer the host's text is copied.

(() => {
  if (!globalThis.Clipboard) return; // a page by http from elsewhere: the browser lets it have none

  const writeText = Clipboard.prototype.writeText;
  Clipboard.prototype.writeText = function (text) {
    let copied = text;
    const hear = ({ detail }) => { copied = detail; };
    document.addEventListener("thinkfold-copied", hear);
    document.dispatchEvent(new CustomEvent("thinkfold-copy", { detail: String(text) }));
    document.removeEventListener("thinkfold-copied", hear);
    return writeText.call(this, copied);
  };
})();
