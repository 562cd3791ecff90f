import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

export interface Received {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface Said {
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
  /** What becomes of the connection instead: nothing is said, or it ends within the body. */
  instead?: "reset" | "half" | "silence";
}

/** Says one thing after another, the last one for good, and notes what it was asked. */
export async function scriptedServer(...script: Said[]) {
  const received: Received[] = [];
  const server: Server = createServer((request, response) => {
    void text(request).then((body) => {
      const { method = "", url = "", headers } = request;
      received.push({ method, url, headers, body });
      const said = script[Math.min(received.length, script.length) - 1] ?? {};
      if (said.instead === "silence") return;
      if (said.instead === "reset") return request.socket.destroy();
      const answer = typeof said.body === "string" ? said.body : JSON.stringify(said.body ?? {});
      response.writeHead(said.status ?? 200, {
        "content-type": "application/json",
        ...(said.instead === "half" ? { "content-length": answer.length + 100 } : {}),
        ...said.headers,
      });
      if (said.instead === "half") response.write(answer, () => request.socket.destroy());
      else response.end(answer);
      return;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    keys: () => received.map(({ headers }) => headers["idempotency-key"]),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
