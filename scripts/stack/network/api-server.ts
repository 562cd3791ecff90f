import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { perform } from "./api.ts";
import type { State } from "./books.ts";
import { NetworkRefusal, refusalAnswer } from "./errors.ts";
import type { Answer } from "./operation.ts";
import { heldBack } from "../held-back.ts";

const BODY_LIMIT = 30 * 1024 * 1024;
/** How long a slow answer is held if the caller waits that long, in real time. */
const RETRY_AFTER_SECONDS = 60;
const PAGE = "<!doctype html><title>Welcome</title><h1>It works!</h1>";

/** The API over HTTP, with the faults that lie between a request and its answer. */
export function serveApi(state: State, apiKey: string) {
  const { faults, log } = state;
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = "GET", url = "/" } = request;
    const [path = "", query = ""] = url.split("?", 2);
    const said = `${method} ${path.slice(0, 200)}`;
    if (faults.take("down")) {
      log.add(`${said} -> cut by an ordered fault`);
      return void request.socket.destroy();
    }
    const body = await readBody(request);
    if (body !== null && faults.take("lying")) return lie(response, "text/html", PAGE);
    if (body !== null && faults.take("nonsense"))
      return lie(response, "application/json", '{"a":[1]}');
    const asked = { method, path, query: new URLSearchParams(query), headers: request.headers };
    const answer = await answerTo(path, async () => {
      if (body === null) throw new NetworkRefusal("content_too_large", "The body is too large.");
      return perform(state, apiKey, { ...asked, body });
    });
    log.add(`${said} -> ${answer.status}`, summaryOf(answer));
    if (answer.delayMs !== undefined) await delay(answer.delayMs);
    if (faults.take("slow")) await heldBack(response);
    if (answer.status < 300 && isAct(asked) && faults.take("lost_answer")) {
      log.add(`${said}: the answer was lost by an ordered fault`);
      return void request.socket.destroy();
    }
    write(response, answer);
  };
}

/** Whether something is done; a look at a profile is, if its owner is told. */
const isAct = ({ method, query }: { method: string; query: URLSearchParams }) =>
  method !== "GET" || query.get("notify") === "true";

async function answerTo(instance: string, work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof NetworkRefusal) return refusalAnswer(error, instance);
    throw error;
  }
}

/** What the log keeps of an answer: ids and types, never what a request carried. */
function summaryOf({ body }: Answer): object {
  const { object, type, account_id: account } = body as Record<string, unknown>;
  return { ...(object === undefined ? { type } : { object }), ...(account ? { account } : {}) };
}

function lie(response: ServerResponse, type: string, body: string): void {
  response.writeHead(200, { "content-type": type }).end(body);
}

function write(response: ServerResponse, { status, body }: Answer): void {
  if (response.destroyed) return;
  const text = JSON.stringify(body);
  response.writeHead(status, {
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(text),
    ...(status === 429 ? { "retry-after": String(RETRY_AFTER_SECONDS) } : {}),
  });
  response.end(text);
}

async function readBody(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    // What is too much is read and dropped, so that the caller hears why.
    if (size <= BODY_LIMIT) chunks.push(chunk);
  }
  return size <= BODY_LIMIT ? Buffer.concat(chunks) : null;
}
