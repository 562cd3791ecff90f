import type { PlacementMail } from "#db/messages/placement-tests.ts";
import { addressesOf } from "#src/domain/replies/inbound/parse.ts";
import {
  fieldValue,
  fieldValues,
  messageIds,
  readHeaderBlock,
} from "#src/domain/replies/inbound/header-fields.ts";
import { readAuthenticationResults } from "#src/mime/authentication-results.ts";
import { emailKey } from "#src/mime/email-key.ts";
import type { Sighting } from "#src/providers/inbox/index.ts";

/** The fields by which a mail of ours is known, and what its receiver wrote above them. */
export const SEEN_FIELDS: readonly string[] = ["from", "message-id", "authentication-results"];

type Ours = Pick<PlacementMail, "messageId" | "fromEmail" | "sentAt">;
type Seen = Pick<
  PlacementMail,
  "place" | "category" | "folder" | "arrivedAt" | "copies" | "authBy" | "spf" | "dkim" | "dmarc"
>;

/** Of what bears a mail's Message-ID, what is from its sender: a search finds parts of words, and any sender can write an id. */
export const oursAmong = (mail: Ours, sightings: readonly Sighting[]): Sighting[] =>
  sightings.filter(({ header }) => {
    const fields = fieldsOf(header);
    const [from] = addressesOf(fields, "from");
    return (
      messageIds(fieldValue(fields, "message-id")).includes(mail.messageId) &&
      from !== undefined &&
      emailKey(from.email) === emailKey(mail.fromEmail)
    );
  });

/** What came first counts; of two at once the one in the worse place. Null where none of it is ours. */
export function seenOf(mail: Ours, ours: readonly Sighting[], now: Date): Seen | null {
  const [first] = ours.toSorted(
    (a, b) => arrival(a) - arrival(b) || rank(a) - rank(b) || a.uid - b.uid,
  );
  if (first === undefined) return null;
  const auth = readAuthenticationResults(
    fieldValues(fieldsOf(first.header), "authentication-results"),
  );
  return {
    place: first.place,
    category: first.category,
    folder: first.folder.slice(0, 200),
    arrivedAt: within(first.receivedAt ?? now, mail.sentAt, now),
    copies: ours.length,
    authBy: auth?.by?.slice(0, 255) ?? null,
    spf: auth?.spf ?? null,
    dkim: auth?.dkim ?? null,
    dmarc: auth?.dmarc ?? null,
  };
}

const fieldsOf = (header: Uint8Array<ArrayBuffer>) =>
  readHeaderBlock(new TextDecoder().decode(header));

const arrival = ({ receivedAt }: Sighting): number => receivedAt?.getTime() ?? Infinity;
const rank = ({ place }: Sighting): number => ["spam", "other", "inbox"].indexOf(place);

/** A server's clock is its own: nothing arrives before it was sent, or after it was seen. */
const within = (at: Date, sentAt: Date | null, now: Date): Date =>
  new Date(Math.min(now.getTime(), Math.max(at.getTime(), sentAt?.getTime() ?? 0)));
