import type { ProbeConnection, ProbeExchange, ReplyVerdict } from "#src/providers/probe/index.ts";
import { classify } from "./classify.ts";

/** Verdicts that a reply can only have by speaking of a recipient. */
const OF_A_RECIPIENT: readonly ReplyVerdict[] = ["no_such_user", "disabled", "full", "throttled"];

/**
 * The exchanges of which it is known that the reply is the one to that command. A line too many makes each reply behind
 * it the answer to the command before, and what does not exist would be `valid` by MAIL's 250. 221, which answers QUIT
 * alone, vouches for all; where a host leaves without it, a reply that itself says what it answers vouches for those up
 * to it.
 */
export function exchangesInStep({
  host,
  end,
  goodbye,
  exchanges,
}: ProbeConnection): readonly ProbeExchange[] {
  if (end === "not_smtp") return [];
  if (goodbye?.code === 221) return exchanges;
  const first = exchanges.find(({ stage }) => stage === "rcpt");
  const last = exchanges.findLastIndex(
    (each) => namesItsAddress(each) || (each === first && speaksOfARecipient(each, host)),
  );
  return exchanges.slice(0, last + 1);
}

const namesItsAddress = ({ recipient, reply }: ProbeExchange): boolean =>
  recipient !== undefined &&
  reply.text
    .toLowerCase()
    .split(/[\s<>()[\]"',;:]+|\.(?=\s|$)/)
    .includes(recipient.toLowerCase());

/** Said while one alone had been named. RFC 3463 section 3.2: X.1.5 is a destination address that is valid. */
const speaksOfARecipient = ({ reply }: ProbeExchange, host: string): boolean =>
  reply.enhanced === "2.1.5" || OF_A_RECIPIENT.includes(classify(reply, host));
