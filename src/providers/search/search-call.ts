import * as z from "zod";
import { readBoundedText } from "#src/platform/bounded-text.ts";
import type { SearchAnswer, SearchFailure, SearchHit } from "./index.ts";

/** Twenty results are 20 to 60 kB. */
const MAX_ANSWER_BYTES = 1024 * 1024;
/** An engine that takes longer is as good as down: the caller waits 12 s for all of it. */
const TIMEOUT_MS = 4_000;
/** Results asked for; an engine that sends more is not read further. */
export const RESULTS = 20;

/** One request to an engine's API, with everything that can go wrong told apart; `whyNothing` tells an answer that is none. */
export async function callSearch<Body>(
  fetch: typeof globalThis.fetch,
  request: Request,
  signal: AbortSignal,
  shape: z.ZodType<Body>,
  hitsOf: (body: Body) => SearchHit[],
  whyNothing: (body: Body) => string | null = () => null,
): Promise<SearchAnswer> {
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
  try {
    const response = await fetch(new Request(request, { redirect: "manual", signal: deadline }));
    if (response.status !== 200) {
      await response.body?.cancel();
      return failed(failureOf(response.status), `status ${response.status}`);
    }
    const text = await readBoundedText(response, MAX_ANSWER_BYTES);
    if (text === null) return failed("unreadable", "the answer is too long");
    const parsed = shape.safeParse(JSON.parse(text));
    if (!parsed.success) return failed("unreadable", z.prettifyError(parsed.error).slice(0, 300));
    const nothing = whyNothing(parsed.data);
    if (nothing !== null) return failed("unavailable", nothing);
    return { kind: "hits", hits: hitsOf(parsed.data).slice(0, RESULTS).map(bounded) };
  } catch (error) {
    if (error instanceof SyntaxError) return failed("unreadable", "the answer is no JSON");
    if (deadline.aborted) return failed("timeout", `no answer in ${TIMEOUT_MS} ms`);
    return failed("unavailable", error instanceof Error ? error.message : String(error));
  }
}

const failed = (reason: SearchFailure, detail: string): SearchAnswer => ({
  kind: "failed",
  reason,
  detail,
});

function failureOf(status: number): SearchFailure {
  if (status === 429) return "rate_limited";
  return status >= 500 || status === 408 ? "unavailable" : "refused";
}

/** What an engine says of a page: it may leave out title and text, and put anything else beside them. */
export const hitText = z
  .string()
  .nullish()
  .transform((text) => text ?? "");

const bounded = ({ url, title, snippet }: SearchHit): SearchHit => ({
  url: url.slice(0, 2_000),
  title: plain(title).slice(0, 500),
  snippet: plain(snippet).slice(0, 1_000),
});

const ENTITIES: Record<string, string> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  "#39": "'",
  "#x27": "'",
  nbsp: " ",
};

/** Engines mark what they found (`<strong>`), and escape the rest. */
const plain = (text: string): string =>
  text
    .slice(0, 4_000)
    .replace(/<\/?[a-z][a-z0-9]{0,10}>/gi, "")
    .replace(/&(amp|lt|gt|quot|#39|#x27|nbsp);/g, (_, name: string) => ENTITIES[name]!)
    .replace(/\s+/g, " ")
    .trim();
