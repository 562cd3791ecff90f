import { type Address, addressParser } from "postal-mime";
import { bodyStart, headerField, type Part, readParameters, readParts } from "./imap-parts.ts";
import { sentString } from "./imap-syntax.ts";

/** ENVELOPE (RFC 3501 section 7.4.2). */
export function envelopeOf(raw: string): string {
  const header = raw.slice(0, bodyStart(raw));
  const field = (name: string) => headerField(header, name);
  const people = (name: string, otherwise?: string) =>
    addressList(field(name) ?? (otherwise === undefined ? null : field(otherwise)));
  return `(${[
    sentString(field("date")),
    sentString(field("subject")),
    people("from"),
    people("sender", "from"),
    people("reply-to", "from"),
    people("to"),
    people("cc"),
    people("bcc"),
    sentString(field("in-reply-to")),
    sentString(field("message-id")),
  ].join(" ")})`;
}

function addressList(field: string | null): string {
  if (field === null) return "NIL";
  const members = addressParser(field).flatMap((one: Address) => one.group ?? [one]);
  const sent = members.map(({ name, address = "" }) => {
    const at = address.lastIndexOf("@");
    const [local, host] = at < 0 ? [address, null] : [address.slice(0, at), address.slice(at + 1)];
    return `(${octets(name || null)} NIL ${octets(local)} ${octets(host)})`;
  });
  return sent.length === 0 ? "NIL" : `(${sent.join("")})`;
}

/** What was read as text, as octets again. */
const octets = (text: string | null): string =>
  sentString(text === null ? null : Buffer.from(text).toString("latin1"));

/** BODYSTRUCTURE; without its `extension` data it is BODY (RFC 3501 section 7.4.2). */
export const bodyStructureOf = (raw: string, extension: boolean): string =>
  structure(raw, readParts(raw), extension);

function structure(raw: string, part: Part, extension: boolean): string {
  const [type = "text", subtype = "plain"] = part.type.split("/");
  const header = raw.slice(part.start, part.body);
  const disposition = dispositionOf(header);
  if (part.parts.length > 0) {
    const parts = part.parts.map((one) => structure(raw, one, extension)).join("");
    const more = extension ? ` ${parameterList(part.parameters)} ${disposition} NIL NIL` : "";
    return `(${parts} ${sentString(subtype)}${more})`;
  }
  const body = raw.slice(part.body, part.end);
  const encoding = readParameters(headerField(header, "content-transfer-encoding") ?? "7bit").value;
  const isText = type === "text";
  const fields = [
    sentString(type),
    sentString(subtype),
    parameterList(isText ? { charset: "us-ascii", ...part.parameters } : part.parameters),
    sentString(headerField(header, "content-id")),
    sentString(headerField(header, "content-description")),
    sentString(encoding),
    String(body.length),
  ];
  const isMessage = part.type === "message/rfc822";
  if (isMessage) fields.push(envelopeOf(body), bodyStructureOf(body, extension));
  if (isText || isMessage) fields.push(String(body.split("\r\n").length - 1));
  if (extension) fields.push("NIL", disposition, "NIL", "NIL");
  return `(${fields.join(" ")})`;
}

function dispositionOf(header: string): string {
  const field = headerField(header, "content-disposition");
  if (field === null) return "NIL";
  const { value, parameters } = readParameters(field);
  return `(${sentString(value)} ${parameterList(parameters)})`;
}

function parameterList(parameters: Record<string, string>): string {
  const pairs = Object.entries(parameters).map(
    ([name, value]) => `${sentString(name)} ${sentString(value)}`,
  );
  return pairs.length === 0 ? "NIL" : `(${pairs.join(" ")})`;
}
