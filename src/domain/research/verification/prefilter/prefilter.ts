import { isMailboxProvider } from "#src/domain/people/leads/mailbox-providers.ts";
import { isPrivateName } from "#src/platform/public-host.ts";
import { type Address, readAddress } from "./address.ts";
import { isPlaceholder } from "./placeholder.ts";
import { isRole } from "./role.ts";
import { isSystemAddress } from "./system.ts";

/** Why an address is refused without a probe. */
export type HardReject = "syntax" | "reserved" | "placeholder" | "system";

/** What the text of an address says by itself. */
export interface Prefiltered {
  /** Null for what is no address. */
  address: Address | null;
  reject: HardReject | null;
  isRole: boolean;
  /** A mailbox provider's domain, which gives addresses to the public. */
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

/** Where most private addresses are: a domain one slip away from one of these is rarely meant. */
const POPULAR = (
  "gmail.com googlemail.com yahoo.com hotmail.com outlook.com icloud.com protonmail.com live.com aol.com gmx.de gmx.net web.de " +
  "hotmail.fr orange.fr yahoo.fr hotmail.co.uk yahoo.co.uk comcast.net libero.it mail.ru yandex.ru"
).split(" ");

/** Real mailbox providers that look like a slip of another. */
const REAL = new Set(
  "email.com ymail.com gmx.at gmx.ch hotmail.it outlook.it live.it aim.com".split(" "),
);

/** The domain that was probably meant; null for all others. A hint for people, and never a verdict. */
export function likelyDomain(domain: string): string | null {
  if (isMailboxProvider(domain) || REAL.has(domain) || domain.length > 20) return null;
  return POPULAR.find((popular) => isOneSlipAway(domain, popular)) ?? null;
}

/** One letter wrong, missing, too many, or two that changed places (Damerau). */
export function isOneSlipAway(typed: string, meant: string): boolean {
  if (typed === meant || Math.abs(typed.length - meant.length) > 1) return false;
  let at = 0;
  while (at < typed.length && typed[at] === meant[at]) at++;
  const rest = (text: string, from: number) => text.slice(from);
  return (
    rest(typed, at + 1) === rest(meant, at + 1) ||
    rest(typed, at + 1) === rest(meant, at) ||
    rest(typed, at) === rest(meant, at + 1) ||
    (typed[at] === meant[at + 1] &&
      typed[at + 1] === meant[at] &&
      rest(typed, at + 2) === rest(meant, at + 2))
  );
}
