/** The router before cells that answer as they are told: that are away, late, or wrong. */
import { afterEach, expect, test } from "vitest";
import { numberOfCell, createTrackTokens } from "#src/domain/messages/tracking/track-token.ts";
import { readCells, RouterConfigError } from "#src/router/cells.ts";
import { createRouter } from "#src/router/router.ts";

const SECRET = "a-secret-of-the-cells";
const HERE = { at: "here", order: "0" };
const UNKNOWN = { at: "unknown" };

type Said = Record<string, unknown> | "away" | "late" | "nonsense";

/** What a cell says of whoever asks, and what it answers; `null` never comes. */
interface Told {
  said?: Said;
  answer?: (request: Request) => Response | Promise<Response> | null;
}

let told: Record<"main" | "big", Told> = { main: {}, big: {} };
let asked: string[] = [];
let nowMs = 0;
afterEach(() => {
  told = { main: {}, big: {} };
  asked = [];
  nowMs += 1e9;
});

const never = new Promise<Response>(() => {});

function cellOf(name: "main" | "big") {
  return {
    async fetch(request: Request): Promise<Response> {
      const { pathname } = new URL(request.url);
      asked.push(`${name} ${pathname}`);
      const { said = UNKNOWN, answer = () => new Response(`of ${name}`) } = told[name];
      if (pathname !== "/cells/where") return (await answer(request)) ?? never;
      expect(request.headers.get("overture-cells-secret")).toBe(SECRET);
      if (said === "away") throw new Error("connection refused");
      if (said === "late") return never;
      return Response.json(said);
    },
  };
}

const router = createRouter({
  ...readCells({
    CELLS: "main, big",
    CELLS_SECRET: SECRET,
    CELL_MAIN: cellOf("main"),
    CELL_BIG: cellOf("big"),
  }),
  now: () => new Date(nowMs),
  longestLookMs: 20,
});

const NAMED = { authorization: "Bearer one" };
const ask = async (path = "/api/v1/templates", init: RequestInit = {}) => {
  const answer = await router.fetch(
    new Request(`https://overture.example.com${path}`, { headers: NAMED, ...init }),
  );
  const text = await answer.text();
  return { status: answer.status, text, headers: answer.headers };
};
const passed = () => asked.filter((each) => !each.endsWith("/cells/where"));
const looks = () => asked.length - passed().length;

const moved = (cell: string) => () =>
  Response.json(
    { detail: "WORKSPACE_MOVED", cell },
    { status: 503, headers: { "Overture-Cell": cell } },
  );

test("who is asked for is remembered for a minute", async () => {
  told.big.said = HERE;
  expect((await ask()).text).toBe("of big");
  nowMs += 59_000;
  expect((await ask()).text).toBe("of big");
  expect(looks()).toBe(2);
  nowMs += 2_000;
  await ask();
  expect(looks()).toBe(4);
});

test("another workspace of the same login is asked for by itself", async () => {
  told.big.said = HERE;
  await ask();
  await ask("/api/v1/templates", { headers: { ...NAMED, "overture-workspace": "x" } });
  expect(looks()).toBe(4);
});

test("whom nobody knows gets the first cell's refusal; the same guess costs no look for five seconds", async () => {
  told.main.answer = () => new Response("who?", { status: 401 });
  for (let again = 0; again < 3; again++) expect((await ask()).status).toBe(401);
  expect(looks()).toBe(2);
  expect(passed()).toEqual(Array(3).fill("main /api/v1/templates"));
});

test.each(["away", "late", "nonsense"] as const)(
  "a cell that is %s keeps nobody from another one, and its own are told so",
  async (said) => {
    told.big.said = said;
    told.main.said = HERE;
    expect((await ask()).text).toBe("of main");
    nowMs += 1e6;
    told.main.said = UNKNOWN;
    // Remembered too long ago, and still better than nothing.
    expect((await ask()).text).toBe("of main");
    for (const [path, code] of [
      ["/api/v1/templates", "detail"],
      ["/api/v2/templates", "code"],
    ] as const) {
      const refused = await ask(path, { headers: { authorization: "Bearer other" } });
      expect([refused.status, JSON.parse(refused.text)[code]]).toEqual([503, "CELL_UNAVAILABLE"]);
      expect(refused.headers.get("retry-after")).toBe("15");
    }
  },
);

test("a login that works in two cells is not led into the second by the first one's silence", async () => {
  told.big.said = { at: "here", order: "1 2026-01-02" };
  told.main.said = { at: "here", order: "1 2026-01-01" };
  expect((await ask()).text).toBe("of main");
  told.main.said = "away";
  expect(
    (await ask("/api/v1/templates", { headers: { authorization: "Bearer two" } })).status,
  ).toBe(503);
});

test("a workspace that has moved is found again, with body and headers, once", async () => {
  told.main.said = HERE;
  await ask();
  told.main.answer = moved("big");
  const got: unknown[] = [];
  told.big.answer = async (request) => {
    got.push([await request.text(), request.headers.get("idempotency-key"), request.method]);
    return new Response("done", { status: 201, headers: { etag: '"7"' } });
  };
  const answer = await ask("/api/v1/templates", {
    method: "POST",
    headers: { ...NAMED, "idempotency-key": "k", "content-length": "4" },
    body: "body",
  });
  expect([answer.status, answer.headers.get("etag")]).toEqual([201, '"7"']);
  expect(got).toEqual([["body", "k", "POST"]]);
  asked = [];
  await ask();
  expect(asked).toEqual(["big /api/v1/templates"]);
});

