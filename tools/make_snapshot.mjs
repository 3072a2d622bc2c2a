// Makes the memory image from which the extension starts Python: Pyodide with the wheels, PyScript's library
// and our own package already imported. Run by build.py under Node; the one argument is a JSON file:
//
//   {bootWheels: [file], wheels: [file], sources: [{name, root}], out: file, lock: file}
//
// Two interpreters, because a snapshot may hold no JavaScript object and micropip keeps some: the first
// installs the wheels, the second only gets the installed files, imports them and is frozen.

import crypto from "node:crypto";
import { readFile, writeFile, readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { constants, gzip } from "node:zlib";
import { loadPyodide } from "pyodide";

// The same sources make the same image, byte for byte: nothing in it may come from the clock or from chance.
const MOMENT = Date.UTC(2020, 0, 1);
globalThis.Date = class extends Date {
  constructor(...parts) { super(...(parts.length ? parts : [MOMENT])); }
  static now() { return MOMENT; }
};
performance.now = () => 0;
crypto.randomFillSync = (view) => view.fill(1);
process.env.TZ = "UTC";

const job = JSON.parse(await readFile(process.argv[2], "utf8"));

async function copyIn(python, root, target) {
  python.FS.mkdirTree(target);
  for (const entry of (await readdir(root, { withFileTypes: true })).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.isDirectory() && entry.name !== "__pycache__") await copyIn(python, join(root, entry.name), `${target}/${entry.name}`);
    else if (entry.name.endsWith(".py")) python.FS.writeFile(`${target}/${entry.name}`, await readFile(join(root, entry.name)));
  }
}

async function installedWheels() {
  const python = await loadPyodide();
  for (const file of [...job.bootWheels, ...job.wheels]) python.FS.writeFile(`/tmp/${basename(file)}`, await readFile(file));
  python.globals.set("boot_wheels", python.toPy(job.bootWheels.map((file) => `/tmp/${basename(file)}`)));
  python.globals.set("wheels", python.toPy(job.wheels.map((file) => `emfs:/tmp/${basename(file)}`)));
  const lock = await python.runPythonAsync(`
import importlib, shutil, site, sys, zipfile
for wheel in boot_wheels:
    zipfile.ZipFile(wheel).extractall("/boot")
sys.path.insert(0, "/boot")
importlib.invalidate_caches()
import micropip
await micropip.install(wheels, deps=False)
shutil.make_archive("/tmp/site", "zip", site.getsitepackages()[0])
micropip.freeze()
`);
  return { archive: python.FS.readFile("/tmp/site.zip"), lock: JSON.parse(lock) };
}

const { archive, lock } = await installedWheels();
console.log(`wheels installed: ${job.wheels.map((file) => basename(file)).join(", ")}`);

const python = await loadPyodide({ _makeSnapshot: true });
const site = python.runPython("import site; site.getsitepackages()[0]");
python.unpackArchive(archive, "zip", { extractDir: site });
for (const { name, root } of job.sources) await copyIn(python, root, `${site}/${name}`);
const modules = python.runPython(`
import importlib
importlib.invalidate_caches()
import thinkfold.preload
len(__import__("sys").modules)
`);
console.log(`imported ${modules} modules`);

// Half of the image is empty pages, which would only cost time to unpack in the page. The file holds the others, as runs: a head of 32-bit numbers (the
// image's length, the number of runs, then start and length of each), then the runs' bytes, one after another.
function withoutEmptyPages(image) {
  const PAGE = 4096;
  const runs = [];
  for (let start = 0; start < image.length; start += PAGE) {
    const page = image.subarray(start, start + PAGE);
    if (page.every((byte) => byte === 0)) continue;
    const last = runs.at(-1);
    if (last && last[0] + last[1] === start) last[1] += page.length;
    else runs.push([start, page.length]);
  }
  const head = Uint32Array.from([image.length, runs.length, ...runs.flat()]);
  return Buffer.concat([new Uint8Array(head.buffer), ...runs.map(([start, length]) => image.subarray(start, start + length))]);
}

const image = python.makeMemorySnapshot();
const packed = await promisify(gzip)(withoutEmptyPages(image), { level: constants.Z_BEST_COMPRESSION });
await writeFile(job.out, packed);
// The lock names what this Pyodide is; packages to fetch later are none, because nothing is fetched at run time.
await writeFile(job.lock, JSON.stringify({ info: lock.info, packages: {} }));
console.log(`image ${(image.length / 1e6).toFixed(1)} MB, packed ${(packed.length / 1e6).toFixed(1)} MB`);
process.exit(0);
