import type { AccountStage, Dial, DialTarget, Duplex, SmtpCredentials } from "./index.ts";
import { authenticate } from "./smtp-auth.ts";
import { brokeOff, notOffered, refusedToOpen, SmtpOpenError } from "./smtp-open-error.ts";
import { type Capabilities, capabilitiesOf, SmtpProtocolError } from "./smtp-replies.ts";
import { createSmtpWire, type SmtpWire, within } from "./smtp-wire.ts";

/** Milliseconds. The defaults are the minimums of RFC 5321 section 4.5.3.2; a tick sets shorter ones. */
export interface SmtpTimeouts {
  /** TCP connect, and again the TLS handshake. */
  connect: number;
  greeting: number;
  /** EHLO, AUTH, MAIL, RCPT, RSET. */
  command: number;
  dataStart: number;
  /** Each block of the message body. */
  dataBlock: number;
  /** The reply after the final dot. A short one makes duplicates: expiry means "unknown". */
  final: number;
  quit: number;
}

export const rfc5321Timeouts: SmtpTimeouts = {
  connect: 30_000,
  greeting: 300_000,
  command: 300_000,
  dataStart: 120_000,
  dataBlock: 180_000,
  final: 600_000,
  quit: 2_000,
};

export interface SmtpOpenOptions extends SmtpCredentials {
  /** Name given in EHLO: a host name or an address literal. */
  ehloName: string;
  timeouts?: Partial<SmtpTimeouts>;
  /** Ends every wait, of the session too. */
  signal?: AbortSignal;
}

export interface OpenedWire {
  wire: SmtpWire;
  /** What the server calls itself, in its words. */
  greeting: string;
  capabilities: Capabilities;
}

/** Connects, secures, greets and authenticates; throws SmtpOpenError, and leaves no socket behind. */
export async function openWire(dial: Dial, options: SmtpOpenOptions): Promise<OpenedWire> {
  const { host, port, security, signal } = options;
  const where = `${host}:${port}`;
  const timeouts = { ...rfc5321Timeouts, ...options.timeouts };
  if (!/^[A-Za-z0-9.:[\]_-]{1,255}$/.test(options.ehloName))
    throw new Error("ehloName is not a host name or an address literal");

  let wire: SmtpWire | undefined;
  let stage: AccountStage = "connect";
  try {
    const target = { host, port, tls: security === "tls", startTlsLater: security === "starttls" };
    let duplex = await dialWithin(dial, target, timeouts.connect, signal);
    wire = createSmtpWire(duplex, signal);

    stage = "greeting";
    const greeting = await wire.readReply(timeouts.greeting);
    // FTP and NNTP speak in such codes too; these are what an SMTP server may begin with (RFC 5321, RFC 7504).
    if (![220, 421, 521, 554].includes(greeting.code) && greeting.code < 500)
      throw new SmtpProtocolError("it does not greet as an SMTP server");
    if (greeting.code !== 220)
      throw refusedToOpen(stage, `${where} does not take connections`, greeting, host);

    stage = "ehlo";
    let capabilities = await ehlo(wire, options, timeouts);
    if (security === "starttls") {
      stage = "tls";
      if (!capabilities.has("STARTTLS")) throw notOffered(options);
      await wire.ask("STARTTLS\r\n", timeouts.command);
      const ready = await wire.readReply(timeouts.command);
      if (ready.code !== 220) throw refusedToOpen(stage, `${where} refused STARTTLS`, ready, host);
      // Bytes that came with the 220 were said in clear and must not be read as said under TLS (CVE-2011-0411).
      if (wire.pendingBytes() > 0)
        throw new SmtpOpenError(
          stage,
          `${where} sent data between STARTTLS and TLS; someone may be tampering`,
          true,
        );
      wire.release();
      const handshake = duplex.startTls();
      duplex = await within(handshake, timeouts.connect, "no TLS handshake in time", signal);
      wire = createSmtpWire(duplex, signal);
      stage = "ehlo";
      capabilities = await ehlo(wire, options, timeouts);
    }
    if (options.username !== undefined) {
      stage = "auth";
      await authenticate(wire, capabilities, options, timeouts.command);
    }
    return { wire, capabilities, greeting: greeting.lines.join(" ") };
  } catch (error) {
    await wire?.close();
    throw error instanceof SmtpOpenError ? error : brokeOff(stage, options, error);
  }
}

/** A connection that comes too late is closed. */
export async function dialWithin(
  dial: Dial,
  target: DialTarget,
  ms: number,
  signal?: AbortSignal,
): Promise<Duplex> {
  const abort = new AbortController();
  const dialling = dial(target, abort.signal);
  try {
    return await within(dialling, ms, "no connection in time", signal);
  } catch (error) {
    abort.abort();
    dialling.then((late) => late.close()).catch(() => {});
    throw error;
  }
}

async function ehlo(
  wire: SmtpWire,
  { host, port, ehloName }: SmtpOpenOptions,
  timeouts: SmtpTimeouts,
): Promise<Capabilities> {
  await wire.ask(`EHLO ${ehloName}\r\n`, timeouts.command);
  const reply = await wire.readReply(timeouts.command);
  if (reply.code !== 250)
    throw refusedToOpen("ehlo", `${host}:${port} refused EHLO ${ehloName}`, reply, host);
  return capabilitiesOf(reply);
}
