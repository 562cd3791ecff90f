import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { keptSecrets } from "../../../scripts/stack/secrets.ts";

let folder: string;
let file: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "overture-secrets-"));
  file = path.join(folder, "secrets.json");
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

test("secrets that cannot be read are not replaced: what they sealed would be lost", () => {
  fs.writeFileSync(file, "{");
  expect(() => keptSecrets(file)).toThrow(`Cannot read ${file}`);
  expect(fs.readFileSync(file, "utf8")).toBe("{");

  fs.rmSync(file);
  fs.mkdirSync(file);
  expect(() => keptSecrets(file)).toThrow(`Cannot read ${file}`);
});

test("secrets are made where there are none, what a file lacks is added, and a whole one stays the file it is", () => {
  const made = keptSecrets(file);
  const { ino } = fs.statSync(file);
  expect(keptSecrets(file)).toEqual(made);
  expect(fs.statSync(file).ino).toBe(ino);

  const { smtpPassword: _, ...rest } = made;
  fs.writeFileSync(file, JSON.stringify(rest));
  const completed = keptSecrets(file);
  expect(completed).toEqual({ ...rest, smtpPassword: expect.any(String) });
  expect(JSON.parse(fs.readFileSync(file, "utf8"))).toEqual(completed);
});
