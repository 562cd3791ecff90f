import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createCallLog, createFaults, type Part } from "../part.ts";
import { sleepUntilWarped } from "../warp.ts";
import { happensTo, sha256 } from "./choose.ts";
import { COMPOSER, faultsInName } from "./complete.ts";
import { CALL_FAULTS, WRITING_FAULTS } from "./faults.ts";
import { type ChatBody, readBody, Refusal } from "./request.ts";
import { respond, send } from "./respond.ts";
import { createTraffic, type Load } from "./traffic.ts";

export interface ModelPart extends Part {
  /** What a Worker needs to ask it. */
  env: Record<string, string>;
  /** The newest requests that were understood, oldest first. */
  asked(): ChatBody[];
  /** The most calls, and the most calls with one and the same request, that were under way at once since the log was cleared. */
  peak(): Load;
}

const KEY = "model-key";
const BODY_LIMIT = 2 * 1024 * 1024;
const ASKED_KEPT = 200;
const SLOW_MS = 20_000;
const BRIEF_MS = 300;
const MINUTE_MS = 60_000;
const FAILING_SHARE = 0.05;

/** What only the control API orders. */
const ORDERED_FAULTS = {
  "429-minute":
    "from the next call on, a minute of the stack's clock of 429, with what is left of it as Retry-After",
  unreliable: "5 % of the next calls, by hash, are answered 500",
  down: "the connection is closed without an answer",
  "lost-answer": "an answer breaks off in the middle",
  html: "a call is answered 200 with a web page",
  "wrong-json": "a call is answered 200 with JSON of another shape",
  huge: "a call is answered with 100 MB",
  redirect: "a call is redirected to another host",
  unauthorized: "a call is answered 401",
};
const KNOWN = { ...CALL_FAULTS, ...WRITING_FAULTS, ...ORDERED_FAULTS };
const IN_NAMES: ReadonlySet<string> = new Set([
  ...Object.keys(CALL_FAULTS),
  ...Object.keys(WRITING_FAULTS),
]);

/** An OpenAI-compatible endpoint with a composer behind it, which is no language model: docs/design/local-stack-model.md. */
export async function startModel({ port = 0 }: { port?: number } = {}): Promise<ModelPart> {
  const faults = createFaults(KNOWN);
  const calls = createCallLog();
  const asked: ChatBody[] = [];
  const seen = new Map<string, number>();
  const traffic = createTraffic();
  let limitedUntilMs = 0;
  let cleared = Promise.withResolvers<void>();

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? "/", "http://model");
    if (request.headers.authorization !== `Bearer ${KEY}` || faults.take("unauthorized"))
      throw new Refusal(401, "Incorrect API key provided.", { code: "invalid_api_key" });
    if (request.method === "GET" && pathname === "/v1/models") return send(response, 200, models());
    if (request.method !== "POST" || pathname !== "/v1/chat/completions")
      throw new Refusal(404, `Unknown request URL: ${request.method} ${pathname}.`, {
        code: "unknown_url",
      });
    const text = await readText(request);
    const hash = sha256(text);
    const leave = traffic.enter(hash);
    await answerChat(text, hash, response).finally(leave);
  }

  async function answerChat(text: string, hash: string, response: ServerResponse) {
    const body = readBody(text);
    const named = faultsInName(body.model, IN_NAMES);
    if (named === null)
      throw new Refusal(
        404,
        `The model '${body.model}' does not exist or you do not have access to it.`,
        {
          code: "model_not_found",
        },
      );
    asked.push(body);
    if (asked.length > ASKED_KEPT) asked.shift();
    const shown = new Set([...named, ...Object.keys(KNOWN).filter((each) => faults.take(each))]);
    const times = (seen.get(hash) ?? 0) + 1;
    seen.set(hash, times);
    calls.add(`${body.model}: ${body.messages.length} messages`, {
      sha256: hash,
      times,
      in_flight: traffic.now(hash).calls,
      same_in_flight: traffic.now(hash).same,
      faults: [...shown],
    });
    refuseWhereOrdered(body, shown, `${hash} ${times}`);
    if (shown.has("timeout")) return gone(response);
    const waitMs = shown.has("slow") ? SLOW_MS : shown.has("300ms") ? BRIEF_MS : 0;
    if (waitMs > 0)
      await Promise.race([
        sleepUntilWarped(new Date(Date.now() + waitMs)),
        cleared.promise,
        gone(response),
      ]);
    respond(response, body, shown);
  }

  function refuseWhereOrdered(
    { response_format: format }: ChatBody,
    shown: Set<string>,
    occasion: string,
  ): void {
    if (shown.has("429-minute")) limitedUntilMs = Math.max(limitedUntilMs, Date.now() + MINUTE_MS);
    const leftSeconds = Math.ceil((limitedUntilMs - Date.now()) / 1000);
    if (leftSeconds > 0) throw new Limited(leftSeconds);
    if (shown.has("429")) throw new Limited(20);
    if (shown.has("500") || (shown.has("unreliable") && happensTo(occasion, FAILING_SHARE)))
      throw new Refusal(500, "The server had an error while processing your request.");
    const isUnknown =
      (shown.has("no-json") && format != null) ||
      (shown.has("no-json-schema") && format?.type === "json_schema");
    if (isUnknown)
      throw new Refusal(
        400,
        `Invalid parameter: 'response_format' of type '${format!.type}' is not supported with this model.`,
        {
          param: "response_format",
        },
      );
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      if (error instanceof Refusal) {
        calls.add(`refused: ${error.status} ${error.message.slice(0, 200)}`);
        return send(
          response,
          error.status,
          error.body(),
          error instanceof Limited ? error.headers : {},
        );
      }
      calls.add(`failed: ${String(error)}`);
      response.destroy();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(port, "127.0.0.1", resolve);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    name: "model",
    url,
    env: {
      MODEL_BASE_URL: `${url}/v1`,
      MODEL_NAME: COMPOSER,
      MODEL_API_KEY: KEY,
    },
    faults: {
      ...faults,
      clear() {
        faults.clear();
        limitedUntilMs = 0;
        cleared.resolve();
        cleared = Promise.withResolvers();
      },
    },
    log: {
      ...calls,
      clear() {
        calls.clear();
        asked.length = 0;
        traffic.forgetPeak();
      },
    },
    asked: () => [...asked],
    peak: traffic.peak,
    close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      return closed;
    },
  };
}

class Limited extends Refusal {
  readonly headers: Record<string, string>;
  constructor(seconds: number) {
    super(429, "Rate limit reached for requests.", { code: "rate_limit_exceeded" });
    this.headers = { "retry-after": String(seconds) };
  }
}

const models = () => ({
  object: "list",
  data: ["", ...IN_NAMES].map((suffix) => ({
    id: suffix === "" ? COMPOSER : `${COMPOSER}:${suffix}`,
    object: "model",
    created: 1_764_547_200,
    owned_by: "local-stack",
  })),
});

const gone = (response: ServerResponse) =>
  new Promise<void>((resolve) => response.once("close", () => resolve()));

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > BODY_LIMIT) throw new Refusal(413, "The request is too large.");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
