// The extension's own database, which keeps summed-up thoughts across reloads: only a service worker or a page of the
// extension can open it. What a record says is Python's business (page/thought_store.py); here it has a key, the
// session that it belongs to, and the time at which it was kept.

const DAY = 24 * 60 * 60 * 1000; // milliseconds

const database = () =>
  idb.openDB("thinkfold", 1, {
    upgrade(db) {
      const store = db.createObjectStore("thoughts", { keyPath: "key" });
      store.createIndex("session", "session");
      store.createIndex("kept", "kept");
    },
  });

let opened = null; // a promise

async function thoughts(mode) {
  opened ??= database().catch((error) => {
    opened = null; // the next question tries again
    throw error;
  });
  return (await opened).transaction("thoughts", mode);
}

const answers = {
  async load({ session }) {
    const { store } = await thoughts("readonly");
    return (await store.index("session").getAll(session)).map(({ body }) => body);
  },

  async keep({ entries, days, most }) {
    const { store, done } = await thoughts("readwrite");
    const kept = Date.now();
    for (const entry of entries) store.put({ ...entry, kept });
    const old = store.index("kept");
    let cursor = await old.openCursor(IDBKeyRange.upperBound(kept - days * DAY, true));
    for (; cursor; cursor = await cursor.continue()) cursor.delete();
    let surplus = (await old.count()) - most;
    for (cursor = surplus > 0 ? await old.openCursor() : null; cursor && surplus > 0; cursor = await cursor.continue()) {
      cursor.delete();
      surplus -= 1;
    }
    await done;
  },

  // What is kept instead says that it was deleted; it has no time, so it is neither counted nor cleared away.
  async forget({ session, body }) {
    const { store, done } = await thoughts("readwrite");
    for (const key of session ? await store.index("session").getAllKeys(session) : await store.getAllKeys()) store.delete(key);
    if (body) store.put({ key: session, session, body });
    await done;
  },

  async count() {
    return (await thoughts("readonly")).store.count();
  },
};

chrome.runtime.onMessage.addListener(({ thoughts: question }, _sender, reply) => {
  if (!question) return;
  answers[question.do](question).then(
    (value) => reply({ value: value ?? null }),
    ({ name }) => reply({ failure: name }),
  );
  return true; // the reply comes later
});
