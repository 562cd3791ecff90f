import robotsParser from "robots-parser";
import * as z from "zod";
import type { Deps } from "#src/deps.ts";
import { BOT_NAME, type Web, type WebAnswer } from "#src/providers/web/index.ts";
import { DAY_MS } from "#src/platform/durations.ts";
import { ourRules } from "./our-rules.ts";
import type { ZeroResearchReason } from "./report.ts";
import { lookUp } from "./web-cache.ts";

/** CommonJS whose whole export is the function that its types call `default`. */
const parseRobots = robotsParser as unknown as typeof robotsParser.default;

/** RFC 9309 section 2.4: no longer than a day. A server in trouble is asked again sooner. */
const TROUBLE_MS = 600_000;

/** What a robots.txt says of us: its text, or all or nothing; `unreachable` is nothing, and may pass. */
const robotsShape = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("rules"), text: z.string() }),
  z.object({ kind: z.literal("everything") }),
  z.object({ kind: z.literal("nothing") }),
  z.object({ kind: z.literal("unreachable") }),
]);
type Robots = z.output<typeof robotsShape>;

/** Holds URLs against the robots.txt of their hosts, each of which is asked for once. Answers why not, or null. */
export function createRobots(
  deps: Pick<Deps, "db" | "clock">,
  web: Web,
  force: boolean,
  signal: AbortSignal,
): (url: URL) => Promise<ZeroResearchReason | null> {
  const asked = new Map<string, Promise<Robots>>();
  const ask = async (origin: string): Promise<Robots> => {
    const { answer } = await lookUp(deps, {
      key: `robots ${origin}`,
      shape: robotsShape,
      force,
      keepMs: ({ kind }) => KEEP_MS[kind],
      look: async () =>
        readRobots(await web.read(`${origin}/robots.txt`, { what: "robots" }, signal)),
    });
    return answer;
  };
  return async (url) => {
    const robots = asked.get(url.origin) ?? ask(url.origin);
    asked.set(url.origin, robots);
    return verdict(await robots, url);
  };
}

const KEEP_MS: Record<Robots["kind"], number> = {
  rules: DAY_MS,
  everything: DAY_MS,
  nothing: TROUBLE_MS,
  unreachable: 0,
};

/** RFC 9309 section 2.3.1: none is no rule, a server in trouble is a no, and so is one that is not reached. */
export function readRobots(answer: WebAnswer): Robots {
  switch (answer.kind) {
    case "read":
      // Postgres keeps no NUL.
      return { kind: "rules", text: ourRules(answer.text.toWellFormed().replaceAll("\0", "")) };
    case "status":
      return { kind: answer.status >= 500 || answer.status === 429 ? "nothing" : "everything" };
    case "failed":
      return { kind: answer.reason === "too_many_redirects" ? "everything" : "unreachable" };
    default:
      return { kind: "everything" };
  }
}

function verdict(robots: Robots, url: URL): ZeroResearchReason | null {
  switch (robots.kind) {
    case "everything":
      return null;
    case "nothing":
      return "robots_disallowed";
    case "unreachable":
      return "fetch_failed";
    case "rules":
      return forbids(robots.text, url) ? "robots_disallowed" : null;
  }
}

/**
 * The library holds each character of a rule with a star against each place of the path, at 3 ns, and a stranger writes
 * both: a redirect may lead to 16 kB. A robots.txt of 20 kB, all with stars, leaves a path 1,000.
 */
const MAX_WORK = 20_000_000;

/** Whether the rules (`ourRules`) keep us from the URL; what is too dear to tell is left alone. */
export function forbids(rules: string, url: URL): boolean {
  const wild = rules.split("\n").filter((line) => line.includes("*"));
  // Encoded, as the library compares them.
  const characters = wild.reduce((sum, line) => sum + encodeURI(line).length, 0);
  if (characters * (url.pathname.length + url.search.length) > MAX_WORK) return true;
  const robots = parseRobots(new URL("/robots.txt", url).href, rules);
  return robots.isAllowed(url.href, BOT_NAME) === false;
}
