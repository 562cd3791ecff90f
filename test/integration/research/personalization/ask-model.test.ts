import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { checkStatus } from "#src/domain/workspace/health/check.ts";
import {
  askModel,
  MODEL_CALLS_A_DAY,
  type ModelDeps,
} from "#src/domain/research/personalization/ask-model.ts";
import { createUpstashCache } from "#src/providers/cache/upstash.ts";
import { createChatModel } from "#src/providers/model/chat-completions.ts";
import type { ChatAnswer, ChatRequest } from "#src/providers/model/index.ts";
import { type ModelPart, startModel } from "../../../../scripts/stack/model/model.ts";
import { startApi, type TestApi } from "../../../support/api.ts";
import { createEagerClock } from "../../../support/eager-clock.ts";
import { queryOf } from "../../../support/query.ts";
import { apiError, completion, type Endpoint, startEndpoint } from "./endpoint.ts";

const query = queryOf(() => api.sql);

let api: TestApi;
let composer: ModelPart;
let endpoint: Endpoint;
let workspaceId: string;
beforeAll(async () => {
  composer = await startModel();
  endpoint = await startEndpoint();
  api = await startApi({
    ...composer.env,
    MODEL_INPUT_PRICE: "2",
    MODEL_OUTPUT_PRICE: "8",
  });
});
afterAll(async () => {
  await api.close();
  await composer.close();
  await endpoint.close();
});
beforeEach(async () => {
  ({ workspaceId } = await api.tenant());
  api.redis.flush();
  api.redis.faults.clear();
  composer.faults.clear();
  composer.log.clear();
});

const SECRET = "the letter that nobody may read in a log";
const REQUEST: ChatRequest = {
  messages: [
    { role: "system", content: `Write JSON. ${SECRET}` },
    { role: "user", content: `To Anna. ${SECRET}` },
  ],
  schema: {
    name: "letter",
    schema: { type: "object", properties: {}, required: [], additionalProperties: false },
  },
  temperature: 0.7,
  maxTokens: 300,
};

type Line = Record<string, unknown> & { event: string };

/** An isolate: a cache client, an adapter and a log of its own, over the endpoint that is given or the composer. */
function isolate({
  at,
  clock = api.deps.clock,
}: { at?: Endpoint; clock?: ModelDeps["clock"] } = {}) {
  const lines: Line[] = [];
  const keep = (event: string, fields: object = {}) => void lines.push({ event, ...fields });
  const settings = {
    baseUrl: at?.baseUrl ?? composer.env["MODEL_BASE_URL"]!,
    name: "local-composer-1",
    key: composer.env["MODEL_API_KEY"]!,
    jsonMode: "json_schema",
    tokensField: "max_tokens",
    parameters: { temperature: 0.7, maxTokens: 300 },
    prices: { input: 2, cached: 2, output: 8 },
  } as const;
  const deps: ModelDeps = {
    ...api.deps,
    clock,
    cache: createUpstashCache({ url: api.redis.url, token: api.redis.token }),
    model: createChatModel(settings, fetch, clock),
    log: { info: keep, error: keep },
  };
  return {
    deps,
    lines,
    ask: (signal = AbortSignal.timeout(15_000)) => askModel(deps, workspaceId, REQUEST, signal),
    calls: () => lines.filter(({ event }) => event === "model_call"),
  };
}
/** One whose waits take no time. */
const eager = (more: { at?: Endpoint } = {}) => {
  const clock = createEagerClock(Date.now());
  return { ...isolate({ ...more, clock }), clock };
};
const kindOf = (answer: ChatAnswer) => (answer.kind === "failed" ? answer.reason : answer.ended);
const usageOf = async () =>
  await query`select calls, prompt_tokens, completion_tokens, cost_micros from model_days where workspace_id = ${workspaceId}`;

const atCount = (calls: number) =>
  api.sql.query(
    `insert into model_days values ($1, $2, $3, 0, 0, 0)
     on conflict (workspace_id, day) do update set calls = excluded.calls`,
    [workspaceId, new Date().toISOString().slice(0, 10), calls],
  );

