import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { z } from "zod";
import { ClockStuck, type StackClock } from "./clock.ts";
import type { Part } from "./part.ts";
import { warpOffsetMs } from "./warp.ts";
import { WorkerUnavailable } from "./worker-link.ts";

export interface Control {
  /** Ends in /_control. */
  url: string;
  close(): Promise<void>;
}

export interface ControlOptions {
  /** 0, the default, lets the system choose. */
  port?: number;
  clock: StackClock;
  /** Asked at each request, because parts come one after the other. */
  parts(): Part[];
}

const BASE = "/_control";
const BODY_LIMIT = 64 * 1024;
/** Ten years; also keeps every instant within what Date can hold. */
const LONGEST_MOVE_SECONDS = 315_576_000;

const clockBody = z.union([
  z.strictObject({ advance_seconds: z.number().min(0).max(LONGEST_MOVE_SECONDS) }),
  z.strictObject({ now: z.iso.datetime({ offset: true }) }),
]);
const faultBody = z.strictObject({
  part: z.string(),
  fault: z.string(),
  times: z.number().int().min(1).max(1_000_000).default(1),
});
const clearBody = z.strictObject({ part: z.string().optional() });

/** An answer other than 200. */
class Refusal extends Error {
  readonly status: number;
  constructor(status: number, detail: string) {
    super(detail);
    this.status = status;
  }
}

interface Asked {
  query: URLSearchParams;
  /** Parses the body by a schema; 400 or 422 when it does not fit. */
  body<Output>(schema: z.ZodType<Output>): Output;
}

/** The stack's own API: its clock, the faults of its parts, and what they were called with. */
export async function startControl(options: ControlOptions): Promise<Control> {
  const { clock } = options;

  function findPart(name: string): Part {
    const part = options.parts().find((each) => each.name === name);
    if (part) return part;
    const names = options.parts().map((each) => each.name);
    throw new Refusal(404, `there is no part "${name}"; there are: ${names.join(", ")}`);
  }

  const readClock = () => ({
    now: new Date().toISOString(),
    offset_seconds: warpOffsetMs() / 1000,
    moving: clock.isMoving(),
  });

  async function moveClock({ body }: Asked) {
    const wanted = body(clockBody);
    const target = "now" in wanted ? new Date(wanted.now) : null;
    if (target && target.getTime() < Date.now()) {
      throw new Refusal(422, `the clock only moves forward; it is ${new Date().toISOString()}`);
    }
    const move = target
      ? await clock.moveTo(target)
      : await clock.advance((wanted as { advance_seconds: number }).advance_seconds * 1000);
    return { from: move.from.toISOString(), hops: move.hops, ...readClock() };
  }

  function orderFault({ body }: Asked) {
    const { part: name, fault, times } = body(faultBody);
    const part = findPart(name);
    if (!Object.hasOwn(part.faults.known, fault)) {
      const known = Object.keys(part.faults.known);
      throw new Refusal(422, `${name} knows no fault "${fault}"; it knows: ${known.join(", ")}`);
    }
    part.faults.order(fault, times);
    return { part: name, pending: part.faults.pending() };
  }

  function clearFaults({ body, query }: Asked) {
    const name = body(clearBody).part ?? query.get("part");
    const cleared = name ? [findPart(name)] : options.parts();
    for (const part of cleared) part.faults.clear();
    return { cleared: cleared.map((part) => part.name) };
  }

  const listFaults = () =>
    options
      .parts()
      .map(({ name, faults }) => ({ part: name, known: faults.known, pending: faults.pending() }));

  function readLog({ query }: Asked) {
    const name = query.get("part");
    const parts = name === null ? options.parts() : [findPart(name)];
    return parts
      .flatMap((part) => part.log.entries().map((call) => ({ part: part.name, ...call })))
      .sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
  }

  const describeStack = () => ({
    clock: readClock(),
    parts: options.parts().map(({ name, url, faults }) => ({ name, url, faults: faults.known })),
    operations: Object.keys(operations),
  });

  const operations: Record<string, (asked: Asked) => unknown> = {
    "GET /": describeStack,
    "GET /clock": readClock,
    "POST /clock": moveClock,
    "GET /faults": listFaults,
    "POST /faults": orderFault,
    "DELETE /faults": clearFaults,
    "GET /log": readLog,
  };

  async function answer(request: IncomingMessage): Promise<unknown> {
    const url = URL.parse(`http://${request.headers.host ?? ""}${request.url ?? "/"}`);
    if (url === null || !["127.0.0.1", "localhost", "[::1]"].includes(url.hostname)) {
      throw new Refusal(421, "the control API answers on loopback names only");
    }
    if (request.headers.origin !== undefined && request.headers.origin !== url.origin) {
      throw new Refusal(403, "the control API is not for web pages");
    }
    const path = url.pathname.startsWith(BASE)
      ? url.pathname.slice(BASE.length).replace(/(.)\/$/, "$1") || "/"
      : null;
    const methods = Object.keys(operations).filter((each) => each.split(" ")[1] === path);
    if (methods.length === 0) throw new Refusal(404, `nothing at ${url.pathname}; see ${BASE}/`);
    const operation = operations[`${request.method} ${path}`];
    if (!operation) throw new Refusal(405, `possible here: ${methods.join(", ")}`);
    const text = await readBody(request);
    return operation({ query: url.searchParams, body: (schema) => parseBody(text, schema) });
  }

  const server = createServer((request, response) => {
    answer(request).then(
      (value) => send(response, 200, value),
      (error: unknown) => send(response, statusOf(error), { detail: (error as Error).message }),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port ?? 0, "127.0.0.1", resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${BASE}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function statusOf(error: unknown): number {
  if (error instanceof Refusal) return error.status;
  if (error instanceof ClockStuck) return 504;
  if (error instanceof WorkerUnavailable) return 503;
  return 500;
}

function send(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { "content-type": "application/json", "cache-control": "no-store" });
  response.end(`${JSON.stringify(value)}\n`);
}

function parseBody<Output>(text: string, schema: z.ZodType<Output>): Output {
  let value: unknown;
  try {
    value = text.trim() === "" ? {} : JSON.parse(text);
  } catch {
    throw new Refusal(400, "the body is not JSON");
  }
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw new Refusal(422, z.prettifyError(parsed.error));
  return parsed.data;
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > BODY_LIMIT) throw new Refusal(413, "the body is too large");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
