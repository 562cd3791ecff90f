import { isEnvelopeAddress } from "#src/providers/mail/smtp-address.ts";
import { MAX_HOSTS, type ProbePlan } from "./index.ts";

/** A quoted local part (RFC 5321 section 4.1.2): spaces and brackets inside it end no command. */
const QUOTED_LOCAL = /^"(?:[^"\\\p{Cc}]|\\[\x20-\x7e])*"@/u;

/** Whether an address may be named in RCPT as it is. */
export const isProbeAddress = (address: string): boolean =>
  isEnvelopeAddress(address.replace(QUOTED_LOCAL, (local) => `${"q".repeat(local.length - 1)}@`));

/** RFC 1035 section 2.3.4. */
export const LONGEST_HOST = 253;

/** Those of a plan's hosts that are tried: what is no name may stand in an MX record too. */
export const hostsToTry = ({ hosts }: ProbePlan): string[] =>
  hosts.filter(({ length }) => length <= LONGEST_HOST).slice(0, MAX_HOSTS);

/** Only addresses go between the brackets of a command; the plan's author has to see to it. */
export function assertPlan({ recipients, random, beside = {} }: ProbePlan): void {
  const addresses = [...recipients, ...Object.values(beside)];
  for (const address of random === null ? addresses : [...addresses, random])
    if (!isProbeAddress(address)) throw new Error("a plan names what is no address");
}
