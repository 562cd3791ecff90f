/** A write is asked once more under its Idempotency-Key as long as nobody knows whether it was done. */
import * as path from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

/** Of the browser, whose types are none of Node's. */
type Writer = (id: string) => (input: object) => Promise<unknown>;
const file = path.resolve(import.meta.dirname, "../../../src/console/api/write.ts");
const input = { params: { conversation_id: "c" }, body: { body: "Hello" } };

let kept: Map<string, string>;
let write: ReturnType<Writer>;
let keys: (string | null)[];
let answers: (() => Response)[];

beforeEach(async () => {
  keys = [];
  vi.stubGlobal("fetch", async (_url: string, { headers }: { headers: Headers }) => {
    keys.push(headers.get("idempotency-key"));
    return answers.shift()!();
  });
  kept = new Map();
  vi.stubGlobal("sessionStorage", {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, text: string) => void kept.set(name, text),
    removeItem: (name: string) => void kept.delete(name),
  });
  write = (await load())("answerConversation");
});
afterEach(() => void vi.unstubAllGlobals());

/** As the page does when it is loaded: what is left of before is in the storage alone. */
async function load(): Promise<Writer> {
  vi.resetModules();
  const { writer } = (await import(pathToFileURL(file).href)) as unknown as { writer: Writer };
  return writer;
}

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
  ["the session was over meanwhile", lost, refused(401, "UNAUTHENTICATED")],
  ["it had to wait for its turn", lost, refused(429, "RATE_LIMITED")],
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
  const writer = await load();
  const [say, close] = [writer("answerConversation"), writer("changeConversation")];
  answers = [proxy(502), done, done];
  await say(input).catch(() => {});
  await close({ params: input.params, body: { status: "closed" } });
  await say(input);
  expect(new Set(keys).size).toBe(3);
});

test.each(["a reload", "a dialog that is opened again"])(
  "what may have been done is sent again under its key after %s, and then forgotten",
  async (what) => {
    const writer = await load();
    answers = [lost, done, done];
    await writer("answerConversation")(input).catch(() => {});
    expect(JSON.stringify([...kept]), "a text may hold a password").not.toContain("Hello");
    const again = what === "a reload" ? await load() : writer;
    await again("answerConversation")(input);
    expect(new Set(keys).size).toBe(1);
    expect(kept.size).toBe(0);
    await again("answerConversation")(input);
    expect(new Set(keys).size).toBe(2);
  },
);

test("where the storage is full, it is known until the page is loaded again", async () => {
  vi.stubGlobal("sessionStorage", {
    ...sessionStorage,
    setItem() {
      throw new DOMException("full", "QuotaExceededError");
    },
  });
  expect(await keysOf(lost, done)).toBe(1);
});

test.each([
  ["pauseCampaign", { params: { campaign_id: "c" } }],
  ["testMailAlias", { params: { alias_id: "a" } }],
  ["changeMailAlias", { params: { alias_id: "a" }, body: { status: "paused" } }],
])(
  "what only sets a state or looks is asked anew, since another may have undone it: %s",
  async (id, of) => {
    write = (await load())(id);
    answers = [lost, done];
    await write(of).catch(() => {});
    await write(of);
    expect(keys).toEqual([null, null]);
  },
);

test("a change of a record as it was read keeps its key: it is not refused for what it did itself", async () => {
  const change = (await load())("changeTemplate") as (...all: object[]) => Promise<unknown>;
  const asked = [{ params: { template_id: "t" }, body: { name: "N" } }, { ifMatch: "e" }];
  answers = [lost, done];
  await change(...asked).catch(() => {});
  await change(...asked);
  expect(new Set(keys).size).toBe(1);
});

test("what is otherwise than before has a key of its own", async () => {
  answers = [lost, done];
  await write(input).catch(() => {});
  await write({ ...input, body: { body: "Hello again" } });
  expect(new Set(keys).size).toBe(2);
});
