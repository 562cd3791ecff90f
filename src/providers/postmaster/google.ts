import * as z from "zod";
import { oneLine } from "#src/platform/one-line.ts";
import { createHttpCall, type HttpAnswer, type HttpRequest } from "#src/providers/net/http-call.ts";
import { ComplianceStatus, complianceOf, daysOf, StatsPage } from "./google-answers.ts";
import { METRIC_DEFINITIONS } from "./google-metrics.ts";
import type { Postmaster, PostmasterAnswer } from "./index.ts";

const TIMEOUT_MS = 10_000;
/** A page of 200 figures takes some 50 kB. */
const MAX_ANSWER_BYTES = 512 * 1024;
const PAGE_SIZE = 200;
/** A month of all figures is three pages. */
const MOST_PAGES = 10;

type Ask = Omit<HttpRequest, "headers" | "url"> & { path: string; token: string };
type Refusal = Exclude<PostmasterAnswer<never>, { kind: "answered" }>;

/**
 * Gmail's Postmaster Tools API, version 2:
 * https://developers.google.com/workspace/gmail/postmaster/reference/rest/v2
 */
export function createGooglePostmaster(options: {
  fetch: typeof globalThis.fetch;
  baseUrl: string;
  /** From connecting to the end of an answer, 10 s if absent. */
  timeoutMs?: number;
}): Postmaster {
  const { timeoutMs = TIMEOUT_MS } = options;
  const call = createHttpCall(options.fetch, MAX_ANSWER_BYTES);

  async function ask<Body>(
    schema: z.ZodType<Body>,
    { path, token, ...request }: Ask,
  ): Promise<PostmasterAnswer<Body>> {
    const url = `${options.baseUrl}/v2/${path}`;
    const headers = {
      authorization: `Bearer ${token}`,
      ...(request.body === undefined ? {} : { "content-type": "application/json" }),
    };
    const outcome = await call({ ...request, url, headers }, timeoutMs);
    if (outcome.kind !== "answered") return unavailable(outcome.reason);
    const { answer } = outcome;
    if (answer.status !== 200) return refusalOf(answer);
    const { success, data } = schema.safeParse(jsonOf(answer.text));
    return success ? { kind: "answered", value: data } : unavailable(NO_FIGURES);
  }

  return {
    // Least of those that the two methods take.
    scopes: "https://www.googleapis.com/auth/postmaster.traffic.readonly",
    async days(token, domain, range) {
      const stats: unknown[] = [];
      for (let pageToken = "", pages = 0; pages < MOST_PAGES; pages++) {
        const body = JSON.stringify({
          metricDefinitions: METRIC_DEFINITIONS,
          timeQuery: { dateRanges: { dateRanges: [dateRange(range)] } },
          aggregationGranularity: "DAILY",
          pageSize: PAGE_SIZE,
          ...(pageToken === "" ? {} : { pageToken }),
        });
        const path = `domains/${encodeURIComponent(domain)}/domainStats:query`;
        const page = await ask(StatsPage, { method: "POST", path, token, body });
        if (page.kind !== "answered") return page;
        stats.push(...page.value.domainStats);
        pageToken = page.value.nextPageToken;
        if (pageToken === "") break;
      }
      return { kind: "answered", value: daysOf(stats, domain, range) };
    },
    async compliance(token, domain) {
      const path = `domains/${encodeURIComponent(domain)}/complianceStatus`;
      const answer = await ask(ComplianceStatus, { method: "GET", path, token });
      return answer.kind === "answered"
        ? { kind: "answered", value: complianceOf(answer.value, domain) }
        : answer;
    },
  };
}

const NO_FIGURES = "Google answered with what are no figures";

const unavailable = (reason: string, retryAfterMs: number | null = null): Refusal => ({
  kind: "unavailable",
  reason,
  retryAfterMs,
});

function dateRange({ since, until }: { since: string; until: string }) {
  const dateOf = (text: string) => {
    const [year, month, day] = text.split("-").map(Number);
    return { year, month, day };
  };
  return { start: dateOf(since), end: dateOf(until) };
}

/** https://google.aip.dev/193 */
const ErrorBody = z.object({
  error: z.object({
    message: z.string().default(""),
    details: z.array(z.object({ reason: z.string().optional() }).catch({})).default([]),
  }),
});

function refusalOf({ status, headers, text }: HttpAnswer): Refusal {
  const { error } = ErrorBody.safeParse(jsonOf(text)).data ?? { error: undefined };
  const words = oneLine(error?.message ?? "", 200);
  const reason = error?.details.find((detail) => detail.reason !== undefined)?.reason;
  if (status === 401 || reason === "ACCESS_TOKEN_SCOPE_INSUFFICIENT")
    return { kind: "refused", reason: words || "Google takes the access no more" };
  // The deployment's project has to switch the API on.
  if (status === 403 && reason === "SERVICE_DISABLED") return unavailable(words);
  if (status === 403 || status === 404) return { kind: "no_access" };
  return unavailable(`Google answered ${status}: ${words}`, retryAfterOf(headers));
}

/** Seconds; a date (RFC 9110 section 10.2.3) is taken for none. */
function retryAfterOf(headers: Headers): number | null {
  const seconds = Number(headers.get("retry-after") ?? "");
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : null;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
