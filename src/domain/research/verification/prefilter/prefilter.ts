import { isMailboxProvider } from "#src/domain/people/leads/mailbox-providers.ts";
import { isPrivateName } from "#src/platform/public-host.ts";
import { type Address, readAddress } from "./address.ts";
import { isPlaceholder } from "./placeholder.ts";
import { isRole } from "./role.ts";
import { isSystemAddress } from "./system.ts";
import { likelyDomain } from "./typo.ts";

/** Why an address is refused without asking anybody. */
export type HardReject = "syntax" | "reserved" | "placeholder" | "system";

/** What the text of an address says by itself. */
export interface Prefiltered {
  /** Null for what is no address. */
  address: Address | null;
  reject: HardReject | null;
  isRole: boolean;
  /** A mailbox provider's domain, under which anybody has an address. */
  isFree: boolean;
  /** The address that was probably meant. */
  suggestion: string | null;
}

/** Never throws, and takes text of any kind and length. */
export function prefilter(text: string): Prefiltered {
  const address = readAddress(text);
  if (address === null)
    return { address, reject: "syntax", isRole: false, isFree: false, suggestion: null };
  const { local, domain } = address;
  const meant = likelyDomain(domain);
  return {
    address,
    reject: rejectOf(address),
    isRole: isRole(local),
    isFree: isMailboxProvider(domain),
    suggestion: meant === null ? null : `${local}@${meant}`,
  };
}

function rejectOf(address: Address): HardReject | null {
  if (isReserved(address.domain)) return "reserved";
  if (isSystemAddress(address.local)) return "system";
  return isPlaceholder(address) ? "placeholder" : null;
}

/** RFC 2606 section 3, and names that no public DNS will ever know (RFC 6761, 6762, 7686, 8375, 9476). */
const isReserved = (domain: string): boolean =>
  /(^|\.)example\.(com|net|org)$/.test(domain) || isPrivateName(domain);
