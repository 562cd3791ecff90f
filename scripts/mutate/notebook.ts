import * as fs from "node:fs";
import * as path from "node:path";
import { rootFolder } from "../command.ts";

/** What is known between two runs and is no result: kept for the column of a results file. */
export interface Notebook {
  /** By the breaking's id, the files that did not notice it. */
  passed: Record<string, string[]>;
  /** Whether a test file passes while nothing is broken. */
  sound: Record<string, boolean>;
  /** Breakings, by their ids, still to be tried together on these files. */
  tasks: { ids: string[]; files: string[] }[];
}

export function openNotebook(name: string): { notes: Notebook; keep(): void } {
  const file = path.join(rootFolder, ".local/mutate", `notes-${name.replace(/\W+/g, "-")}.json`);
  const notes = fs.existsSync(file)
    ? (JSON.parse(fs.readFileSync(file, "utf8")) as Notebook)
    : { passed: {}, sound: {}, tasks: [] };
  return {
    notes,
    keep() {
      fs.mkdirSync(path.dirname(file), { recursive: true });
      fs.writeFileSync(file, JSON.stringify(notes));
    },
  };
}
