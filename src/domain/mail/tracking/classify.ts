import type { EventClass } from "#db/schema/index.ts";

export interface Hit {
  at: Date;
  /** When the receiving server accepted the message; null when that is not known. */
  acceptedAt: Date | null;
  userAgent: string | null;
  /** `Purpose`, `Sec-Purpose` or `X-Moz` announced a prefetch. */
  prefetch: boolean;
}

/** No person opens or clicks this soon after acceptance; security scanners do. */
const TOO_SOON_MS = 5_000;

const SCANNER_AGENT =
  /bot|crawl|spider|scan|barracuda|mimecast|proofpoint|python-requests|curl|wget|headless|go-http-client|java\//i;

/** Who caused an open or click, and why we think so. Only `human` (and a mail proxy's fetch) counts in statistics. */
export function classifyHit(hit: Hit): { classification: EventClass; reasons: string[] } {
  const machine: string[] = [];
  if (hit.prefetch) machine.push("prefetch");
  if (hit.acceptedAt !== null && hit.at.getTime() - hit.acceptedAt.getTime() < TOO_SOON_MS)
    machine.push("within_5_seconds");
  if (machine.length > 0) return { classification: "bot", reasons: machine };
  if (hit.userAgent === null || hit.userAgent === "")
    return { classification: "suspect", reasons: ["no_user_agent"] };
  if (SCANNER_AGENT.test(hit.userAgent))
    return { classification: "suspect", reasons: ["scanner_user_agent"] };
  // Gmail loads images through this proxy when a person opens the message.
  if (hit.userAgent.includes("GoogleImageProxy"))
    return { classification: "proxy", reasons: ["image_proxy"] };
  return { classification: "human", reasons: [] };
}
