import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { createCallLog, createFaults, type Part } from "./part.ts";
import { execute, findCommand } from "./redis/commands.ts";
import { refuseWrites } from "./redis/read-only.ts";
import { createKeyspace, type Keyspace } from "./redis/keyspace.ts";
import { RedisError } from "./redis/reply.ts";
import {
  batchReply,
  errorReply,
  type Outcome,
  type RestReply,
  singleReply,
} from "./redis/rest-reply.ts";
import {
  parseCommands,
  parseJson,
  pathWords,
  readBody,
  readFormat,
  Refusal,
  splitOnce,
  toWords,
} from "./redis/rest-request.ts";

export interface Upstash extends Part {
  token: string;
  /** The database's second token, which may read and not write. */
  readOnlyToken: string;
  /** Drops every key. */
  flush(): void;
}

const FAULTS = {
  unavailable: "the next request is answered 503",
  hang: "the next request is never answered; the client has to give up",
  slow: "the next request is carried out, and answered after 3 s; the client has given up by then",
  forget: "drops all keys just before the next request is served",
  lie: "each number in the answer to the next request is 1",
  garbage: "the next request is carried out, and answered 200 with what is no reply to it",
};

const SLOW_MS = 3_000;

/**
 * Serves Upstash's Redis REST API from memory (https://upstash.com/docs/redis/features/restapi):
 * command in the body or in the path, /pipeline, /multi-exec. Expiries follow `Date`.
 */
export async function startUpstash(options: { port?: number; token: string }): Promise<Upstash> {
  const keys = createKeyspace();
  const faults = createFaults(FAULTS);
  const log = createCallLog();
  const tokens = { token: options.token, readOnlyToken: `${options.token}-read-only` };
  let requests = 0;

  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await readBody(request);
    if (faults.take("hang")) return;
    if (faults.take("forget")) keys.clear();
    let reply: RestReply;
    try {
      if (faults.take("unavailable")) throw new Refusal(503, "ERR service unavailable");
      reply = answer(keys, tokens, log.add, request, body);
    } catch (error) {
      if (!(error instanceof RedisError || error instanceof Refusal)) throw error;
      reply = errorReply(error);
    }
    if (faults.take("lie"))
      reply.body = Buffer.from(reply.body.toString().replaceAll(/"result":\d+/g, '"result":1'));
    if (faults.take("garbage")) reply.body = Buffer.from('[{"result":"soon"},{"result":null}]');
    if (faults.take("slow")) await delay(SLOW_MS);
    response.writeHead(reply.status, {
      "content-type": reply.contentType,
      "content-length": reply.body.length,
      "upstash-sync-token": String(++requests),
    });
    response.end(reply.body);
  };

  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      log.add(`failed: ${String(error)}`);
      response.destroy();
    });
  });
  server.keepAliveTimeout = 120_000;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(options.port ?? 0, "127.0.0.1", resolve);
  });
  return {
    name: "upstash",
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...tokens,
    faults,
    log,
    flush: () => keys.clear(),
    close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      return closed;
    },
  };
}

type Log = (summary: string) => void;
/** Throws RedisError for a command that the token may not run. */
type Admit = (words: string[]) => void;

function answer(
  keys: Keyspace,
  { token, readOnlyToken }: Pick<Upstash, "token" | "readOnlyToken">,
  log: Log,
  request: IncomingMessage,
  body: Buffer,
) {
  const [path = "/", query = ""] = splitOnce(request.url ?? "/", "?");
  if (!["GET", "HEAD", "POST", "PUT"].includes(request.method ?? "")) {
    throw new Refusal(405, "ERR method not allowed");
  }
  const given = /^Bearer (.*)$/i.exec(request.headers.authorization ?? "")?.[1];
  const shown = given ?? new URLSearchParams(query).get("_token");
  if (shown !== token && shown !== readOnlyToken)
    throw new Refusal(401, "WRONGPASS invalid or missing auth token");
  const admit = shown === token ? () => {} : refuseWrites;
  const format = readFormat(request);
  keys.now = Date.now();
  switch (path) {
    case "/pipeline":
      return batchReply(
        parseCommands(body).map((words) => run(keys, log, admit, words)),
        format,
      );
    case "/multi-exec":
      return batchReply(
        transaction(keys, log, admit, parseCommands(body)),
        format === "resp2" ? "json" : format,
      );
    default: {
      const words = path === "/" ? toWords(parseJson(body)) : pathWords(path, query, body);
      log(summarise(words));
      admit(words);
      return singleReply(execute(keys, words), format);
    }
  }
}

function run(keys: Keyspace, log: Log, admit: Admit, words: string[]): Outcome {
  log(summarise(words));
  try {
    admit(words);
    return { result: execute(keys, words) };
  } catch (error) {
    if (error instanceof RedisError) return { error: error.message };
    throw error;
  }
}

/** All commands at one instant; one that Redis could not even queue discards the whole. */
function transaction(keys: Keyspace, log: Log, admit: Admit, commands: string[][]): Outcome[] {
  for (const words of commands) {
    try {
      findCommand(words);
    } catch (error) {
      const cause = (error as Error).message;
      throw new RedisError(`EXECABORT Transaction discarded because of: ${cause}`);
    }
  }
  return commands.map((words) => run(keys, log, admit, words));
}

const summarise = ([name = "", key = ""]: string[]) => `${name.toUpperCase()} ${key}`.trim();
