import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type ChatModelSettings, createChatModel } from "#src/providers/model/chat-completions.ts";
import type { ChatRequest } from "#src/providers/model/index.ts";
import { type ModelPart, startModel } from "../../../../scripts/stack/model/model.ts";
import { apiError, completion, type Endpoint, startEndpoint } from "./endpoint.ts";

let endpoint: Endpoint;
let composer: ModelPart;
beforeAll(async () => {
  endpoint = await startEndpoint();
  composer = await startModel();
});
afterAll(async () => {
  await endpoint.close();
  await composer.close();
});
beforeEach(() => {
  composer.faults.clear();
  composer.log.clear();
});

const REQUEST: ChatRequest = {
  messages: [
    { role: "system", content: "Write a letter." },
    { role: "user", content: "To Anna." },
  ],
  schema: {
    name: "letter",
    schema: {
      type: "object",
      properties: { subject: { type: "string" }, body: { type: "string" } },
      required: ["subject", "body"],
      additionalProperties: false,
    },
  },
  temperature: 0.7,
  maxTokens: 300,
};
const NOW = new Date("2026-11-20T10:00:00Z");
const clock = { now: () => NOW };

const modelAt = (more: Partial<ChatModelSettings> = {}) =>
  createChatModel(
    {
      baseUrl: endpoint.baseUrl,
      name: "model-7",
      key: "secret-key",
      jsonMode: "json_schema",
      tokensField: "max_tokens",
      parameters: { temperature: 0.7, maxTokens: 300 },
      prices: null,
      ...more,
    },
    fetch,
    clock,
  );
const composerNamed = (name: string) =>
  modelAt({ baseUrl: composer.env["MODEL_BASE_URL"]!, key: composer.env["MODEL_API_KEY"]!, name });
const soon = () => AbortSignal.timeout(10_000);
const ask = (more: Partial<ChatModelSettings> = {}, request = REQUEST, signal = soon()) =>
  modelAt(more).complete(request, signal);

describe("the request", () => {
  test("has the model, the messages, the bounds and a strict schema, and the key in its header alone", async () => {
    endpoint.will(completion("{}"));
    await ask();
    expect(endpoint.asked).toEqual([
      {
        model: "model-7",
        messages: REQUEST.messages,
        temperature: 0.7,
        max_tokens: 300,
        response_format: {
          type: "json_schema",
          json_schema: { name: "letter", strict: true, schema: REQUEST.schema.schema },
        },
      },
    ]);
    expect(endpoint.headers[0]!.authorization).toBe("Bearer secret-key");
  });

  test("calls the bound of tokens as the endpoint wants it, and leaves out what it does not take", async () => {
    endpoint.will(completion("{}"));
    await ask(
      { tokensField: "max_completion_tokens", key: null },
      { ...REQUEST, temperature: null },
    );
    expect(endpoint.asked[0]).toMatchObject({ max_completion_tokens: 300 });
    expect(Object.keys(endpoint.asked[0])).not.toContain("max_tokens");
    expect(Object.keys(endpoint.asked[0])).not.toContain("temperature");
    expect(endpoint.headers[0]!.authorization).toBeUndefined();
  });

  test("tells the schema in words where the wire does not carry it, after the instructions", async () => {
    endpoint.will(completion("{}"));
    await ask({ jsonMode: "json_object" });
    const [system, user] = endpoint.asked[0].messages;
    expect(system.content).toContain("Write a letter.\n\nAnswer with one JSON object");
    expect(system.content).toContain(JSON.stringify(REQUEST.schema.schema));
    expect(user).toEqual(REQUEST.messages[1]);
    expect(endpoint.asked[0].response_format).toEqual({ type: "json_object" });
  });
});

