import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openJournal } from "../../../scripts/stack/journal.ts";

const JOURNAL = path.resolve(import.meta.dirname, "../../../scripts/stack/journal.ts");

let folder: string;
let file: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "overture-journal-"));
  file = path.join(folder, "part.jsonl");
});
afterEach(() => {
  vi.restoreAllMocks();
  fs.rmSync(folder, { recursive: true, force: true });
});

/** What a start after this finds. */
function kept(): [string, unknown][] {
  const journal = openJournal(file);
  const entries = [...journal.table("messages").entries()];
  journal.close();
  return entries;
}

test("a change that finds no room fails, and leaves no half of itself between those before and after it", () => {
  const script = `
    const { openJournal } = await import(${JSON.stringify(JOURNAL)});
    const messages = openJournal(${JSON.stringify(file)}).table("messages");
    messages.put("before", "x");
    try { messages.put("too long", "x".repeat(10_000)); } catch (error) { console.log(error.code); }
    messages.put("after", "x");`;
  // A file's largest size is the full disk that needs no disk: the system takes what fits and refuses the rest.
  const { stdout, stderr } = spawnSync(
    "/bin/sh",
    ["-c", 'ulimit -f 4 && exec "$0" "$@"', process.execPath, "--input-type=module", "-e", script],
    { encoding: "utf8" },
  );
  expect(stderr).toBe("");
  expect(stdout).toBe("EFBIG\n");
  expect(kept()).toEqual([
    ["before", "x"],
    ["after", "x"],
  ]);
});

test("a broken line costs its own change alone, and is named with its file", () => {
  const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
  const line = (id: string) => `{"table":"messages","id":"${id}","value":1}\n`;
  fs.writeFileSync(file, `${line("a")}{"table":"mess${line("b")}${line("c")}{"table":"mess`);
  expect(kept()).toEqual([
    ["a", 1],
    ["c", 1],
  ]);
  expect(warn.mock.calls).toEqual([[expect.stringContaining(`${file}:2 `)]]);
});

test("a journal that cannot be rewritten goes on as it is", () => {
  const journal = openJournal(file);
  const messages = journal.table("messages");
  fs.mkdirSync(`${file}.new`);
  for (let value = 1; value <= 10_001; value++) messages.put("a", value);
  fs.rmdirSync(`${file}.new`);
  messages.put("a", "last");
  expect(fs.readFileSync(file, "utf8").split("\n")).toHaveLength(2);
  messages.put("b", 1);
  journal.close();
  expect(kept()).toEqual([
    ["a", "last"],
    ["b", 1],
  ]);
});
