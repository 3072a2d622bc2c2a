// The words that the extension shows, for the popup and the service worker: from _locales, in the browser's language
// or the one that the user chose. For the page this only reads the file; core/messages.py and page/words.py do the rest.

// A language's messages.json; null for the one that the browser picks, and for one that is not there.
async function readMessages(language) {
  if (!language) return null;
  const file = chrome.runtime.getURL(`_locales/${language}/messages.json`);
  return fetch(file).then((answer) => answer.text()).then(JSON.parse).catch(() => null); // objects of our own, in Firefox too
}

// $NAME$ stands for a placeholder's content, in it $1 for the first substitution. The browser does the same.
function filledIn(entry, substitutions) {
  const contents = entry?.placeholders ?? {};
  const text = entry?.message.replace(/\$(\w+)\$/g, (_, name) => contents[name.toLowerCase()].content) ?? "";
  return text.replace(/\$([1-9])/g, (_, number) => substitutions[number - 1] ?? "");
}

// The functions word(key, ...substitutions) and counted(key, count).
async function readWords() {
  const { language } = await chrome.storage.local.get("language");
  const messages = await readMessages(language);
  const word = (key, ...substitutions) =>
    messages ? filledIn(messages[key], substitutions) : chrome.i18n.getMessage(key, substitutions);
  const plural = new Intl.PluralRules(word("language"));
  const counted = (key, count) => word(`${key}_${plural.select(count)}`, String(count)) || word(`${key}_other`, String(count));
  return { word, counted };
}
