import * as z from "zod";
import type { SearchEngine } from "./index.ts";
import { callSearch, hitText, RESULTS } from "./search-call.ts";

/** https://serper.dev: Google's results as JSON. */
const answer = z.object({
  organic: z.array(z.object({ link: z.string(), title: hitText, snippet: hitText })).default([]),
});

export function createSerper(settings: {
  fetch: typeof globalThis.fetch;
  baseUrl: string;
  key: string;
}): SearchEngine {
  return {
    name: "serper",
    isPaid: true,
    search({ text, country }, signal) {
      const bias = country === null ? {} : { gl: country.toLowerCase() };
      const request = new Request(`${settings.baseUrl}/search`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-api-key": settings.key },
        body: JSON.stringify({ q: text, num: RESULTS, ...bias }),
      });
      return callSearch(settings.fetch, request, signal, answer, ({ organic }) =>
        organic.map((each) => ({ ...each, url: each.link })),
      );
    },
  };
}
