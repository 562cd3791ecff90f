import { noteReturnSeen } from "#db/senders/return-test.ts";
import type { Deps } from "#src/deps.ts";
import { createReturnTestTokens } from "#src/domain/senders/return-test-token.ts";
import type { Inbound } from "./classify.ts";
import { arrivedByTls } from "./arrival.ts";
import { fieldValues, type HeaderField } from "./header-fields.ts";

/** The header field that carries the token of a mail by which replies are tested. */
export const RETURN_TEST_HEADER = "X-Overture-Return-Test";
/** Begins the Message-ID of such a mail. */
export const RETURN_TEST_ID = "return-test.";

const TOKEN = "[a-z2-7]{45}";
const MARKS: readonly { name: string; pattern: RegExp }[] = [
  { name: "x-overture-return-test", pattern: new RegExp(`^\\s*(${TOKEN})\\s*$`, "i") },
  { name: "message-id", pattern: new RegExp(`<return-test\\.(${TOKEN})@`, "i") },
];
/** The fields that say whether a mail may be one by which replies are tested. */
export const RETURN_TEST_FIELDS: readonly string[] = [...MARKS.map(({ name }) => name), "subject"];

const IN_SUBJECT = new RegExp(`\\[(${TOKEN})\\]`, "i");

/** Tokens in a header, by how sure it is that the mail itself is the test. Unverified: any sender can write one. */
export interface ReturnTestMarks {
  /** The marks in the mail's own fields, which an answer or a report does not have. */
  own: string[];
  /** The marks in the subject, where forwarding leaves them, and answers and reports repeat them. */
  subject: string[];
}

/** Reads a header alone: who fetches mail by its header asks this before the rest. */
export function returnTestMarks(headers: readonly HeaderField[]): ReturnTestMarks {
  const found = (name: string, pattern: RegExp) =>
    fieldValues(headers, name).flatMap((value) => pattern.exec(value)?.[1]?.toLowerCase() ?? []);
  return {
    own: MARKS.flatMap(({ name, pattern }) => found(name, pattern)),
    subject: found("subject", IN_SUBJECT),
  };
}

/** Whether a mail with this header may be one by which replies are tested. */
export const isReturnTest = (headers: readonly HeaderField[]): boolean => {
  const { own, subject } = returnTestMarks(headers);
  return own.length + subject.length > 0;
};

/** A machine's answer repeats the subject and comes by another way than replies do. */
const NO_PROOF_BY_SUBJECT: ReadonlySet<string> = new Set([
  "auto_reply",
  "challenge",
  "out_of_office",
  "left_company",
]);
/** What came back is then not the mail itself, but that it did not arrive. */
const NO_PROOF: ReadonlySet<string> = new Set(["bounce", "delayed", "delivered", "complaint"]);

/**
 * Notes that the test of an alias came back; false when the mail is none of ours, or of an alias that is not here.
 * Out of a mailbox of a workspace only its own tests do. Safe to repeat.
 */
export async function takeReturnTest(
  deps: Deps,
  headers: readonly HeaderField[],
  inbound: Inbound,
  scope: { workspaceId: string } | null,
): Promise<boolean> {
  if (NO_PROOF.has(inbound.class)) return false;
  const { own, subject } = returnTestMarks(headers);
  const tokens = createReturnTestTokens(deps.settings.trackingSecrets);
  for (const token of [...own, ...(NO_PROOF_BY_SUBJECT.has(inbound.class) ? [] : subject)]) {
    const test = await tokens.read(token);
    if (test === null) continue;
    // What others forward to the service says how they forward.
    const seen = { tls: scope && arrivedByTls(headers), now: deps.clock.now() };
    if (await noteReturnSeen(deps.db, { ...test, workspaceId: scope?.workspaceId }, seen))
      return true;
  }
  return false;
}