describe("a call", () => {
  test("leaves one line in the log, with numbers and without a word of what was asked or written", async () => {
    const one = isolate();
    const answer = await one.ask();
    if (answer.kind !== "answered") throw new Error(answer.detail);
    const { promptTokens, completionTokens, costMicros } = answer.usage;
    expect(one.lines).toEqual([
      {
        event: "model_call",
        workspace_id: workspaceId,
        attempt: 1,
        latency_ms: expect.any(Number),
        asked_model: "local-composer-1",
        outcome: "done",
        model: "local-composer-1",
        prompt_tokens: promptTokens,
        cached_tokens: 0,
        completion_tokens: completionTokens,
        cost_micros: promptTokens * 2 + completionTokens * 8,
      },
    ]);
    expect(JSON.stringify(one.lines)).not.toContain("nobody may read");
    expect(await usageOf()).toEqual([
      {
        calls: 1,
        prompt_tokens: String(promptTokens),
        completion_tokens: String(completionTokens),
        cost_micros: String(costMicros),
      },
    ]);
  });

  test("without a model is refused, and counted nowhere", async () => {
    const { deps } = isolate();
    const answer = await askModel(
      { ...deps, model: null },
      workspaceId,
      REQUEST,
      AbortSignal.timeout(1_000),
    );
    expect(answer).toMatchObject({ kind: "failed", reason: "refused" });
    expect(await usageOf()).toEqual([]);
  });
});

describe("again", () => {
  test("a failure that passes is tried again after a moment, twice at most, each time with a line and counted", async () => {
    const one = eager();
    composer.faults.order("500", 1);
    const startedMs = one.clock.now().getTime();
    expect(kindOf(await one.ask())).toBe("done");
    expect(one.calls().map(({ attempt, outcome }) => [attempt, outcome])).toEqual([
      [1, "unavailable"],
      [2, "done"],
    ]);
    const waitedMs = one.clock.now().getTime() - startedMs;
    expect(waitedMs).toBeGreaterThanOrEqual(250);
    expect(waitedMs).toBeLessThanOrEqual(750);
    composer.faults.order("500", 3);
    expect(kindOf(await one.ask())).toBe("unavailable");
    expect(one.calls()).toHaveLength(5);
    expect(await usageOf()).toMatchObject([{ calls: 5 }]);
  });

  test("as late as the endpoint asks, where that is soon; later is for whoever has a queue", async () => {
    const one = eager({ at: endpoint });
    endpoint.will(apiError(429, {}, { "retry-after": "3" }), completion("{}"));
    const startedMs = one.clock.now().getTime();
    expect(kindOf(await one.ask())).toBe("done");
    expect(one.clock.now().getTime() - startedMs).toBeGreaterThanOrEqual(3_000);
    endpoint.will(apiError(429, {}, { "retry-after": "20" }), completion("{}"));
    expect(await one.ask()).toMatchObject({ reason: "rate_limited", retryAfterSeconds: 20 });
    expect(endpoint.asked).toHaveLength(1);
  });

  test("not a failure that stays", async () => {
    const one = eager();
    for (const [fault, reason] of [
      ["unauthorized", "refused"],
      ["html", "unreadable"],
    ] as const) {
      composer.faults.order(fault, 1);
      expect(kindOf(await one.ask())).toBe(reason);
    }
    expect(one.calls()).toHaveLength(2);
  });

  test("not once the caller's time is over, which ends a wait as well", async () => {
    const stop = new AbortController();
    const one = isolate({
      at: endpoint,
      clock: {
        now: api.deps.clock.now,
        async sleepUntil(at, signal) {
          stop.abort();
          await api.deps.clock.sleepUntil(at, signal);
        },
      },
    });
    endpoint.will(apiError(503, {}));
    expect(kindOf(await one.ask(stop.signal))).toBe("unavailable");
    expect(endpoint.asked).toHaveLength(1);
  });
});

