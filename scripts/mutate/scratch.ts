import * as fs from "node:fs";
import * as path from "node:path";
import { rootFolder, runCommand } from "../command.ts";

/** A copy of the working tree in which breakings act; the tree itself is only read. */
export interface Scratch {
  folder: string;
  read(file: string): string;
  /** Writes the texts, does the work and puts back what was there. */
  withTexts<T>(texts: ReadonlyMap<string, string>, work: () => Promise<T>): Promise<T>;
}

const HOME = path.join(rootFolder, ".local/mutate");

/** Brought up to date at each call; what changed since is copied, and what is gone is removed. */
export async function openScratch(name: string): Promise<Scratch> {
  const folder = path.join(HOME, name);
  fs.mkdirSync(folder, { recursive: true });
  const files = await trackedFiles();
  const wanted = new Set(files);
  for (const file of files) copyIfOther(file, folder);
  for (const entry of fs.readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = path.relative(folder, path.join(entry.parentPath, entry.name));
    if (/^(node_modules|\.local)\//.test(file) || wanted.has(file)) continue;
    fs.rmSync(path.join(folder, file));
  }
  const modules = path.join(folder, "node_modules");
  if (!fs.existsSync(modules)) fs.symlinkSync(path.join(rootFolder, "node_modules"), modules);
  const read = (file: string) => fs.readFileSync(path.join(folder, file), "utf8");
  return {
    folder,
    read,
    async withTexts(texts, work) {
      const before = new Map([...texts.keys()].map((file) => [file, read(file)]));
      const put = (each: ReadonlyMap<string, string>) => {
        for (const [file, text] of each) fs.writeFileSync(path.join(folder, file), text);
      };
      put(texts);
      try {
        return await work();
      } finally {
        put(before);
      }
    },
  };
}

/** What git knows or would take up, as it stands in the working tree. */
export async function trackedFiles(): Promise<string[]> {
  const { code, output } = await runCommand("git", [
    "ls-files",
    "--cached",
    "--others",
    "--exclude-standard",
  ]);
  if (code !== 0) throw new Error(output);
  return output
    .split("\n")
    .filter(
      (file) =>
        file !== "" &&
        fs.statSync(path.join(rootFolder, file), { throwIfNoEntry: false })?.isFile(),
    );
}

function copyIfOther(file: string, folder: string): void {
  const [source, target] = [path.join(rootFolder, file), path.join(folder, file)];
  const content = fs.readFileSync(source);
  if (fs.existsSync(target) && content.equals(fs.readFileSync(target))) return;
  fs.mkdirSync(path.dirname(target), { recursive: true });
  fs.writeFileSync(target, content);
  fs.chmodSync(target, fs.statSync(source).mode);
}
