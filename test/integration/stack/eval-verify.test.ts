import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { afterAll, expect, test } from "vitest";
import { evalVerify, type StartVerifier } from "../../../scripts/eval-verify/command.ts";
import { timed } from "../../../scripts/eval-verify/run.ts";
import { askFor } from "./farm-client.ts";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "overture-farm-"));
afterAll(() => fs.rmSync(folder, { recursive: true }));

function fileOf(content: unknown): string {
  const file = path.join(folder, `${Math.random()}.json`);
  fs.writeFileSync(file, JSON.stringify(content));
  return file;
}

const good = {
  provider: "good",
  split: "tune",
  hosts: { "mx.good.zz": {} },
  domains: { "good.zz": { valid: ["anna"], invalid: ["ben"] } },
};
const refusing = {
  provider: "refusing",
  split: "held_out",
  hosts: { "mx.refusing.zz": { rcpt: "550 5.7.1 not from you" } },
  domains: { "refusing.zz": { unknown: ["carl"] } },
};

/** Asks the one host of an address, and takes the reply's first figure for the truth. */
const naive: StartVerifier =
  ({ farm, dns }) =>
  async (address) => {
    const found = await dns.lookup(address.split("@")[1]!, "MX");
    const host = found.kind === "records" ? found.records[0]!.split(" ")[1]! : "";
    const [reply, ms] = await timed(() => askFor(farm, host, address));
    const outcome = reply.startsWith("2") ? "valid" : reply.startsWith("5") ? "invalid" : "unknown";
    return { outcome, ms, detail: reply };
  };

async function run(...files: string[]): Promise<{ code: number; said: string }> {
  const lines: string[] = [];
  const code = await evalVerify({ files }, naive, (text) => lines.push(text));
  return { code, said: lines.join("\n") };
}

test("a verifier that is right about all of a file's addresses reaches the targets", async () => {
  const { code, said } = await run(fileOf({ providers: [good] }));
  expect(said).toContain("All targets are reached.");
  expect(said).toMatch(/^\| all \| 2\/2 \(100\.0 %\) /m);
  expect(code).toBe(0);
});

test("a false invalid fails it, and is named with what the host said", async () => {
  const { code, said } = await run(fileOf({ providers: [good, refusing] }));
  expect(said).toContain(
    "carl@refusing.zz (refusing) is unknown, was called invalid (550 5.7.1 not from you)",
  );
  expect(said).toContain("Short: 66.7 % are correct, of 95.0 %; 1 false invalid, of none.");
  expect(code).toBe(1);
});

test("several files are one table, and what is no table is told apart from a failure", async () => {
  const both = await run(fileOf({ providers: [good] }), fileOf({ providers: [refusing] }));
  expect(both.code).toBe(1);
  const twice = await run(fileOf({ providers: [good] }), fileOf({ providers: [good] }));
  expect([twice.code, twice.said]).toEqual([2, "the host mx.good.zz stands twice"]);
  expect((await run(fileOf({ hosts: [] }))).code).toBe(2);
  expect((await run(path.join(folder, "none.json"))).code).toBe(2);
  expect((await run(fileOf({ providers: [] }))).code).toBe(1);
});
