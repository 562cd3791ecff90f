import { FROM_HEADER, HITS_PATH, SECRET_HEADER } from "#src/platform/cells.ts";
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
export const createOtherCells = ({ fetch, baseUrl, name, secret }: Surroundings): OtherCells => ({
  async bringHits(packs) {
    for (const pack of packs) {
      const { ok, status, body } = await fetch(baseUrl + HITS_PATH, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          [SECRET_HEADER]: secret,
          [FROM_HEADER]: name,
        },
        body: JSON.stringify(pack),
        redirect: "manual",
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      await body?.cancel();
      if (!ok) throw new Error(`the router took no hits: ${status}`);
    }
  },
});
