import { describe, expect, onTestFinished, test, vi } from "vitest";
import { Overture, OvertureError } from "#src/sdk/index.ts";
import { allOf } from "../../support/all-of.ts";
import { type Said, scriptedServer } from "../../support/scripted-server.ts";

const ID = "6f1f4c0e-9f3b-4d7c-8a11-000000000001";
const problem = (status: number, code: string, headers: Record<string, string> = {}): Said => ({
  status,
  headers: { "content-type": "application/problem+json", ...headers },
  body: { type: "about:blank", status, code, detail: `It is ${code}.`, request_id: "r-1" },
});
const NOW = { "retry-after": "0" };
const done: Said = { body: { campaign_id: ID } };
const clientOf = (baseUrl: string, more: object = {}) =>
  new Overture({ baseUrl, apiKey: "svc_live_x", retryDelayMs: 1, ...more });
const failure = async (work: Promise<unknown>): Promise<OvertureError> => {
  const error: unknown = await work.catch((caught: unknown) => caught);
  if (!(error instanceof OvertureError)) throw error;
  return error;
};

describe("a write", () => {
  test.each<[string, Said]>([
    ["the connection breaks", { instead: "reset" }],
    ["the answer breaks off", { instead: "half", body: { campaign_id: ID } }],
    ["it is being done already", problem(409, "IDEMPOTENCY_IN_PROGRESS", NOW)],
    ["a quota is used up", problem(429, "RATE_LIMITED", NOW)],
    ["the service has a defect", problem(500, "INTERNAL")],
    ["a proxy says so", { status: 502, headers: { "content-type": "text/html" }, body: "<p>no" }],
  ])("goes out again with its key where %s", async (_, said) => {
    await using server = await scriptedServer(said, said, done);
    const launched = await clientOf(server.url).campaigns.launch(ID);
    expect(launched.campaign_id).toBe(ID);
    const [key, ...others] = server.keys();
    expect(key).toMatch(/^[0-9a-f-]{36}$/);
    expect(others).toEqual([key, key]);
    expect(server.received[0]).toMatchObject({
      method: "POST",
      url: `/api/v2/campaigns/${ID}/launch`,
      headers: { authorization: "Bearer svc_live_x" },
    });
  });

  test("draws a key for each call, and takes the caller's", async () => {
    await using server = await scriptedServer(done);
    const { campaigns } = clientOf(server.url);
    await campaigns.pause(ID);
    await campaigns.pause(ID);
    await campaigns.pause(ID, { idempotencyKey: "mine", ifMatch: '"3.abc"' });
    expect(new Set(server.keys()).size).toBe(3);
    expect(server.received[2]!.headers).toMatchObject({
      "idempotency-key": "mine",
      "if-match": '"3.abc"',
    });
  });

  test.each<[string, Said]>([
    ["a refusal", problem(422, "NAME_AMBIGUOUS")],
    ["another conflict", problem(409, "PLAN_STALE")],
    ["a lost answer", problem(409, "IDEMPOTENCY_ANSWER_LOST")],
    ["what is not set up here", problem(503, "MAIL_OAUTH_NOT_CONFIGURED")],
    ["a defect that the key has kept", problem(500, "INTERNAL", { "idempotent-replayed": "true" })],
    ["a wait longer than a minute", problem(429, "RATE_LIMITED", { "retry-after": "61" })],
    ["a redirect", { status: 307, headers: { location: "http://127.0.0.1:1/" } }],
  ])("is not repeated for %s", async (_, said) => {
    await using server = await scriptedServer(said, done);
    const error = await failure(clientOf(server.url).campaigns.launch(ID));
    expect([error.status, server.received.length]).toEqual([said.status, 1]);
  });

  test("is given up after five repetitions, with what was said", async () => {
    await using server = await scriptedServer(problem(503, "UNAVAILABLE", NOW));
    const error = await failure(clientOf(server.url, { maxRetries: 99 }).campaigns.launch(ID));
    expect(error).toMatchObject({ status: 503, code: "UNAVAILABLE", requestId: "r-1" });
    expect(error.message).toBe("It is UNAVAILABLE.");
    expect(server.received.length).toBe(6);
  });

  test("of a form has no key, and is not repeated where it may have arrived", async () => {
    await using server = await scriptedServer({ instead: "reset" });
    const form = new FormData();
    form.append("file", new Blob(["email\n"], { type: "text/csv" }), "leads.csv");
    const error = await failure(clientOf(server.url).datasets.importLeads(ID, form));
    expect([error.status, error.code, server.keys()]).toEqual([0, "NETWORK", [undefined]]);
  });
});

