import { createHmac } from "node:crypto";
import { existsSync } from "node:fs";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import * as path from "node:path";

export interface Received {
  headers: IncomingHttpHeaders;
  text: string;
  body: {
    id: string;
    type: string;
    timestamp: string;
    actor: object;
    data: Record<string, unknown>;
  };
}

type Respond = (message: Received, response: ServerResponse) => unknown;

/** A receiver of events on this machine; it answers 204 unless it is told otherwise. */
export async function startReceiver() {
  const received: Received[] = [];
  let respond: Respond = (_, response) => response.writeHead(204).end();
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const text = Buffer.concat(parts).toString("utf8");
    const message = { headers: request.headers, text, body: JSON.parse(text) };
    received.push(message);
    await respond(message, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/events`,
    received,
    answer: (next: Respond) => {
      respond = next;
    },
    /** Always this status. */
    status: (status: number, headers: Record<string, string> = {}) => {
      respond = (_, response) => response.writeHead(status, headers).end("so be it");
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

interface Judge {
  new (secret: string): { verify(text: string, headers: Record<string, string>): unknown };
}
const OFFICIAL = path.resolve(import.meta.dirname, "../sdk/node_modules/standardwebhooks");
/** The official library, where `npm run sdk:tools` has installed it. */
const official = existsSync(OFFICIAL)
  ? ((await import(path.join(OFFICIAL, "dist/index.js"))) as { Webhook: Judge }).Webhook
  : null;
if (official === null) console.log("standardwebhooks: not run (npm run sdk:tools)");

/**
 * Whether the message is signed with the secret, by Standard Webhooks 1.0.0: judged by what the standard says, and by the
 * official library where it is installed; within five minutes, by the clock of the tests.
 */
export function isSigned({ headers, text }: Received, secret: string): boolean {
  const [id, timestamp, signatures] = ["id", "timestamp", "signature"].map((name) =>
    String(headers[`webhook-${name}`]),
  ) as [string, string, string];
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const expected = createHmac("sha256", key).update(`${id}.${timestamp}.${text}`).digest("base64");
  const isGood = signatures.split(" ").includes(`v1,${expected}`);
  if (
    official !== null &&
    verdictOf(official, secret, text, { id, timestamp, signatures }) !== isGood
  )
    throw new Error("The official library judges this signature otherwise.");
  return isGood;
}

function verdictOf(
  Official: Judge,
  secret: string,
  text: string,
  { id, timestamp, signatures }: Record<"id" | "timestamp" | "signatures", string>,
): boolean {
  try {
    new Official(secret).verify(text, {
      "webhook-id": id,
      "webhook-timestamp": timestamp,
      "webhook-signature": signatures,
    });
    return true;
  } catch {
    return false;
  }
}