describe("the breaker", () => {
  const aboutHalfAMinute = expect.toSatisfy((seconds: number) => seconds > 10 && seconds <= 30);
  /** So many failures of the endpoint, one after the other. */
  async function fail(one: ReturnType<typeof isolate>, times: number, fault = "html") {
    for (let count = 0; count < times; count++) {
      composer.faults.order(fault, 1);
      await one.ask();
    }
  }

  test("opens after five failures in a row, for every isolate: nobody asks, and each is told how long", async () => {
    const [one, two] = [isolate(), isolate()];
    await fail(one, 3);
    await fail(two, 2);
    composer.log.clear();
    for (const each of [one, two])
      expect(await each.ask()).toMatchObject({
        kind: "failed",
        reason: "unavailable",
        retryAfterSeconds: aboutHalfAMinute,
      });
    expect(composer.asked()).toEqual([]);
  });

  test("an answer between them begins the count anew, and so it stays closed", async () => {
    const one = isolate();
    for (let round = 0; round < 3; round++) {
      await fail(one, 4);
      expect(kindOf(await one.ask())).toBe("done");
    }
  });

  test("after its time one call goes ahead while the others wait, and its answer lets all pass", async () => {
    const isolates = [isolate(), isolate()];
    await fail(isolates[0]!, 5);
    api.advance(31);
    composer.log.clear();
    composer.faults.order("slow", 1);
    const probe = isolates[0]!.ask();
    await expect.poll(() => composer.asked().length, { timeout: 10_000 }).toBe(1);
    const others = await Promise.all(
      Array.from({ length: 10 }, (_, at) => isolates[at % 2]!.ask()),
    );
    expect(others.map(kindOf)).toEqual(Array.from({ length: 10 }, () => "unavailable"));
    expect(composer.asked()).toHaveLength(1);
    api.advance(21);
    expect(kindOf(await probe)).toBe("done");
    expect((await Promise.all(isolates.map(({ ask }) => ask()))).map(kindOf)).toEqual([
      "done",
      "done",
    ]);
  });

  test("of ten that come at once after its time, one asks", async () => {
    const one = isolate();
    await fail(one, 5);
    api.advance(31);
    composer.log.clear();
    composer.faults.order("html", 10);
    await Promise.all(Array.from({ length: 10 }, () => one.ask()));
    expect(composer.asked()).toHaveLength(1);
  });

  test.each([
    ["", 31],
    [" also when the count of failures is forgotten by then", 610],
  ])("a probe that fails shuts it again, and is not tried again%s", async (_, seconds) => {
    const one = isolate();
    await fail(one, 5);
    api.advance(seconds);
    composer.log.clear();
    composer.faults.order("500", 1);
    expect(kindOf(await one.ask())).toBe("unavailable");
    expect(await one.ask()).toMatchObject({ retryAfterSeconds: aboutHalfAMinute });
    expect(composer.asked()).toHaveLength(1);
    api.advance(31);
    expect(kindOf(await one.ask())).toBe("done");
  });

  test("an isolate that dies with the probe holds nobody up for long", async () => {
    const [dying, one] = [isolate(), isolate()];
    await fail(one, 5);
    api.advance(31);
    composer.faults.order("timeout", 1);
    const stop = new AbortController();
    dying.deps.cache.delete = () => new Promise(() => {});
    dying.deps.cache.set = () => new Promise(() => {});
    dying.deps.cache.count = (
      (count) => (keys: Parameters<typeof count>[0]) =>
        keys[0]!.key === "model:probe" ? count(keys) : new Promise<number[]>(() => {})
    )(dying.deps.cache.count);
    composer.log.clear();
    void dying.ask(stop.signal);
    await expect.poll(() => composer.asked().length, { timeout: 10_000 }).toBe(1);
    stop.abort();
    expect(kindOf(await one.ask())).toBe("unavailable");
    api.advance(91);
    expect(kindOf(await one.ask())).toBe("done");
  });

  test("stays open as long as the endpoint asks, and five minutes at most", async () => {
    for (const [asked, kept] of [
      ["100", 100],
      ["86400", 300],
    ] as const) {
      api.redis.flush();
      const one = isolate({ at: endpoint });
      endpoint.will(apiError(429, {}, { "retry-after": asked }));
      for (let count = 0; count < 5; count++) await one.ask();
      const answer = await one.ask();
      const seconds = answer.kind === "failed" ? answer.retryAfterSeconds! : 0;
      expect(seconds).toBeGreaterThan(kept / 2);
      expect(seconds).toBeLessThanOrEqual(kept);
    }
  });

  test("a request that is refused says nothing about the next: no tenant can shut out the others", async () => {
    const one = isolate();
    await fail(one, 8, "unauthorized");
    expect(kindOf(await one.ask())).toBe("done");
  });

  /** A call that its caller ends after so long. */
  async function cutShort(one: ReturnType<typeof isolate>, seconds: number) {
    composer.log.clear();
    composer.faults.order("timeout", 1);
    const stop = new AbortController();
    const answer = one.ask(stop.signal);
    await expect.poll(() => composer.asked().length, { timeout: 10_000 }).toBe(1);
    api.advance(seconds);
    stop.abort();
    expect(kindOf(await answer)).toBe("timeout");
  }

  test("five callers who waited are a slow endpoint, and five who had no time are none", async () => {
    const one = isolate();
    for (let count = 0; count < 5; count++) await cutShort(one, 1);
    expect(kindOf(await one.ask())).toBe("done");
    for (let count = 0; count < 5; count++) await cutShort(one, 30);
    expect(kindOf(await one.ask())).toBe("unavailable");
  });

  test("a workspace's own short waits are no slow endpoint, those of three are", async () => {
    const one = isolate();
    for (let count = 0; count < 7; count++) await cutShort(one, 20);
    ({ workspaceId } = await api.tenant());
    expect(kindOf(await one.ask())).toBe("done");
    for (const calls of [2, 2, 1]) {
      ({ workspaceId } = await api.tenant());
      for (let count = 0; count < calls; count++) await cutShort(one, 20);
    }
    expect(kindOf(await one.ask())).toBe("unavailable");
  });

  test("who goes ahead and then has no time, or no call left today, lets the next one go", async () => {
    const one = isolate();
    await fail(one, 5);
    api.advance(31);
    await cutShort(one, 1);
    const rich = workspaceId;
    ({ workspaceId } = await api.tenant());
    await atCount(MODEL_CALLS_A_DAY);
    expect(kindOf(await one.ask())).toBe("rate_limited");
    workspaceId = rich;
    expect(kindOf(await one.ask())).toBe("done");
  });

  test("without its store it is closed, and a store that forgets closes it", async () => {
    const one = isolate();
    await fail(one, 5);
    api.redis.faults.order("unavailable", 1_000);
    expect(kindOf(await one.ask())).toBe("done");
    expect(one.lines.map(({ event }) => event)).toContain("model_breaker_unreadable");
    api.redis.faults.clear();
    expect(kindOf(await one.ask())).toBe("unavailable");
    api.redis.flush();
    expect(kindOf(await one.ask())).toBe("done");
  });
});