describe("the answer", () => {
  test("is the text, who wrote it, and what it cost by the prices of the configuration", async () => {
    const usage = {
      prompt_tokens: 1000,
      completion_tokens: 200,
      prompt_tokens_details: { cached_tokens: 400 },
    };
    endpoint.will(completion('{"subject":"Hi"}', { usage }));
    expect(await ask({ prices: { input: 2, cached: 0.5, output: 8 } })).toEqual({
      kind: "answered",
      text: '{"subject":"Hi"}',
      ended: "done",
      model: "vendor/model-7",
      usage: { promptTokens: 1000, completionTokens: 200, cachedTokens: 400, costMicros: 3000 },
    });
  });

  test.each([
    ["finish_reason length", completion("{", { choice: { finish_reason: "length" } }), "truncated"],
    [
      "finish_reason content_filter",
      completion("", { choice: { finish_reason: "content_filter" } }),
      "refused",
    ],
    ["a refusal", completion(null, { message: { refusal: "I cannot." } }), "refused"],
    ["finish_reason null", completion("{}", { choice: { finish_reason: null } }), "done"],
    ["Azure's filter, a 400", apiError(400, { code: "content_filter", message: "no" }), "refused"],
  ])("%s ends it as %s", async (_, said, ended) => {
    endpoint.will(said);
    expect(await ask()).toMatchObject({ kind: "answered", ended });
    expect(endpoint.asked).toHaveLength(1);
  });

  test("content in parts is one text, and null is none", async () => {
    endpoint.will(
      completion([
        { type: "text", text: "one " },
        { type: "reasoning", text: "hm" },
        { type: "text", text: "two" },
      ]),
    );
    expect(await ask()).toMatchObject({ text: "one two" });
    endpoint.will(completion(null));
    expect(await ask()).toMatchObject({ kind: "answered", text: "" });
  });

  test.each([
    ["no usage", undefined],
    ["usage of nonsense", { prompt_tokens: -5, completion_tokens: "many" }],
    ["usage beyond reason", { prompt_tokens: 1e300, completion_tokens: 1 }],
  ])("%s costs the count, not the text", async (_, usage) => {
    endpoint.will(completion("{}", { usage, model: 7 }));
    expect(await ask({ prices: { input: 1, cached: 1, output: 1 } })).toMatchObject({
      text: "{}",
      model: "model-7",
      usage: { promptTokens: 0, completionTokens: 0, cachedTokens: 0, costMicros: null },
    });
  });

  test("more cached tokens than there were are no discount", async () => {
    const usage = {
      prompt_tokens: 10,
      completion_tokens: 0,
      prompt_tokens_details: { cached_tokens: 99 },
    };
    endpoint.will(completion("{}", { usage }));
    expect(await ask({ prices: { input: 2, cached: 1, output: 0 } })).toMatchObject({
      usage: { cachedTokens: 10, costMicros: 10 },
    });
  });
});

describe("a form that the endpoint refuses", () => {
  const refused = apiError(400, { message: "unknown field", param: "response_format" });

  test("is asked in the next one, which this isolate remembers", async () => {
    endpoint.will(refused, refused, completion("{}"));
    const model = modelAt();
    expect(await model.complete(REQUEST, soon())).toMatchObject({ kind: "answered" });
    expect(endpoint.asked.map(({ response_format: format }) => format?.type)).toEqual([
      "json_schema",
      "json_object",
      undefined,
    ]);
    endpoint.will(completion("{}"));
    await model.complete(REQUEST, soon());
    expect(endpoint.asked.map(({ response_format: format }) => format?.type)).toEqual([undefined]);
  });

  test("every form refused: the first refusal is told, and the next call begins at the top again", async () => {
    endpoint.will(apiError(400, { type: "context_length" }), apiError(422, { type: "other" }));
    const model = modelAt();
    expect(await model.complete(REQUEST, soon())).toEqual({
      kind: "failed",
      reason: "refused",
      detail: "status 400 context_length",
    });
    expect(endpoint.asked).toHaveLength(3);
    endpoint.will(completion("{}"));
    await model.complete(REQUEST, soon());
    expect(endpoint.asked[0].response_format.type).toBe("json_schema");
  });

  test("a form that was refused is not remembered for an outage after it", async () => {
    endpoint.will(refused, apiError(503, {}));
    const model = modelAt();
    expect(await model.complete(REQUEST, soon())).toMatchObject({ reason: "unavailable" });
    endpoint.will(completion("{}"));
    await model.complete(REQUEST, soon());
    expect(endpoint.asked[0].response_format.type).toBe("json_schema");
  });

  test("the composer's refusals of a form are read the same way", async () => {
    for (const name of ["local-composer-1:no-json-schema", "local-composer-1:no-json"]) {
      const answer = await composerNamed(name).complete(REQUEST, soon());
      expect(JSON.parse(answer.kind === "answered" ? answer.text : "")).toHaveProperty("body");
    }
    expect(composer.asked()).toHaveLength(5);
  });
});

