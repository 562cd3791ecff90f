import type { EventClass } from "#db/schema/index.ts";
import { isDatacentre } from "./datacentre-networks.ts";
import type { Hit } from "./hit.ts";
import { agentKind } from "./user-agents.ts";

/** No recipient opens or clicks this soon after acceptance; security gateways do. */
const TOO_SOON_MS = 5_000;
/** A program that opened a message by itself is still at work on its links this long after. */
const AFTER_MACHINE_OPEN_MS = 9_000;
/** No recipient follows so many links of one message in so short a time. */
const BURST_LINKS = 3;
const BURST_MS = 2_000;

/** Reasons against a person's hit, and the class of hit that each makes. */
const CLASS_OF = {
  prefetch: "bot",
  gmail_prefetch: "bot",
  within_5_seconds: "bot",
  after_machine_open: "bot",
  three_links_in_2_seconds: "bot",
  apple_privacy_proxy: "proxy",
  image_proxy: "proxy",
  no_user_agent: "suspect",
  scanner_user_agent: "suspect",
  datacentre_network: "suspect",
} as const satisfies Record<string, EventClass>;
export type HitReason = keyof typeof CLASS_OF;

/** The first class of these that a reason gives is the verdict. */
const BY_WEIGHT = ["bot", "proxy", "suspect"] as const;

export interface Verdict {
  classification: EventClass;
  reasons: HitReason[];
}

type Judged = Pick<Hit, "kind" | "at" | "linkIndex" | "userAgent" | "prefetch" | "asn">;

/**
 * The class of each hit of one message, in the order given, judged by all hits together: the verdict
 * on a hit can change when a further one becomes known, and does not depend on their order of arrival.
 * `acceptedAt` is when the receiving server took the message; null when that is not known.
 */
export function classifyHits(acceptedAt: Date | null, hits: readonly Judged[]): Verdict[] {
  const reasons = hits.map((hit) => ownReasons(acceptedAt, hit));
  const machineOpens = Map.groupBy(
    hits.filter((hit, index) => hit.kind === "open" && classOf(reasons[index]!) === "bot"),
    ({ userAgent }) => userAgent,
  );
  const inBurst = burstClicks(hits);
  return hits.map((hit, index) => {
    const all = [...reasons[index]!];
    if (hit.kind === "click") {
      const follows = machineOpens.get(hit.userAgent)?.some((open) => {
        const sinceMs = hit.at.getTime() - open.at.getTime();
        return sinceMs >= 0 && sinceMs <= AFTER_MACHINE_OPEN_MS;
      });
      if (follows) all.push("after_machine_open");
      if (inBurst.has(index)) all.push("three_links_in_2_seconds");
    }
    return { classification: classOf(all), reasons: all };
  });
}

/** Whether a hit belongs in the counts of people: the proxies that load images when a person opens the message do. */
export function countsAsPerson({ classification, reasons }: Verdict): boolean {
  if (classification === "proxy") return !reasons.includes("apple_privacy_proxy");
  return classification === "human";
}

/** The reasons that a hit gives by itself. */
function ownReasons(acceptedAt: Date | null, hit: Judged): HitReason[] {
  const reasons: HitReason[] = [];
  if (hit.prefetch) reasons.push("prefetch");
  if (acceptedAt !== null && hit.at.getTime() - acceptedAt.getTime() < TOO_SOON_MS)
    reasons.push("within_5_seconds");
  const agent = agentKind(hit.userAgent);
  if (agent !== "other") reasons.push(agent);
  // A mail provider's proxy works in a datacentre by nature.
  if (CLASS_OF_AGENT[agent] !== "proxy" && isDatacentre(hit.asn))
    reasons.push("datacentre_network");
  return reasons;
}

const CLASS_OF_AGENT: Record<ReturnType<typeof agentKind>, EventClass> = {
  ...CLASS_OF,
  other: "human",
};

function classOf(reasons: readonly HitReason[]): EventClass {
  return (
    BY_WEIGHT.find((weight) => reasons.some((reason) => CLASS_OF[reason] === weight)) ?? "human"
  );
}

/** Indexes of the clicks that lie in some 2 seconds with clicks on three links or more. */
function burstClicks(hits: readonly Judged[]): Set<number> {
  const clicks = hits
    .map((hit, index) => ({ index, link: hit.linkIndex, at: hit.at.getTime(), kind: hit.kind }))
    .filter(({ kind }) => kind === "click")
    .toSorted((a, b) => a.at - b.at);
  const found = new Set<number>();
  // How often each link occurs in the two seconds that begin with a click.
  const links = new Map<number, number>();
  let end = 0;
  let marked = 0;
  for (const [start, { at, link }] of clicks.entries()) {
    for (; end < clicks.length && clicks[end]!.at - at <= BURST_MS; end++)
      links.set(clicks[end]!.link, (links.get(clicks[end]!.link) ?? 0) + 1);
    if (links.size >= BURST_LINKS) {
      for (let inside = Math.max(start, marked); inside < end; inside++)
        found.add(clicks[inside]!.index);
      marked = end;
    }
    const left = links.get(link)! - 1;
    if (left === 0) links.delete(link);
    else links.set(link, left);
  }
  return found;
}
