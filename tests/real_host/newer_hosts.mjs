// A plugin for DSH that copies the files packed inside its one executable to $THINKFOLD_TREE and ends the host.
// The executable shows its files under /snapshot to the code it runs, and only to that.
import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export const name = "thinkfold-unpack";

function copy(from, to) {
  if (!statSync(from).isDirectory()) return writeFileSync(to, readFileSync(from));
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from)) {
    try {
      copy(`${from}/${entry}`, join(to, entry));
    } catch (error) {
      if (error.code !== "ENOENT") throw error; // a link whose target was left out of the executable
    }
  }
}

export function apply() {
  try {
    copy("/snapshot", process.env.THINKFOLD_TREE);
  } catch (error) {
    console.error(error);
    process.exit(1);
  }
  process.exit(0);
}
