import type { SigningDomain } from "#db/senders/domain-keys.ts";
import type { Deps } from "#src/deps.ts";

/** Where the tracked links of a domain's mail go: to the domain's own host, if it has one that leads here. */
export function trackingBaseOf(
  { trackingBaseUrl, trackingOnDomains }: Deps["settings"],
  domain: Pick<SigningDomain, "trackingHost"> | null | undefined,
): string {
  const host = trackingOnDomains ? domain?.trackingHost : null;
  if (host == null) return trackingBaseUrl;
  const base = new URL(trackingBaseUrl);
  base.hostname = host;
  return base.href.replace(/\/$/, "");
}