describe("time", () => {
  test("the wait that is asked for is kept, before the client's own", async () => {
    await using server = await scriptedServer(
      problem(429, "RATE_LIMITED", { "retry-after": "1" }),
      done,
    );
    const startedAt = performance.now();
    await clientOf(server.url).campaigns.get(ID);
    expect(performance.now() - startedAt).toBeGreaterThan(990);
  });

  test("a date to come again at is read, too", async () => {
    const at = new Date(Date.now() + 3_600_000).toUTCString();
    await using server = await scriptedServer(problem(503, "UNAVAILABLE", { "retry-after": at }));
    const error = await failure(clientOf(server.url).campaigns.get(ID));
    expect(error.retryAfter).toBeGreaterThan(3500);
  });

  test("a server that says nothing is not waited for, and a caller ends it at any moment", async () => {
    await using server = await scriptedServer({ instead: "silence" });
    const hurried = clientOf(server.url, { timeoutMs: 400, maxRetries: 1 });
    expect((await failure(hurried.campaigns.get(ID))).code).toBe("NETWORK");
    expect(server.received.length).toBe(2);
    const stop = new AbortController();
    const asked = clientOf(server.url).campaigns.get(ID, {}, { signal: stop.signal });
    setTimeout(() => stop.abort(new Error("enough")), 20);
    await expect(asked).rejects.toThrow("enough");
  });

  test("a wait between attempts ends with its caller's signal", async () => {
    await using server = await scriptedServer(
      problem(429, "RATE_LIMITED", { "retry-after": "50" }),
    );
    const asked = clientOf(server.url).campaigns.get(ID, {}, { signal: AbortSignal.timeout(50) });
    await expect(asked).rejects.toThrow(/timeout/);
  });
});

describe("a key that is being worked on", () => {
  /** At work for so many answers; its time is the test's. */
  function working(answers: number, retryAfter: string, more: object = {}) {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const keys: (string | null)[] = [];
    const answer = async (_: unknown, { headers }: RequestInit = {}) => {
      keys.push(new Headers(headers).get("idempotency-key"));
      const status = keys.length > answers ? 200 : 409;
      const body = status === 200 ? { campaign_id: ID } : { code: "IDEMPOTENCY_IN_PROGRESS" };
      return Response.json(body, { status, headers: { "retry-after": retryAfter } });
    };
    const { campaigns } = clientOf("http://a.zz", { fetch: answer, ...more });
    return { keys, launched: campaigns.launch(ID).catch((error: unknown) => error) };
  }

  test("is waited for as long as the longest operation works, and is the same key", async () => {
    const { keys, launched } = working(30, "1");
    await vi.advanceTimersByTimeAsync(30_000);
    expect(await launched).toEqual({ campaign_id: ID });
    expect([keys.length, new Set(keys).size]).toEqual([31, 1]);
  });

  test("is not asked for in a spin where no wait is asked for", async () => {
    const { keys, launched } = working(8, "0");
    await vi.advanceTimersByTimeAsync(1_999);
    expect(keys.length).toBe(8);
    await vi.advanceTimersByTimeAsync(1);
    expect(await launched).toEqual({ campaign_id: ID });
  });

  test.each([
    ["five times more", 5, 9],
    ["once more where one retry is allowed", 1, 5],
    ["not at all where none is", 0, 1],
  ])("is given up behind the time of one attempt: asked for %s", async (_, maxRetries, asked) => {
    const { keys, launched } = working(99, "1", { timeoutMs: 3_000, maxRetries });
    await vi.advanceTimersByTimeAsync(20_000);
    expect(await launched).toMatchObject({ status: 409, code: "IDEMPOTENCY_IN_PROGRESS" });
    expect(keys.length).toBe(asked);
  });
});

describe("a list", () => {
  const page = (items: number[], next_cursor: string | null, has_more = next_cursor !== null) => ({
    body: { items, next_cursor, has_more },
  });

  test("is gone through page by page, by what each says, and no further than is asked for", async () => {
    await using server = await scriptedServer(page([1, 2], "c1"), page([], "c2"), page([3], null));
    const found: unknown[] = [];
    for await (const each of clientOf(server.url).campaigns.list({ status: "active", limit: 2 }))
      found.push(each);
    expect(found).toEqual([1, 2, 3]);
    expect(server.received.map(({ url }) => url)).toEqual([
      "/api/v2/campaigns/?status=active&limit=2",
      "/api/v2/campaigns/?status=active&limit=2&cursor=c1",
      "/api/v2/campaigns/?status=active&limit=2&cursor=c2",
    ]);
    for await (const _ of clientOf(server.url).campaigns.list()) break;
    expect(server.received.length).toBe(4);
  });

  test("of events goes on behind the last one", async () => {
    await using server = await scriptedServer(page([1], "e1"), page([2], "e2", false));
    const found: unknown[] = [];
    for await (const each of clientOf(server.url).events.list()) found.push(each);
    expect([found, server.received[1]!.url]).toEqual([[1, 2], "/api/v2/events?after=e1"]);
  });

  test("that leads to itself ends with an error", async () => {
    await using server = await scriptedServer(page([1], "c1"));
    const all = allOf(clientOf(server.url).campaigns.list());
    expect((await failure(all)).code).toBe("BAD_ANSWER");
  });
});

test("a part of a path is no way to another one", async () => {
  await using server = await scriptedServer(done);
  const { campaigns } = clientOf(server.url);
  await campaigns.get("../api-keys?x=#y");
  expect(server.received[0]!.url).toBe("/api/v2/campaigns/..%2Fapi-keys%3Fx%3D%23y");
  for (const id of ["", ".", ".."]) expect(() => campaigns.get(id)).toThrow(/missing/);
});

test("what is no address or no key is said at once", () => {
  for (const baseUrl of ["ftp://a.zz", "https://me:pw@a.zz", "a.zz"])
    expect(() => clientOf(baseUrl)).toThrow(/address|URL/);
  expect(() => new Overture({ baseUrl: "https://a.zz", apiKey: "a\nb" })).toThrow(/apiKey/);
});

test("an answer that is no JSON, though it says so, is an error with its status", async () => {
  await using server = await scriptedServer({ body: "{" });
  expect((await failure(clientOf(server.url).campaigns.get(ID))).code).toBe("BAD_ANSWER");
});
