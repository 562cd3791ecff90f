import { afterEach } from "vitest";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { ArrivedRequest } from "../../support/aws-verifier.ts";

/** A mail provider's HTTP API on loopback, that says what a test tells it to. */
export interface HttpProvider {
  url: string;
  port: number;
  /** What arrived, in order. */
  requests: ArrivedRequest[];
  close(): Promise<void>;
}

export type Answer = (
  response: ServerResponse,
  request: IncomingMessage,
  arrived: ArrivedRequest,
) => void;

/** Answers each request, once its body is in, as `answer` says. */
export async function startProvider(answer: Answer, port = 0): Promise<HttpProvider> {
  const requests: ArrivedRequest[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { method = "", url: target = "", headers } = request;
      const arrived = { method, target, headers, body: Buffer.concat(chunks) };
      requests.push(arrived);
      answer(response, request, arrived);
    });
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const { port: bound } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${bound}`,
    port: bound,
    requests,
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

const opened: HttpProvider[] = [];

/** One that is closed after the test, where the file says `useProviders`. */
export async function openProvider(answer: Answer, port?: number): Promise<HttpProvider> {
  const started = await startProvider(answer, port);
  opened.push(started);
  return started;
}

export const useProviders = (): void =>
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((provider) => provider.close()));
  });

/** A JSON answer. */
export function says(status: number, body: unknown, headers: Record<string, string> = {}): Answer {
  return (response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  };
}

/** One answer after the other; the last one stays. */
export function inTurn(...answers: [Answer, ...Answer[]]): Answer {
  let turn = 0;
  return (...call) => answers[Math.min(turn++, answers.length - 1)]!(...call);
}

/** Never answers. */
export const hangs: Answer = () => {};

/** Cuts the connection once the request is in. */
export const cuts: Answer = (_, request) => request.socket.destroy();

/** Promises more than it sends, then cuts the connection. */
export function breaksOff(status: number): Answer {
  return (response, request) => {
    response.writeHead(status, { "content-length": "100" });
    response.write('{"MessageId": "id-1", "id": "<id-1@example.zz>"', () =>
      request.socket.destroy(),
    );
  };
}

/** A byte of the body now and then, for ever. */
export function drips(status: number): Answer {
  return (response) => {
    response.writeHead(status);
    const drip = setInterval(() => response.write(" "), 20);
    response.on("close", () => clearInterval(drip));
  };
}

/** Ten megabytes; `onClose` hears how many of them were written when the client hung up. */
export function floods(status: number, onClose: (bytes: number) => void): Answer {
  const block = Buffer.alloc(64 * 1024, " ");
  return (response) => {
    let bytes = 0;
    response.writeHead(status);
    response.on("close", () => onClose(bytes));
    const pour = () => {
      while (bytes < 10 * 1024 * 1024) {
        bytes += block.length;
        if (!response.write(block)) {
          response.once("drain", pour);
          return;
        }
      }
      response.end();
    };
    pour();
  };
}
