import * as z from "zod";
import type { SearchEngine } from "./index.ts";
import { callSearch, hitText } from "./search-call.ts";

/** https://docs.searxng.org/dev/search_api.html: one's own; `json` has to be among its formats, or it answers 403. */
const answer = z.object({
  results: z.array(z.object({ url: z.string(), title: hitText, content: hitText })).default([]),
  /** Each with the reason, `["google", "Suspended: CAPTCHA"]`, or by its name alone. */
  unresponsive_engines: z.array(z.unknown()).catch([]),
});

/** That none of those asked knows anything is an answer; that some did not answer is none. */
const whyNothing = ({ results, unresponsive_engines: silent }: z.output<typeof answer>) =>
  results.length > 0 || silent.length === 0
    ? null
    : `no answer of ${silent.map((each) => String([each].flat()[0])).join(", ")}`.slice(0, 300);

export function createSearxng(settings: {
  fetch: typeof globalThis.fetch;
  baseUrl: string;
}): SearchEngine {
  return {
    name: "searxng",
    isPaid: false,
    // It has languages and no countries: `all` finds people everywhere.
    search({ text }, signal) {
      const url = new URL(`${settings.baseUrl}/search`);
      url.searchParams.set("q", text);
      url.searchParams.set("format", "json");
      url.searchParams.set("language", "all");
      const request = new Request(url, { headers: { accept: "application/json" } });
      return callSearch(
        settings.fetch,
        request,
        signal,
        answer,
        ({ results }) => results.map((each) => ({ ...each, snippet: each.content })),
        whyNothing,
      );
    },
  };
}
