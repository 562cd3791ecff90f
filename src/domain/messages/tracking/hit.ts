import type { Deps } from "#src/deps.ts";
import { storable } from "#src/platform/storable.ts";

/** One request for a pixel or a tracked link. */
export interface Hit {
  /** Given when the request came in; the same id again is the same hit. */
  id: string;
  sendId: string;
  kind: "open" | "click";
  at: Date;
  linkIndex: number;
  /** As the token says, never as the request does. */
  url: string | null;
  userAgent: string | null;
  /** A header announced a prefetch. */
  prefetch: boolean;
  /** The autonomous system that the request came from, where the platform tells. */
  asn: number | null;
}

const MAX_USER_AGENT = 500;

/** Further hits of a message are dropped: the cost of one request stays bounded. */
export const MAX_HITS_PER_MESSAGE = 1_000;

/** A request for a pixel or link that just came in, made storable whatever its headers hold. */
export function newHit(
  { ids, clock }: Pick<Deps, "ids" | "clock">,
  seen: Omit<Hit, "id" | "at">,
): Hit {
  const { asn, url, userAgent } = seen;
  return {
    ...seen,
    id: ids.uuid(),
    at: clock.now(),
    url: url === null ? null : storable(url),
    userAgent: userAgent === null ? null : storable(userAgent.slice(0, MAX_USER_AGENT)),
    asn: asn !== null && Number.isInteger(asn) && asn > 0 && asn < 2 ** 32 ? asn : null,
  };
}
