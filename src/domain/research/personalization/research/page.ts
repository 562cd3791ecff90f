import * as z from "zod";
import type { Deps } from "#src/deps.ts";
import type { Web, WebAnswer } from "#src/providers/web/index.ts";
import { DAY_MS } from "#src/platform/durations.ts";
import { choosePages } from "./choose-pages.ts";
import { type PageText, readPage, readPlainText } from "./read-page.ts";
import { USEFUL_CHARS, ZERO_RESEARCH_REASONS, type ZeroResearchReason } from "./report.ts";
import { type Lookup, lookUp } from "./web-cache.ts";

/** What one page may say. */
const MAX_CHARS = 4_000;

/** What a look at one page gave: what it says and where its site goes on, or why it says nothing. */
const pageShape = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("page"),
    url: z.string(),
    text: z.string(),
    more: z.array(z.string()),
    /** Too little text is said by scripts, as far as one can tell. */
    isScripted: z.boolean(),
  }),
  z.object({
    kind: z.literal("nothing"),
    reason: z.enum(ZERO_RESEARCH_REASONS),
    detail: z.string(),
  }),
]);
export type PageLookup = z.output<typeof pageShape>;

/** By why: what may be otherwise in a moment is not kept. */
const KEEP_NOTHING_MS: Partial<Record<ZeroResearchReason, number>> = {
  http_error: DAY_MS,
  not_html: DAY_MS,
  blocked_by_guard: DAY_MS / 24,
};

/** One page of a website, as it is kept for a week. */
export function lookUpPage(
  deps: Pick<Deps, "db" | "clock">,
  web: Web,
  url: string,
  how: {
    force: boolean;
    faultOf(url: URL): Promise<ZeroResearchReason | null>;
    signal: AbortSignal;
  },
): Promise<Lookup<PageLookup>> {
  return lookUp(deps, {
    key: `page ${url}`,
    shape: pageShape,
    force: how.force,
    keepMs: (answer) =>
      answer.kind === "page" ? 7 * DAY_MS : (KEEP_NOTHING_MS[answer.reason] ?? 0),
    look: async () =>
      toLookup(await web.read(url, { what: "page", faultOf: how.faultOf }, how.signal)),
  });
}

function toLookup(answer: WebAnswer): PageLookup {
  const nothing = (reason: ZeroResearchReason, detail: string) =>
    ({ kind: "nothing", reason, detail }) as const;
  switch (answer.kind) {
    case "read": {
      const page = answer.isHtml ? readPage(answer.text) : readPlainText(answer.text);
      const text = summaryOf(page);
      return {
        kind: "page",
        url: answer.url,
        text,
        more: choosePages(answer.url, page.links),
        isScripted: page.hasScripts && text.length < USEFUL_CHARS,
      };
    }
    case "refused":
      return nothing("blocked_by_guard", answer.why);
    case "disallowed":
      return answer.why === "robots_disallowed"
        ? nothing(answer.why, "Its robots.txt does not let us in.")
        : nothing("fetch_failed", "Its robots.txt could not be read.");
    case "status":
      return nothing("http_error", `It answers ${answer.status}.`);
    case "other_type":
      return nothing("not_html", `It is ${answer.type || "of no type"}, and no page.`);
    case "failed":
      return nothing("fetch_failed", FAILURES[answer.reason]);
  }
}

const FAILURES = {
  unreachable: "It cannot be reached.",
  no_host: "DNS knows no address of it.",
  timeout: "It did not answer in time.",
  too_many_redirects: "It leads on and on.",
};

const summaryOf = ({ title, description, organization, lines }: PageText): string =>
  [title, description, organization, ...lines]
    .filter((each, at, all) => each !== "" && all.indexOf(each) === at)
    .join("\n")
    .slice(0, MAX_CHARS)
    .toWellFormed();
