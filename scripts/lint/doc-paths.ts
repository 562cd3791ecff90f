/** Every path of this repository that a document or a comment names is there; prints those that are not. */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { rootFolder } from "../command.ts";

const NAMED =
  /(?<![\w/.#@-])(?:src|db|functions|test|scripts|docs|public)\/[\w./-]*\w(?:\.(?:ts|json|js|sql|md|css)|\/)/g;
const LINKED = /\]\((?!https?:|mailto:|#)([^)#\s]+)/g;

const files = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
  cwd: rootFolder,
  encoding: "utf8",
})
  .split("\n")
  .filter((file) => /\.(md|ts|js|sql)$/.test(file) && existsSync(join(rootFolder, file)));

/** In code only comments count: a string may name a file that a test makes. */
function wordsOf(file: string, line: string): string {
  if (file.endsWith(".md")) return line;
  return /(?:^\s*\*|\/\*\*?|\/\/|--)(.*)$/.exec(line)?.[1] ?? "";
}

function pathsIn(file: string, words: string): string[] {
  const links = file.endsWith(".md") ? [...words.matchAll(LINKED)] : [];
  return [
    ...[...words.matchAll(NAMED)].map(([path]) => path),
    ...links.map(([, path]) => normalize(join(dirname(file), path!))),
  ];
}

/** What is made here and not kept is there once it was made. */
function isMade(path: string): boolean {
  return spawnSync("git", ["check-ignore", "--quiet", path], { cwd: rootFolder }).status === 0;
}

let missing = 0;
for (const file of files) {
  // What was migrated is history.
  if (file.startsWith("db/migrations/")) continue;
  for (const [index, line] of readFileSync(join(rootFolder, file), "utf8").split("\n").entries())
    for (const path of pathsIn(file, wordsOf(file, line))) {
      if (existsSync(join(rootFolder, path)) || isMade(path)) continue;
      missing++;
      console.log(`${file}:${index + 1} names ${path}, which is not there`);
    }
}
process.exitCode = missing === 0 ? 0 : 1;
