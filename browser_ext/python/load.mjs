// Loads Python from its memory image: in a page's isolated world, or in a page of the extension.

// In a content script of Firefox, a buffer that came from the network belongs to the page, and neither may Python look
// at it nor may a part of it be taken: a copy is our own.
function own(buffer) {
  if (buffer instanceof ArrayBuffer) return buffer;
  const copy = new Uint8Array(buffer.byteLength);
  copy.set(new Uint8Array(buffer));
  return copy.buffer;
}

// For what Pyodide fetches by itself; the .wasm is compiled while it comes, and nobody looks at its bytes.
const fetchAny = globalThis.fetch;
async function fetchOwn(...request) {
  const answer = await fetchAny(...request);
  const read = answer.arrayBuffer.bind(answer);
  answer.arrayBuffer = () => read().then(own);
  return answer;
}

// The image without its empty pages; tools/make_snapshot.mjs says how it is written.
async function readSnapshot(url) {
  const packed = await fetch(url);
  const file = own(await new Response(packed.body.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer());
  const [length, count] = new Uint32Array(file, 0, 2);
  const runs = new Uint32Array(file, 8, 2 * count);
  const image = new Uint8Array(length);
  let from = 8 + runs.byteLength;
  for (let run = 0; run < runs.length; run += 2) {
    image.set(new Uint8Array(file, from, runs[run + 1]), runs[run]);
    from += runs[run + 1];
  }
  return image;
}

// Where the page's own policy forbids WebAssembly, Chromium lets an extension have none there either, and Pyodide would
// wait for ever. The smallest module there is says so at once, by a CompileError.
const SMALLEST_MODULE = new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);

/** Python, with our package and its libraries imported. `folder` is this folder's address, with a slash. */
export async function loadPython(folder) {
  new WebAssembly.Module(SMALLEST_MODULE);
  // Not a static import: that would ask for the fixed address, and this folder's may be a changing one.
  const { loadPyodide } = await import(`${folder}pyodide.mjs`);
  globalThis.fetch = fetchOwn;
  const python = await loadPyodide({ indexURL: folder, _loadSnapshot: readSnapshot(`${folder}memory.snapshot.gz`) });
  globalThis.fetch = fetchAny;
  // PyScript's library looks for these two when Python first imports it; their JavaScript half cannot run here.
  const none = { lazy_py_modules: null, storage: null, currentScript: null, target: null, IDBMap: null };
  python.registerJsModule("polyscript", { ...none, config: {}, js_modules: {}, workers: {} });
  python.registerJsModule("_pyscript", { PyWorker: null, js_import: null, target: null, fs: null, interpreter: null });
  return python;
}
