import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import type { TestApi } from "./api.ts";

/** The API on a port of this machine, for clients that are programs of their own. */
export async function serve(
  api: Pick<TestApi, "request">,
): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    void answer(api, request).then(
      async (reply) => {
        response.writeHead(reply.status, Object.fromEntries(reply.headers));
        response.end(Buffer.from(await reply.arrayBuffer()));
      },
      // What the watch over every response says.
      (error: unknown) => response.writeHead(599).end(String(error)),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function answer(api: Pick<TestApi, "request">, request: IncomingMessage): Promise<Response> {
  const body = await buffer(request);
  const headers = Object.entries(request.headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]],
  );
  const init = { method: request.method!, headers };
  return api.request(request.url!, body.length === 0 ? init : { ...init, body });
}
