import {
  findSentByAddress,
  findSentById,
  findSentByMessageId,
  isOfPlacementTest,
  type FoundMessage,
  type Recipient,
  type SentMessage,
} from "#db/replies/sent-messages.ts";
import type { Deps } from "#src/deps.ts";
import { createReturnPathTokens } from "#src/domain/senders/return-path-token.ts";
import { DAY_MS } from "#src/platform/durations.ts";
import type { Inbound } from "./classify.ts";
import type { InboundMail } from "./inbound-mail.ts";
import { matchKeys, type MatchKey } from "./matching.ts";

export interface InboundEnvelope {
  /** Absent: what the mail's own header says. */
  from?: string;
  to: string;
}

/** Mail read from a user's mailbox: what is not about the workspace leaves no trace. */
export interface MailboxScope {
  workspaceId: string;
}

/** A reply that names no sent message is matched to mail of the last month. */
export const ADDRESS_MATCH_MS = 30 * DAY_MS;

/** A message that a mail is about. */
export interface Match {
  sent: SentMessage;
  key: MatchKey;
  /** Its workspace gets the words; else only what they end: perhaps they are another's. */
  mayRead: boolean;
}

/** The sent messages that a mail is about: the one that it names, or else the last of each workspace that may be meant. */
export async function findSent(
  deps: Deps,
  mail: InboundMail,
  inbound: Inbound,
  envelope: InboundEnvelope,
  scope: MailboxScope | null,
): Promise<Match[]> {
  const tokens = createReturnPathTokens(deps.settings.trackingSecrets);
  for (const key of await matchKeys(mail, inbound, tokens, [envelope.to])) {
    if (key.by === "address") {
      if (await isOfPlacementTest(deps.db, idsIn(mail))) return [];
      const found = await lookUpByAddress(deps, mail, key, envelope, scope);
      return found.map(({ mayRead, ...sent }) => ({
        sent,
        key,
        mayRead: mayRead || scope !== null,
      }));
    }
    const sent = await lookUp(deps, key);
    if (sent === undefined) continue;
    // A deleted workspace has no use for its feedback.
    if (sent.isOfDeleted) return [];
    if (scope === null || sent.workspaceId === scope.workspaceId)
      return [{ sent, key, mayRead: true }];
  }
  return [];
}

/** The mail itself, or what it answers: a test's mail lies in a mailbox that is read, and may be answered by a machine. */
const idsIn = ({ messageId, inReplyTo, references }: InboundMail): string[] =>
  [messageId, ...inReplyTo, ...references].flatMap((id) => id ?? []);

const lookUp = (
  { db }: Deps,
  key: Exclude<MatchKey, { by: "address" }>,
): Promise<FoundMessage | undefined> =>
  key.by === "token" ? findSentById(db, key.sendId) : findSentByMessageId(db, key.messageId);

const lookUpByAddress = (
  { db, clock }: Deps,
  mail: InboundMail,
  { address: from, subjects }: Extract<MatchKey, { by: "address" }>,
  envelope: InboundEnvelope,
  scope: MailboxScope | null,
) =>
  findSentByAddress(db, {
    from,
    to: recipientsOf([envelope.to, ...mail.to.map(({ email }) => email)]),
    since: new Date(clock.now().getTime() - ADDRESS_MATCH_MS),
    workspaceId: scope?.workspaceId ?? null,
    subjects: subjects ?? null,
  });

/** Recipients of a mail that are looked up; those of a mail to hundreds of people are rarely aliases. */
const MOST_RECIPIENTS = 200;
const LONGEST_ADDRESS = 320;
/** Parent domains of an address's domain that are looked up, the shortest ones. */
const MOST_PARENTS = 4;

function recipientsOf(addresses: string[]): Recipient[] {
  const different = new Set(addresses.map((each) => each.toLowerCase()));
  return [...different]
    .filter(({ length }) => length <= LONGEST_ADDRESS)
    .slice(0, MOST_RECIPIENTS)
    .map((address) => ({ address, domains: domainsOf(address) }));
}

function domainsOf(address: string): string[] {
  const labels = address.slice(address.lastIndexOf("@") + 1).split(".");
  // A single label is a top-level domain, which no organisation owns.
  const [own, ...parents] = labels.slice(0, -1).map((_, index) => labels.slice(index).join("."));
  return own === undefined ? [] : [own, ...parents.slice(-MOST_PARENTS)];
}
