import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type NetworkPart, startNetwork } from "../../scripts/stack/network/network.ts";
import type { TestApi } from "./api.ts";

export const WEBHOOK_SECRET = "network-webhook-secret-for-tests";
const API_KEY = "local.dGhlIGtleSBvZiB0aGUgdGVzdHM=";

/** The network's part with what a deployment has to know of it. */
export async function startTestNetwork(): Promise<NetworkPart & { env: Record<string, string> }> {
  const part = await startNetwork({ apiKey: API_KEY });
  return {
    ...part,
    env: {
      UNIPILE_API_URL: part.url,
      UNIPILE_API_KEY: API_KEY,
      UNIPILE_WEBHOOK_SECRET: WEBHOOK_SECRET,
    },
  };
}

/** Signs in at the network; answers the provider's id of the session. */
export async function signIn({ url }: NetworkPart, username: string): Promise<string> {
  const response = await fetch(`${url}/api/v1/accounts`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": API_KEY },
    body: JSON.stringify({ provider: "LINKEDIN", username, password: "correct horse" }),
  });
  const { account_id: id } = (await response.json()) as { account_id: string };
  return id;
}

/** An address at which the network reaches the app, which listens nowhere in tests. */
export async function listenForNetwork(
  apiOf: () => TestApi,
): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const headers = new Headers();
      for (const [name, value] of Object.entries(request.headers))
        if (typeof value === "string") headers.set(name, value);
      void apiOf()
        .request(request.url!, { method: "POST", headers, body: Buffer.concat(chunks) })
        .then((reply) => response.writeHead(reply.status).end());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
