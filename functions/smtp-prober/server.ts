import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { MailProbe } from "#src/providers/probe/index.ts";
import { MAX_PLAN_BYTES, planSchema, PROBE_PATH } from "#src/providers/probe/prober-wire.ts";
import type { Admission } from "./admission.ts";
import { readJson } from "#src/platform/json.ts";

export interface ProberOptions {
  probe: MailProbe;
  admission: Admission;
  concurrency: number;
  log: (line: string) => void;
}

/** Milliseconds in which a request must have arrived whole. */
const REQUEST_MS = 5_000;

/** POST /probe: a signed plan in, its transcript out. GET /health. Everything else is 404. */
export function createProberServer(options: ProberOptions): Server {
  let running = 0;
  const server = createServer((request, response) => {
    void handle(request, response).catch((error: unknown) => {
      options.log(`request failed: ${error instanceof Error ? error.message : String(error)}`);
      answer(response, 500, { error: "internal" });
    });
  });
  server.requestTimeout = REQUEST_MS;
  server.headersTimeout = REQUEST_MS;

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === "GET" && request.url === "/health")
      return answer(response, 200, { status: "ok", running });
    if (request.method !== "POST" || request.url !== PROBE_PATH)
      return answer(response, 404, { error: "not found" });
    const body = await readBody(request);
    if (body === null) return answer(response, 413, { error: "too long" });
    const refused = await options.admission.refuse(request.headers, body);
    if (refused !== null) return answer(response, refused, { error: "not taken" });
    const plan = planSchema.safeParse(readJson(body));
    if (!plan.success) return answer(response, 422, { error: "not a plan" });
    if (running >= options.concurrency) {
      response.setHeader("retry-after", "1");
      return answer(response, 503, { error: "busy" });
    }
    running++;
    try {
      const left = new AbortController();
      response.once("close", () => left.abort());
      const { connections, closed } = await options.probe.probe(plan.data, left.signal);
      answer(response, 200, { connections });
      await closed;
    } finally {
      running--;
    }
  }
  return server;
}

function answer(response: ServerResponse, status: number, body: unknown): void {
  if (response.headersSent || response.destroyed) return;
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

/** Null when it is longer than any plan. */
async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_PLAN_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
