import type { OutgoingRaw, SendResult } from "./index.ts";
import { isEnvelopeAddress, needsSmtpUtf8 } from "./smtp-address.ts";
import type { Capabilities } from "./smtp-replies.ts";
import { refusedHere } from "./smtp-verdict.ts";

/** A message that may be put on this wire. */
export interface PreparedMessage {
  id: string;
  /** The MAIL and RCPT command lines. */
  mail: string;
  rcpt: string;
  raw: Uint8Array;
}

const CR = 13;
const LF = 10;
const DOT = 46;

/** The commands of a message on a server of these capabilities, or why it must not be sent there. */
export function prepareMessage(
  message: OutgoingRaw,
  capabilities: Capabilities,
): PreparedMessage | Extract<SendResult, { state: "rejected" }> {
  const { from, to, raw } = message;
  if (!isEnvelopeAddress(to)) return refusedHere(553, "5.1.3", "malformed address", "recipient");
  if (!isEnvelopeAddress(from))
    return refusedHere(553, "5.1.7", "malformed sender address", "sender");

  const bytes = inspect(raw);
  // A lone CR or LF is where two servers may see the end of a message differently ("SMTP smuggling").
  if (bytes.bareNewline) return refusedHere(554, "5.6.0", "bare CR or LF in message", "message");

  const limit = Number(capabilities.get("SIZE"));
  if (limit > 0 && raw.length > limit)
    return refusedHere(552, "5.3.4", `message exceeds the server's ${limit} bytes`, "message");

  // RFC 6531 section 3.2: addresses of the header count as those of the envelope do.
  const international = [from, to].some(needsSmtpUtf8) || hasUtf8Header(raw);
  if (international && !capabilities.has("SMTPUTF8")) {
    const scope = needsSmtpUtf8(to) ? "recipient" : "sender";
    return refusedHere(553, "5.6.7", "the server takes no international addresses", scope);
  }
  const parameters = [
    ...(capabilities.has("SIZE") ? [`SIZE=${raw.length}`] : []),
    ...(bytes.eightBit && capabilities.has("8BITMIME") ? ["BODY=8BITMIME"] : []),
    ...(international ? ["SMTPUTF8"] : []),
  ];
  return {
    id: message.id,
    mail: [`MAIL FROM:<${from}>`, ...parameters].join(" ") + "\r\n",
    rcpt: `RCPT TO:<${to}>\r\n`,
    raw,
  };
}

/** Whether a byte above 127 stands before the empty line (RFC 6532). */
export function hasUtf8Header(raw: Uint8Array): boolean {
  for (let index = 0; index < raw.length; index++) {
    if (raw[index]! > 127) return true;
    if (raw[index] === LF && raw[index + 1] === CR) return false;
  }
  return false;
}

function inspect(raw: Uint8Array): { bareNewline: boolean; eightBit: boolean } {
  let eightBit = false;
  for (let index = 0; index < raw.length; index++) {
    const byte = raw[index]!;
    if (byte > 127) eightBit = true;
    else if (byte === LF) return { bareNewline: true, eightBit };
    else if (byte === CR) {
      if (raw[index + 1] !== LF) return { bareNewline: true, eightBit };
      index++;
    }
  }
  return { bareNewline: false, eightBit };
}

/** The DATA form (RFC 5321 section 4.5.2): leading dots doubled, a final CRLF, and the terminator. */
export function dotStuffed(raw: Uint8Array): Uint8Array {
  let dots = 0;
  for (let index = 0; index < raw.length; index++) if (isLeadingDot(raw, index)) dots++;
  const endsLine = raw.length === 0 || raw[raw.length - 1] === LF;
  const terminator = endsLine ? ".\r\n" : "\r\n.\r\n";
  const out = new Uint8Array(raw.length + dots + terminator.length);
  let from = 0;
  let at = 0;
  for (let index = 0; dots > 0 && index < raw.length; index++) {
    if (!isLeadingDot(raw, index)) continue;
    out.set(raw.subarray(from, index + 1), at);
    at += index + 1 - from;
    from = index;
    dots--;
  }
  out.set(raw.subarray(from), at);
  at += raw.length - from;
  out.set(new TextEncoder().encode(terminator), at);
  return out;
}

function isLeadingDot(raw: Uint8Array, index: number): boolean {
  return raw[index] === DOT && (index === 0 || raw[index - 1] === LF);
}