describe("failures", () => {
  test.each([
    [400, {}, "refused"],
    [401, { code: "invalid_api_key" }, "refused"],
    [402, {}, "refused"],
    [403, {}, "refused"],
    [404, { code: "model_not_found" }, "refused"],
    [413, {}, "refused"],
    [429, { code: "rate_limit_exceeded" }, "rate_limited"],
    [429, { code: "insufficient_quota" }, "refused"],
    [408, {}, "timeout"],
    [504, {}, "timeout"],
    [524, {}, "timeout"],
    [500, {}, "unavailable"],
    [503, {}, "unavailable"],
    [529, { type: "overloaded_error" }, "unavailable"],
    [204, {}, "refused"],
  ])("status %i %o is %s", async (status, error, reason) => {
    endpoint.will((response) => {
      response.writeHead(status, { "content-type": "application/json" });
      response.end(status === 204 ? undefined : JSON.stringify({ error }));
    });
    expect(await ask()).toMatchObject({ kind: "failed", reason });
  });

  test.each([
    ["7", 7],
    ["0", 0],
    ["Fri, 20 Nov 2026 10:00:42 GMT", 42],
    ["Fri, 20 Nov 2026 09:00:00 GMT", 0],
    ["999999999", 86_400],
    ["Fri, 20 Nov 9999 10:00:42 GMT", 86_400],
    ["1.5", undefined],
    ["soon", undefined],
    ["-3", undefined],
    ["2027", 2027],
    ["", undefined],
  ])("Retry-After %j is %s s", async (value, seconds) => {
    for (const status of [429, 503]) {
      endpoint.will(apiError(status, {}, { "retry-after": value }));
      const answer = await ask();
      expect(answer.kind === "failed" && answer.retryAfterSeconds).toBe(seconds);
    }
  });

  test("what the endpoint says of the prompt is not told on: identifiers only", async () => {
    const error = {
      message: "invalid input: Dear Anna Lind, anna@corp.zz",
      type: "invalid_request_error",
      code: "Dear Anna Lind",
      param: "messages.0.content",
    };
    endpoint.will(apiError(404, error));
    expect(await ask()).toMatchObject({
      detail: "status 404 invalid_request_error messages.0.content",
    });
    endpoint.will(completion({ secret: "anna@corp.zz" }));
    expect(await ask()).toMatchObject({
      reason: "unreadable",
      detail: "no chat completion: choices.0.message.content",
    });
  });

  test("a gateway's error under status 200 is what it says it is", async () => {
    endpoint.will({ body: { error: { code: 429, message: "slow down" } } });
    expect(await ask()).toMatchObject({ reason: "rate_limited" });
    endpoint.will({ body: { error: { code: "server_error", message: "oh" } } });
    expect(await ask()).toMatchObject({ reason: "unavailable" });
    endpoint.will(completion("half a", { choice: { finish_reason: "error" } }));
    expect(await ask()).toMatchObject({ reason: "unavailable" });
  });

  test.each([
    ["prose", { body: "I am fine, thank you." }],
    ["a page", { headers: { "content-type": "text/html" }, body: "<html>Sign in</html>" }],
    ["nothing", { body: "" }],
    ["JSON that breaks off", { body: '{"choices":[{"mess' }],
    ["a list", { body: "[1,2,3]" }],
    ["null", { body: "null" }],
    ["another API's answer", { body: { output: [{ type: "message" }] } }],
    ["no choices", { body: { choices: [] } }],
    ["a choice without a message", { body: { choices: [{ text: "old" }] } }],
    ["nesting without end", { body: "[".repeat(100_000) }],
    ["content that is a number", completion(7)],
  ])("%s is unreadable", async (_, said) => {
    endpoint.will(said);
    expect(await ask()).toMatchObject({ kind: "failed", reason: "unreadable" });
  });

  test("an answer of 100 MB is left after one of them", async () => {
    composer.faults.order("huge", 1);
    const answer = await composerNamed("local-composer-1").complete(REQUEST, soon());
    expect(answer).toEqual({
      kind: "failed",
      reason: "unreadable",
      detail: "the answer is too long",
    });
  });

  test("a redirect is not followed: the key goes nowhere else", async () => {
    const thief = await startEndpoint();
    thief.will(completion("{}"));
    for (const status of [301, 302, 307, 308]) {
      endpoint.will({
        status,
        headers: { location: `${thief.baseUrl}/chat/completions` },
        body: "",
      });
      expect(await ask()).toMatchObject({ reason: "refused", detail: `status ${status}` });
    }
    expect(thief.asked).toEqual([]);
    await thief.close();
  });

  test("a line that breaks is unavailable, before the answer and within it", async () => {
    endpoint.will((response) => response.destroy());
    expect(await ask()).toMatchObject({ reason: "unavailable" });
    composer.faults.order("lost-answer", 1);
    const answer = await composerNamed("local-composer-1").complete(REQUEST, soon());
    expect(answer).toMatchObject({ reason: "unavailable" });
    const { baseUrl, close } = await startEndpoint();
    await close();
    expect(await ask({ baseUrl })).toMatchObject({ reason: "unavailable" });
  });

  test("the caller's signal ends a call that is not answered, one that drips, and one that never begins", async () => {
    for (const say of [
      () => {},
      (response: { write(text: string): void }) => response.write('{"choices":'),
    ]) {
      const stop = new AbortController();
      endpoint.will((response) => {
        say(response);
        setImmediate(() => stop.abort());
      });
      expect(await ask({}, REQUEST, stop.signal)).toMatchObject({ reason: "timeout" });
    }
    endpoint.will(completion("{}"));
    expect(await ask({}, REQUEST, AbortSignal.abort())).toMatchObject({ reason: "timeout" });
    expect(endpoint.asked).toEqual([]);
  });
});

test("what the composer writes is read as it is: truncated, refused, done, and by whom", async () => {
  const ends = { truncated: "truncated", refusal: "refused", prose: "done", badjson: "done" };
  for (const [fault, ended] of Object.entries(ends))
    expect(
      await composerNamed(`local-composer-1:${fault}`).complete(REQUEST, soon()),
    ).toMatchObject({
      kind: "answered",
      ended,
      model: "local-composer-1",
    });
  expect(await composerNamed("local-composer-2").complete(REQUEST, soon())).toMatchObject({
    reason: "refused",
    detail: "status 404 invalid_request_error model_not_found",
  });
  expect(await composerNamed("local-composer-1:429").complete(REQUEST, soon())).toMatchObject({
    reason: "rate_limited",
    retryAfterSeconds: 20,
  });
});
