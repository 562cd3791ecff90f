import type { MailClues } from "#db/replies/find-answers.ts";
import { emailKey } from "#src/mime/email-key.ts";
import type { MessageHeader } from "#src/providers/inbox/index.ts";
import { isMailSystem } from "../bounce-signs.ts";
import { isJmrp } from "../complaint.ts";
import { fieldValue, type HeaderField, messageIds, readHeaderBlock } from "../header-fields.ts";
import { ENVELOPE_HEADERS, returnPathsIn } from "../matching.ts";
import { addressesOf, returnPathOf } from "../parse.ts";
import { isReturnTest, RETURN_TEST_FIELDS } from "../return-test.ts";
import { isAmazons } from "../ses-notification.ts";

/** The header fields by which a mail is matched; only these are fetched. */
export const CLUE_FIELDS: readonly string[] = [
  "from",
  "in-reply-to",
  "references",
  "return-path",
  "content-type",
  "x-failed-recipients",
  ...RETURN_TEST_FIELDS,
  ...ENVELOPE_HEADERS,
];

const MAX_IDS = 40;

export interface HeaderClues extends MailClues {
  /** A mail system or a provider wrote it: what it is about stands inside. */
  isReport: boolean;
  /** Recipients that look like the service's return paths. */
  returnPaths: readonly string[];
  /** The alias wrote it: a copy of its own words, unless it is by this that replies are tested. */
  isOwn: boolean;
  /** By it may be tested whether replies come back. */
  isReturnTest: boolean;
}

/** The clues in a header by which its mail is worth reading. */
export function readClues(header: MessageHeader, own: string, now: Date): HeaderClues {
  const fields = readHeaderBlock(new TextDecoder().decode(header.bytes));
  const from = addressesOf(fields, "from")[0] ?? null;
  const senderKey = from === null ? null : emailKey(from.email);
  const ids = ["in-reply-to", "references"].flatMap((name) => messageIds(fieldValue(fields, name)));
  return {
    uid: header.uid,
    at: header.receivedAt ?? now,
    messageIds: [...new Set(ids.slice(-MAX_IDS))],
    senderKey,
    isReport: isReport(fields, from),
    returnPaths: returnPathsIn(fields),
    isOwn: senderKey !== null && senderKey === emailKey(own),
    isReturnTest: isReturnTest(fields),
  };
}

function isReport(
  fields: readonly HeaderField[],
  from: ReturnType<typeof addressesOf>[number] | null,
): boolean {
  const returnPath = returnPathOf(fields);
  const subject = fieldValue(fields, "subject");
  return (
    /^multipart\/report\b/i.test(fieldValue(fields, "content-type")) ||
    fieldValue(fields, "x-failed-recipients") !== "" ||
    returnPath === "" ||
    isMailSystem({ from, returnPath }) ||
    isJmrp({ from, subject }) ||
    isAmazons({ from })
  );
}