test("two cells that each name the other end it", async () => {
  told.main = { said: HERE, answer: moved("big") };
  told.big.answer = moved("main");
  expect((await ask()).status).toBe(503);
  expect(passed()).toHaveLength(2);
  expect((await ask()).headers.has("overture-cell")).toBe(false);
});

test("a cell that nobody has is not looked for", async () => {
  told.main = { said: HERE, answer: moved("gone") };
  expect((await ask()).status).toBe(503);
  expect(passed()).toHaveLength(1);
});

test("of whom a remembered cell knows nothing the others are asked before it is said", async () => {
  told.main.said = HERE;
  await ask();
  told.main = { answer: () => new Response(null, { status: 401 }) };
  told.big.said = HERE;
  expect((await ask()).text).toBe("of big");
});

test("a body that can be sent but once is sent to where somebody just said they are", async () => {
  told.main.said = HERE;
  await ask();
  told.main = { said: { at: "elsewhere", cell: "big" }, answer: moved("big") };
  told.big = { said: HERE, answer: async (request) => new Response(await request.text()) };
  const large = "x".repeat(2 ** 20 + 1);
  const answer = await ask("/api/v1/datasets", { method: "POST", body: large });
  expect(answer.text).toBe(large);
  expect(passed().slice(1)).toEqual(["big /api/v1/datasets"]);
});

test("a request that was sent and is not answered is not sent again", async () => {
  told.main = { said: HERE, answer: () => Promise.reject(new Error("reset")) };
  const answer = await ask();
  expect([answer.status, answer.text]).toEqual([503, expect.stringContaining("is not known")]);
  expect(passed()).toHaveLength(1);
});

test("a page of a token is made by the cell that made it, else by any", async () => {
  const tokens = createTrackTokens(["a secret of enough length"], numberOfCell("big"));
  const path = `/o/${await tokens.sign({ kind: "open", sendId: crypto.randomUUID() })}.gif`;
  expect((await ask(path)).text).toBe("of big");
  told.big.answer = () => Promise.reject(new Error("away"));
  expect((await ask(path)).text).toBe("of main");
  expect((await ask("/o/of-before")).text).toBe("of main");
});

test("an opt-out is asked of each cell until one knows it; one that is away may be the one", async () => {
  const unknown = () => new Response("?", { status: 404, headers: { "Overture-Cell": "?" } });
  told.main.answer = unknown;
  expect((await ask("/u/abc", { method: "POST" })).text).toBe("of big");
  told.big.answer = unknown;
  expect((await ask("/u/abc", { method: "POST" })).status).toBe(404);
  told.big.answer = () => Promise.reject(new Error("away"));
  expect((await ask("/u/abc", { method: "POST" })).status).toBe(503);
  // While it moves one knows it and refuses, and the other may have it already.
  told.big.answer = () => new Response("moving", { status: 503 });
  expect((await ask("/u/abc", { method: "POST" })).text).toBe("moving");
});

test("news reach every cell, and are to come again where one has not taken them", async () => {
  const post = { method: "POST", body: "mail" };
  told.main.answer = () => Response.json({ matched_by: null });
  told.big.answer = async (request) =>
    Response.json({ matched_by: "token", said: await request.text() });
  expect(JSON.parse((await ask("/api/v1/mailer/inbound", post)).text)).toEqual({
    matched_by: "token",
    said: "mail",
  });
  told.main.answer = () => new Response("busy", { status: 503 });
  expect((await ask("/api/v1/mailer/inbound", post)).status).toBe(503);
  told.main.answer = () => Promise.reject(new Error("away"));
  expect((await ask("/api/v1/mailer/inbound", post)).status).toBe(503);
});

test("hits are told by cells alone, to all others", async () => {
  const post = (secret: string) =>
    ask("/cells/hits", {
      method: "POST",
      headers: { "overture-cells-secret": secret, "overture-from-cell": "main" },
      body: "{}",
    });
  expect((await post("guessed-secret-here")).status).toBe(404);
  expect(asked).toEqual([]);
  expect((await post(SECRET)).status).toBe(200);
  expect(asked).toEqual(["big /cells/hits"]);
});

test("says which cells answer", async () => {
  told.big.answer = () => Promise.reject(new Error("away"));
  expect(JSON.parse((await ask("/cells")).text)).toEqual({
    cells: [
      { name: "main", answers: true },
      { name: "big", answers: false },
    ],
  });
});

test("every fault of its environment is said at once", () => {
  const read = (env: Record<string, unknown>) => () => readCells(env);
  expect(read({})).toThrow(RouterConfigError);
  expect(read({ CELLS: "a,B", CELLS_SECRET: "short" })).toThrow(
    /CELLS_SECRET[^]*CELL_A: there is no such binding[^]*"B" is not/,
  );
  // c7 and another of the same number.
  const twin = Array.from({ length: 200 }, (_, at) => `c${at + 8}`).find(
    (name) => numberOfCell(name) === numberOfCell("c7"),
  )!;
  const bindings = { CELL_C7: cellOf("main"), [`CELL_${twin.toUpperCase()}`]: cellOf("big") };
  expect(read({ CELLS: `c7,${twin}`, CELLS_SECRET: SECRET, ...bindings })).toThrow("one number");
});