describe("a workspace's calls of a day", () => {
  test("of ten at once with three left, three are made; the others wait for midnight, and other workspaces for nothing", async () => {
    const one = isolate();
    await atCount(MODEL_CALLS_A_DAY - 3);
    const answers = await Promise.all(Array.from({ length: 10 }, () => one.ask()));
    expect(answers.filter(({ kind }) => kind === "answered")).toHaveLength(3);
    const refused = answers.filter((each) => each.kind === "failed");
    const leftSeconds = 86_400 - ((Date.now() / 1000) % 86_400);
    for (const { reason, retryAfterSeconds } of refused) {
      expect(reason).toBe("rate_limited");
      expect(Math.abs(retryAfterSeconds! - leftSeconds)).toBeLessThan(600);
    }
    expect(await usageOf()).toMatchObject([{ calls: MODEL_CALLS_A_DAY }]);
    ({ workspaceId } = await api.tenant());
    expect(kindOf(await one.ask())).toBe("done");
  });

  test("a store that forgets everything gives none back", async () => {
    await atCount(MODEL_CALLS_A_DAY);
    api.redis.flush();
    expect(kindOf(await isolate().ask())).toBe("rate_limited");
    expect(composer.asked()).toEqual([]);
  });

  test("retries count", async () => {
    await atCount(MODEL_CALLS_A_DAY - 1);
    composer.faults.order("500", 1);
    expect(kindOf(await eager().ask())).toBe("rate_limited");
    expect(composer.asked()).toHaveLength(1);
  });

  test("the next date has its own", async () => {
    await atCount(MODEL_CALLS_A_DAY);
    api.advance(86_400);
    expect(kindOf(await isolate().ask())).toBe("done");
  });
});

describe("the status page", () => {
  const component = async (deps = api.deps) => (await checkStatus(deps)).components["model"]!;

  test("says that there is no model, that all is well, and what is not", async () => {
    expect(await component({ ...api.deps, model: null })).toMatchObject({
      status: "not_configured",
    });
    expect(await component()).toEqual({ status: "healthy", latency_ms: 0 });
    const one = isolate();
    composer.faults.order("unauthorized", 1);
    await one.ask();
    expect(await component()).toMatchObject({
      status: "degraded",
      detail: "the last call failed (refused: status 401 invalid_request_error invalid_api_key)",
    });
    await one.ask();
    expect((await component()).status).toBe("healthy");
    composer.faults.order("html", 5);
    for (let count = 0; count < 5; count++) await one.ask();
    expect((await component()).detail).toMatch(
      /^it is left alone until 20.*; the last call failed \(unreadable/,
    );
    api.advance(31);
    expect((await component()).detail).toMatch(/^it failed, and the next call tries it/);
    await one.ask();
    expect((await component()).status).toBe("healthy");
  });

  test("asks nothing that has to be paid", async () => {
    const before = composer.log.entries().length;
    expect((await api.request("/api/v1/status")).status).toBeLessThan(504);
    expect(composer.log.entries()).toHaveLength(before);
  });
});
