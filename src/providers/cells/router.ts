import { FROM_HEADER, HITS_PATH, SECRET_HEADER, SESSIONS_PATH } from "#src/platform/cells.ts";
import type { OtherCells } from "./index.ts";

interface Surroundings {
  fetch: typeof globalThis.fetch;
  /** Of the router, which knows the cells. */
  baseUrl: string;
  name: string;
  secret: string;
}

const TIMEOUT_MS = 10_000;

/** By the router, so that no cell has to know which others there are. */
export function createOtherCells({ fetch, baseUrl, name, secret }: Surroundings): OtherCells {
  async function tell(path: string, news: unknown): Promise<void> {
    const { ok, status, body } = await fetch(baseUrl + path, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        [SECRET_HEADER]: secret,
        [FROM_HEADER]: name,
      },
      body: JSON.stringify(news),
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await body?.cancel();
    if (!ok) throw new Error(`the router did not pass on ${path}: ${status}`);
  }
  return {
    async bringHits(packs) {
      for (const pack of packs) await tell(HITS_PATH, pack);
    },
    endSessions: (logins, before) => tell(SESSIONS_PATH, { version: 1, logins, before }),
  };
}
