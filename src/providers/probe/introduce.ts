import { capabilitiesOf, isPermanent, type SmtpReply } from "#src/providers/mail/smtp-replies.ts";
import { within } from "#src/providers/mail/smtp-wire.ts";
import { exchange, resume, type Talk } from "./talk.ts";

export interface Caller {
  /** A name that the machine's address resolves to, forward and back. */
  ehloName: string;
  /** An address that takes mail; where it is refused, the empty one is tried. */
  sender: string;
}

/** How long the next phase may take, in milliseconds. */
export type PhaseMs = () => number;

/** The host's TLS does not work, though it asks for it. */
export class TlsFailed extends Error {
  override readonly name = "SmtpTlsFailed";
}

/** From the banner to the sender; false when the host refuses us, in its last reply. */
export async function introduce(
  talk: Talk,
  caller: Caller,
  { utf8, phaseMs }: { utf8: boolean; phaseMs: PhaseMs },
): Promise<boolean> {
  const banner = await exchange(talk, "banner", null, phaseMs());
  if (banner.code !== 220 || !(await greet(talk, caller, phaseMs))) return false;
  const mail = (sender: string): Promise<SmtpReply> => {
    const parameter = utf8 && talk.capabilities.has("SMTPUTF8") ? " SMTPUTF8" : "";
    return exchange(talk, "mail", `MAIL FROM:<${sender}>${parameter}`, phaseMs());
  };
  let reply = await mail(caller.sender);
  // Three round trips, and mail hosts often have invalid certificates: only where the host demands TLS.
  if (wantsTls(reply) && talk.capabilities.has("STARTTLS")) {
    if (!(await secure(talk, caller, phaseMs))) return false;
    reply = await mail(caller.sender);
  }
  if (isAboutSender(reply)) reply = await mail("");
  return reply.code === 250;
}

/** EHLO, or HELO where that is not understood (RFC 5321 section 3.2). */
async function greet(talk: Talk, { ehloName }: Caller, phaseMs: PhaseMs): Promise<boolean> {
  const ehlo = await exchange(talk, "ehlo", `EHLO ${ehloName}`, phaseMs());
  talk.capabilities = ehlo.code === 250 ? capabilitiesOf(ehlo) : new Map();
  if (ehlo.code === 250) return true;
  if (!isPermanent(ehlo)) return false;
  const helo = await exchange(talk, "ehlo", `HELO ${ehloName}`, phaseMs());
  return helo.code === 250;
}

const ASKS_FOR_TLS =
  /\b(starttls|tls|encrypt\w*)\b.*\b(first|requir\w*|must|need\w*)|\b(requires?|must|needs?)\b.*\b(starttls|tls|encrypt\w*)\b/i;

const wantsTls = ({ code, lines }: SmtpReply): boolean =>
  code === 530 || (code >= 400 && ASKS_FOR_TLS.test(lines.join(" ")));

const isAboutSender = ({ code, enhanced = "" }: SmtpReply): boolean =>
  (code >= 500 && code !== 530) || /^4\.1\.[78]$/.test(enhanced);

async function secure(talk: Talk, caller: Caller, phaseMs: PhaseMs): Promise<boolean> {
  const ready = await exchange(talk, "tls", "STARTTLS", phaseMs());
  if (ready.code !== 220) return false;
  // What came with the 220 was said in clear, and must not be read as said under TLS (CVE-2011-0411).
  if (talk.wire.pendingBytes() > 0) throw new TlsFailed("it spoke between STARTTLS and TLS");
  talk.wire.release();
  try {
    const handshake = talk.duplex.startTls();
    resume(talk, await within(handshake, phaseMs(), "no TLS handshake in time", talk.signal));
  } catch (error) {
    throw new TlsFailed(error instanceof Error ? error.message : String(error));
  }
  return greet(talk, caller, phaseMs);
}
