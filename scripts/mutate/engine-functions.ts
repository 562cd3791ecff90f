import * as fs from "node:fs";
import * as path from "node:path";
import { spawnSync } from "node:child_process";
import type { Scratch } from "./scratch.ts";

/** The text of each function that the database keeps, by its name. */
export type FunctionTexts = Readonly<Record<string, string>>;

/** Undefined when the text can no longer be made. */
export function functionTexts({ folder }: Scratch): FunctionTexts | undefined {
  const script = path.join(folder, "scripts/mutate/function-texts.ts");
  const { status, stdout } = spawnSync(process.execPath, [script], {
    cwd: folder,
    encoding: "utf8",
  });
  return status === 0 ? (JSON.parse(stdout) as FunctionTexts) : undefined;
}

const MIGRATIONS = "db/migrations";

/**
 * The migrations with the functions' new texts in the place of the old: what is said in db/engine acts only once it is
 * in the database. (`npm run db:functions` writes the newest migration, which is that of the functions only when
 * they were what changed last.)
 */
export function migrationsWith(
  scratch: Scratch,
  before: FunctionTexts,
  after: FunctionTexts,
): Map<string, string> {
  const changed = changedFunctions(before, after);
  const texts = new Map<string, string>();
  if (changed.length === 0) return texts;
  for (const name of fs.readdirSync(path.join(scratch.folder, MIGRATIONS))) {
    if (!name.endsWith(".sql")) continue;
    const file = path.join(MIGRATIONS, name);
    const old = scratch.read(file);
    const text = changed.reduce((all, each) => all.replace(before[each]!, () => after[each]!), old);
    if (text !== old) texts.set(file, text);
  }
  return texts;
}

export const changedFunctions = (before: FunctionTexts, after: FunctionTexts): string[] =>
  Object.keys(before).filter((name) => before[name] !== after[name]);
