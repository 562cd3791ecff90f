import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { readWrangler, type WranglerSettings } from "../../../scripts/deploy/settings.ts";
import { ensureQueues } from "../../../scripts/deploy/wrangler.ts";
import { rootFolder } from "../../../scripts/command.ts";
import { hits } from "../../../scripts/doctor/address.ts";
import type { Context } from "../../../scripts/doctor/context.ts";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "overture-queues-"));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

/** wrangler.toml, changed. */
function settings(change: (toml: string) => string): WranglerSettings {
  const file = path.join(folder, "wrangler.toml");
  const toml = fs.readFileSync(path.join(rootFolder, "wrangler.toml"), "utf8");
  fs.writeFileSync(file, change(toml));
  return readWrangler(file);
}
const without = (section: string) => (toml: string) =>
  toml.replace(new RegExp(String.raw`^\[\[${section}\]\]\n(?:(?!\[).*\n)*`, "m"), "");
const look = async (wrangler: WranglerSettings) =>
  (await hits.run({ wrangler } as Context)).map(({ verdict, says }) => `${verdict}: ${says}`);

describe("the queue of opens and clicks", () => {
  test("is read from wrangler.toml, within what Cloudflare takes", () => {
    const { producer, consumer } = readWrangler().hitQueue!;
    expect(producer).toEqual({ binding: "HITS", queue: consumer.queue });
    // https://developers.cloudflare.com/queues/platform/limits/
    expect(consumer.maxBatchSize).toBeLessThanOrEqual(100);
    expect(consumer.maxBatchTimeoutSeconds).toBeLessThanOrEqual(60);
    expect(consumer.maxRetries).toBeLessThanOrEqual(100);
    expect(consumer.deadLetterQueue).not.toBe(consumer.queue);
    expect(Object.values(consumer).filter(Number.isNaN)).toEqual([]);
  });

  test("has Cloudflare's own settings where a file leaves them out", () => {
    const only = (toml: string) =>
      toml.replaceAll(/^(max_\w+|retry_delay|dead_letter_queue)\s*=.*\n/gm, "");
    expect(settings(only).hitQueue!.consumer).toEqual({
      queue: "overture-hits",
      maxBatchSize: 10,
      maxBatchTimeoutSeconds: 5,
      maxRetries: 3,
      retryDelaySeconds: 0,
      maxConcurrency: 250,
      deadLetterQueue: null,
    });
  });

  test("is told by the doctor, as is a deployment without it, and one that loses what fails", async () => {
    expect(await look(readWrangler())).toEqual([
      "ok: opens and clicks are written 100 messages at a time, by the queue overture-hits",
    ]);
    for (const section of ["queues.producers", "queues.consumers"]) {
      expect(settings(without(section)).hitQueue).toBeNull();
      expect(await look(settings(without(section)))).toEqual([
        expect.stringMatching(/^off: opens and clicks are written as they come/),
      ]);
    }
    const losing = settings((toml) => toml.replace(/^dead_letter_queue.*\n/m, ""));
    expect(await look(losing)).toEqual([expect.stringMatching(/^warn: .*too often is lost$/)]);
  });

  test("is made by a deployment where it is not there, and only there; what wrangler refuses is said", async () => {
    const there = new Set(["one"]);
    const calls: string[] = [];
    const wrangler = async ([, verb, name]: string[]) => {
      calls.push(`${verb} ${name}`);
      if (verb === "info") return { code: there.has(name!) ? 0 : 1, output: "" };
      there.add(name!);
      return name === "forbidden" ? { code: 1, output: "not allowed\n" } : { code: 0, output: "" };
    };
    expect(await ensureQueues(["one", "two"], wrangler)).toEqual(["two"]);
    expect(calls).toEqual(["info one", "info two", "create two"]);
    expect(await ensureQueues(["one", "two"], wrangler)).toEqual([]);
    await expect(ensureQueues(["forbidden"], wrangler)).rejects.toThrow("not allowed");
  });
});
