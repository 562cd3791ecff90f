import * as z from "zod";
import type { SearchEngine } from "./index.ts";
import { callSearch, hitText, RESULTS } from "./search-call.ts";

/** https://api-dashboard.search.brave.com/app/documentation/web-search */
const answer = z.object({
  web: z
    .object({
      results: z.array(z.object({ url: z.string(), title: hitText, description: hitText })),
    })
    .nullish(),
});

/** It refuses other countries' codes with 422. */
const COUNTRIES = new Set(
  "AR AT AU BE BR CA CH CL CN DE DK ES FI FR GB HK ID IN IT JP KR MX MY NL NO NZ PH PL PT RU SA SE TR TW US ZA".split(
    " ",
  ),
);

export function createBrave(settings: {
  fetch: typeof globalThis.fetch;
  baseUrl: string;
  key: string;
}): SearchEngine {
  return {
    name: "brave",
    isPaid: true,
    search({ text, country }, signal) {
      const url = new URL(`${settings.baseUrl}/res/v1/web/search`);
      url.searchParams.set("q", text);
      url.searchParams.set("count", String(RESULTS));
      // Left out it means the United States.
      const bias = country !== null && COUNTRIES.has(country) ? country : "ALL";
      url.searchParams.set("country", bias);
      const request = new Request(url, {
        headers: { accept: "application/json", "x-subscription-token": settings.key },
      });
      return callSearch(settings.fetch, request, signal, answer, ({ web }) =>
        (web?.results ?? []).map((each) => ({ ...each, snippet: each.description })),
      );
    },
  };
}
