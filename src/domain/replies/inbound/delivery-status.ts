import type { DeliveryStatus, RecipientReport } from "./inbound-mail.ts";
import { fieldValue, readFieldGroups, type HeaderField } from "./header-fields.ts";

const MAX_RECIPIENTS = 200;

/** Reads message/delivery-status (RFC 3464); tolerates missing and additional empty lines. */
export function readDeliveryStatus(text: string): DeliveryStatus {
  const groups = readFieldGroups(text).flatMap(splitRecipients);
  const isRecipient = (group: readonly HeaderField[]) =>
    group.some(({ name }) => /^(final-recipient|original-recipient|action|status)$/.test(name));
  const message = groups.find((group) => !isRecipient(group)) ?? groups[0] ?? [];
  const envelopeId = xtext(fieldValue(message, "original-envelope-id"));
  return {
    reportingMta: typed(fieldValue(message, "reporting-mta")),
    envelopeId: envelopeId === "" ? null : envelopeId,
    recipients: groups.filter(isRecipient).slice(0, MAX_RECIPIENTS).map(readRecipient),
  };
}

/** Some systems leave out the empty line between two recipients. */
function splitRecipients(group: HeaderField[]): HeaderField[][] {
  const starts = group.flatMap(({ name }, index) => (name === "final-recipient" ? [index] : []));
  if (starts.length < 2) return [group];
  return starts.map((start, nth) => group.slice(nth === 0 ? 0 : start, starts[nth + 1]));
}

function readRecipient(group: readonly HeaderField[]): RecipientReport {
  const originalRecipient = addressOf(fieldValue(group, "original-recipient"));
  const finalRecipient = addressOf(fieldValue(group, "final-recipient"));
  const actual = addressOf(fieldValue(group, "x-actual-recipient"));
  return {
    recipient: finalRecipient ?? originalRecipient ?? actual,
    originalRecipient,
    action: /^[a-z]+/.exec(fieldValue(group, "action").toLowerCase())?.[0] ?? "",
    status: /\b([245]\.\d{1,3}\.\d{1,3})\b/.exec(fieldValue(group, "status"))?.[1] ?? "",
    diagnostic: ["diagnostic-code", "x-diagnostic-code", "x-supplementary-info", "x-notes"]
      .map((name) => fieldValue(group, name))
      .filter((value) => value !== "")
      .join(" ")
      .slice(0, 4_000),
    remoteMta: typed(fieldValue(group, "remote-mta")),
  };
}

const typed = (value: string): string => value.replace(/^[\w-]+\s*;\s*/, "").trim();

/** RFC 3461 section 4. */
const xtext = (value: string): string =>
  value.replace(/\+([0-9A-F]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );

/** The address in a typed field such as `rfc822; <ann@b.zz>`. */
function addressOf(value: string): string | null {
  const encoded = typed(value);
  const address = /[^\s<>(),;:"]{1,200}@[^\s<>(),;:"]{1,250}/.exec(
    encoded.includes("@") ? encoded : xtext(encoded),
  )?.[0];
  return address === undefined ? null : address.toLowerCase();
}
