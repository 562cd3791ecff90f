import type { Reply, TestApi } from "./api.ts";

/** What a browser says of a request that one of our own pages makes. */
export const FROM_OURS: Record<string, string> = { "sec-fetch-site": "same-origin" };

export interface Asked {
  path?: string;
  method?: string;
  headers?: Record<string, string>;
  body?: unknown;
}

/** Signs in by a pasted credential; `cookie` is what the browser sends from then on. */
export async function signIn(
  api: TestApi,
  credential: string,
  headers: Record<string, string> = FROM_OURS,
): Promise<Omit<Reply, "text"> & { cookie: string }> {
  const response = await api.request("/api/v1/auth/session", {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify({ credential }),
  });
  const cookie = (response.headers.get("set-cookie") ?? "").split(";", 1)[0]!;
  return {
    status: response.status,
    headers: response.headers,
    body: await response.json(),
    cookie,
  };
}
