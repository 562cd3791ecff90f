import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

export interface Received {
  at: Date;
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  bytes: Buffer;
}

export interface Answer {
  status?: number;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

/** A destination for deliveries: notes what it receives and answers as told. */
export interface Receiver {
  url: string;
  received: Received[];
  /** Answers to the next requests, in order; then `always`. */
  next: (Answer | "hang")[];
  always: Answer | ((received: Received) => Answer);
  /** Holds every answer back until the returned function is called. */
  hold(): () => void;
  reset(): void;
  close(): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
  let held: Promise<void> = Promise.resolve();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const bytes = Buffer.concat(chunks);
    const received = {
      at: new Date(),
      method: request.method ?? "",
      path: request.url ?? "",
      headers: request.headers,
      body: bytes.toString("utf8"),
      bytes,
    };
    receiver.received.push(received);
    const { next, always } = receiver;
    const answer = next.shift() ?? (typeof always === "function" ? always(received) : always);
    await held;
    if (answer === "hang") return;
    response.writeHead(answer.status ?? 200, answer.headers);
    response.end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received: [],
    next: [],
    always: {},
    hold() {
      let release = () => {};
      held = new Promise((resolve) => {
        release = resolve;
      });
      return release;
    },
    reset() {
      Object.assign(receiver, { received: [], next: [], always: {} });
      held = Promise.resolve();
    },
    close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      return closed;
    },
  };
  return receiver;
}
