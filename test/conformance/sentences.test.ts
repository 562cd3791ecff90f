import { existsSync, readFileSync } from "node:fs";
import * as path from "node:path";
import { expect, test } from "vitest";
import { sentences } from "./sentences.ts";

const rows = Object.values(sentences).flat();
const TESTS = path.resolve(import.meta.dirname, "..");

test("each section of the contract has its sentences, and no row is twice", () => {
  const sections = Array.from({ length: 12 }, (_, number) => `${number}.`);
  expect(Object.keys(sentences).map((name) => name.split(" ")[0])).toEqual(sections);
  for (const [name, group] of Object.entries(sentences))
    expect([name, group.length]).not.toEqual([name, 0]);
  const keys = rows.map((row) => Object.values(row).join(" | "));
  expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([]);
});

test.each(rows)("$sentence: its test is there", ({ file, test: name }) => expectTest(file, name));

test("each risk of docs/security.md names a test that is there", () => {
  const page = readFileSync(path.resolve(TESTS, "../docs/security.md"), "utf8");
  const risks = page
    .split("\n")
    .filter((line) => line.startsWith("| ") && !/^\| (---|.*\| test \|$)/.test(line));
  expect(risks.length).toBeGreaterThan(40);
  for (const risk of risks) {
    const [, file, name] = /`test\/([\w./-]+)`: "(.+)" \|$/.exec(risk) ?? [];
    expect([risk, file !== undefined && name !== undefined]).toEqual([risk, true]);
    expectTest(file!, name!);
  }
});

function expectTest(file: string, name: string): void {
  const at = path.join(TESTS, file);
  expect([file, existsSync(at)]).toEqual([file, true]);
  const source = readFileSync(at, "utf8");
  const written = ['"', "'", "`"].some((quote) => source.includes(`${quote}${name}${quote}`));
  expect([name, written]).toEqual([name, true]);
}
