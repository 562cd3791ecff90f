/** A write is asked once more under its Idempotency-Key as long as nobody knows whether it was done. */
import * as path from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

/** Of the browser, whose types are none of Node's. */
type Writer = (id: string) => (input: object) => Promise<unknown>;
const file = path.resolve(import.meta.dirname, "../../../src/console/api/write.ts");
const input = { params: { conversation_id: "c" }, body: { body: "Hello" } };

let write: ReturnType<Writer>;
let keys: (string | null)[];
let answers: (() => Response)[];

beforeEach(async () => {
  keys = [];
  vi.stubGlobal("fetch", async (_url: string, { headers }: { headers: Headers }) => {
    keys.push(headers.get("idempotency-key"));
    return answers.shift()!();
  });
  const { writer } = (await import(pathToFileURL(file).href)) as unknown as { writer: Writer };
  write = writer("answerConversation");
});
afterEach(() => void vi.unstubAllGlobals());

const lost = () => {
  throw new TypeError("Failed to fetch");
};
const refused = (status: number, code: string, headers = {}) => {
  const body = JSON.stringify({ status, code, detail: "No." });
  return () => new Response(body, { status, headers });
};
const proxy = (status: number) => () => new Response("<h1>Bad gateway</h1>", { status });
const done = () => Response.json({ success: true });

/** How many keys there were in as many presses of the button. */
async function keysOf(...all: (() => Response)[]): Promise<number> {
  answers = [...all];
  for (const _ of all) await write(input).catch(() => {});
  expect(keys).toHaveLength(all.length);
  expect(keys).not.toContain(null);
  return new Set(keys).size;
}

test.each<[string, ...(() => Response)[]]>([
  ["no answer came", lost],
  ["the first is still being worked on", lost, refused(409, "IDEMPOTENCY_IN_PROGRESS")],
  ["the servers of the workspace did not answer", refused(503, "CELL_UNAVAILABLE")],
  ["a proxy answered", proxy(502), proxy(524)],
  ["a proxy answered in JSON", () => Response.json({ error: "down" }, { status: 503 })],
])("what may have been done is sent again under its key: %s", async (_, ...before) => {
  expect(await keysOf(...before, done)).toBe(1);
});

test.each<[string, () => Response]>([
  ["it was done", done],
  ["it was refused", refused(422, "VALIDATION_ERROR")],
  [
    "its failure is what the key answers",
    refused(502, "FAILED", { "idempotent-replayed": "true" }),
  ],
])("what is known is begun anew: %s", async (_, before) => {
  expect(await keysOf(before, done)).toBe(2);
});

test("what was done otherwise with the record since then is begun anew", async () => {
  const { writer } = (await import(pathToFileURL(file).href)) as unknown as { writer: Writer };
  const [pause, resume] = [writer("pauseCampaign"), writer("resumeCampaign")];
  const record = { params: { campaign_id: "c" } };
  answers = [proxy(502), done, done];
  await pause(record).catch(() => {});
  await resume(record);
  await pause(record);
  expect(new Set(keys).size).toBe(3);
});

test("what is otherwise than before has a key of its own", async () => {
  answers = [lost, done];
  await write(input).catch(() => {});
  await write({ ...input, body: { body: "Hello again" } });
  expect(new Set(keys).size).toBe(2);
});
