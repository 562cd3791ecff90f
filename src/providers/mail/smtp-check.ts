import type { AccountReport, Dial } from "./index.ts";
import { isEnvelopeAddress, needsSmtpUtf8 } from "./smtp-address.ts";
import { explainSilence, openDiagnosed } from "./smtp-diagnose.ts";
import { type OpenedWire, rfc5321Timeouts, type SmtpOpenOptions } from "./smtp-open.ts";
import { brokeOff, refusedToOpen, SmtpOpenError } from "./smtp-open-error.ts";
import type { SmtpReply } from "./smtp-replies.ts";
import { REFUSES_RELAYING } from "./smtp-verdict.ts";

/**
 * Opens the account as a send would, asks whether it may send as `sender`, and sends nothing. It
 * takes `limitMs` at most, and a second more for a socket that does not close.
 */
export async function checkAccount(
  dial: Dial,
  account: SmtpOpenOptions,
  sender: string,
  limitMs: number,
): Promise<AccountReport> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), limitMs);
  const options = { ...account, signal: limit.signal };
  try {
    const opened = await openDiagnosed(dial, options).catch(async (error: unknown) => {
      throw error instanceof SmtpOpenError ? await explainSilence(dial, options, error) : error;
    });
    try {
      await askForSender(opened, options, sender);
    } finally {
      await sayGoodbye(opened, options);
    }
    const { host, port, username } = account;
    const login = username === undefined ? " " : ", accepted the login ";
    return {
      ok: true,
      stage: "ready",
      message: `${host}:${port} answered${login}and takes ${sender} as sender; no mail was sent.`,
      capabilities: [...opened.capabilities.keys()],
    };
  } catch (error) {
    if (!(error instanceof SmtpOpenError)) throw error;
    const fault = error.permanent ? "account" : "line";
    const { stage, message, tokenRefused } = error;
    const token = tokenRefused ? ({ tokenRefused } as const) : {};
    return { ok: false, stage, message, capabilities: [], fault, ...token };
  } finally {
    clearTimeout(timer);
  }
}

/**
 * MAIL, and RCPT to the sender itself, because some servers judge MAIL only at RCPT; then RSET. A
 * recipient that is refused for a reason of its own says nothing of the sender.
 */
async function askForSender(
  { wire, capabilities }: OpenedWire,
  options: SmtpOpenOptions,
  sender: string,
): Promise<void> {
  const { host, port, timeouts } = options;
  const where = `${host}:${port}`;
  const ms = timeouts?.command ?? rfc5321Timeouts.command;
  const ask = async (line: string): Promise<SmtpReply> => {
    await wire.ask(`${line}\r\n`, ms);
    return wire.readReply(ms);
  };
  if (!isEnvelopeAddress(sender))
    throw new SmtpOpenError("sender", "The alias has no address that mail can be sent from.", true);
  const utf8 = needsSmtpUtf8(sender);
  if (utf8 && !capabilities.has("SMTPUTF8"))
    throw new SmtpOpenError(
      "sender",
      `${where} takes no international addresses (SMTPUTF8), and ${sender} is one: use one in plain letters.`,
      true,
    );
  const refused = (reply: SmtpReply) =>
    refusedToOpen("sender", `${where} does not let this account send as ${sender}`, reply, host);
  try {
    const mail = await ask(`MAIL FROM:<${sender}>${utf8 ? " SMTPUTF8" : ""}`);
    if (mail.code >= 300) throw refused(mail);
    const rcpt = await ask(`RCPT TO:<${sender}>`);
    if (isAboutSender(rcpt)) throw refused(rcpt);
    if (takesNothingFrom(options, rcpt))
      throw refusedToOpen("sender", `${where} takes no mail from this account`, rcpt, host);
    await ask("RSET");
  } catch (error) {
    throw error instanceof SmtpOpenError ? error : brokeOff("sender", options, error);
  }
}

/** Postfix judges the sender at RCPT: 553 5.7.1 <a@b.c>: Sender address rejected: not owned by user d. */
function isAboutSender({ code, enhanced = "", lines }: SmtpReply): boolean {
  return (
    code >= 500 &&
    (/^5\.1\.[78]$/.test(enhanced) ||
      /sender address rejected|not owned by user|send as|sender (is )?not (allowed|authori[sz]ed)/i.test(
        lines.join(" "),
      ))
  );
}

/**
 * A server may accept a session without a login, and MAIL, but refuse to relay any recipient. Without a login any
 * refusal but that of the sender's own mailbox is one of this client (RFC 3463: X.1.x addresses, X.2.x mailboxes).
 */
function takesNothingFrom(
  { username }: SmtpOpenOptions,
  { code, enhanced = "", lines }: SmtpReply,
): boolean {
  if (code < 500) return false;
  if (code === 530 || REFUSES_RELAYING.test(lines.join(" "))) return true;
  return username === undefined && !/^5\.[12]\./.test(enhanced);
}

async function sayGoodbye({ wire }: OpenedWire, { timeouts }: SmtpOpenOptions): Promise<void> {
  const ms = timeouts?.quit ?? rfc5321Timeouts.quit;
  await wire.write("QUIT\r\n", ms).catch(() => {});
  await wire.readReply(ms).catch(() => {});
  await wire.close();
}
