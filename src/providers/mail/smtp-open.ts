import type { AccountStage, Dial, SmtpCredentials } from "./index.ts";
import { authenticate } from "./smtp-auth.ts";
import { refusedToOpen, SmtpOpenError } from "./smtp-open-error.ts";
import { SmtpProtocolError } from "./smtp-replies.ts";
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
  /** How many messages may be on the wire unanswered, over BDAT. 1 (the default) sends by DATA. */
  window?: number;
}

export type Capabilities = ReadonlyMap<string, string>;

export interface OpenedWire {
  wire: SmtpWire;
  capabilities: Capabilities;
}

/** Connects, secures, greets and authenticates; throws SmtpOpenError, and leaves no socket behind. */
export async function openWire(dial: Dial, options: SmtpOpenOptions): Promise<OpenedWire> {
  const { host, port, security } = options;
  const where = `${host}:${port}`;
  const timeouts = { ...rfc5321Timeouts, ...options.timeouts };
  if (!/^[A-Za-z0-9.:[\]_-]{1,255}$/.test(options.ehloName))
    throw new Error("ehloName is not a host name or an address literal");

  let wire: SmtpWire | undefined;
  let stage: AccountStage = "connect";
  try {
    const abort = new AbortController();
    const target = { host, port, tls: security === "tls", startTlsLater: security === "starttls" };
    const dialling = dial(target, abort.signal);
    let duplex = await within(dialling, timeouts.connect, "no connection in time").catch(
      (error) => {
        abort.abort();
        dialling.then((late) => late.close()).catch(() => {});
        throw error;
      },
    );
    wire = createSmtpWire(duplex);

    stage = "greeting";
    const greeting = await wire.readReply(timeouts.greeting);
    if (greeting.code !== 220)
      throw refusedToOpen(stage, `${where} does not take connections`, greeting);

    stage = "ehlo";
    let capabilities = await ehlo(wire, options.ehloName, where, timeouts);
    if (security === "starttls") {
      stage = "tls";
      if (!capabilities.has("STARTTLS"))
        throw new SmtpOpenError(
          stage,
          `${where} does not offer STARTTLS, and mail is never sent in clear`,
          true,
        );
      await wire.write("STARTTLS\r\n", timeouts.command);
      const ready = await wire.readReply(timeouts.command);
      if (ready.code !== 220) throw refusedToOpen(stage, `${where} refused STARTTLS`, ready);
      // Bytes that came with the 220 were said in clear and must not be read as said under TLS (CVE-2011-0411).
      if (wire.pendingBytes() > 0)
        throw new SmtpOpenError(
          stage,
          `${where} sent data between STARTTLS and TLS; someone may be tampering`,
          true,
        );
      wire.release();
      duplex = await within(duplex.startTls(), timeouts.connect, "no TLS handshake in time");
      wire = createSmtpWire(duplex);
      stage = "ehlo";
      capabilities = await ehlo(wire, options.ehloName, where, timeouts);
    }
    if (options.username !== undefined) {
      stage = "auth";
      await authenticate(wire, capabilities, options, where, timeouts.command);
    }
    return { wire, capabilities };
  } catch (error) {
    await wire?.close();
    if (error instanceof SmtpOpenError) throw error;
    throw failed(stage, where, security !== "none", error);
  }
}

function failed(
  stage: AccountStage,
  where: string,
  secure: boolean,
  error: unknown,
): SmtpOpenError {
  const why = error instanceof Error ? error.message : String(error);
  // workerd reports an unknown name and a bad certificate alike, so the words cover both.
  if (stage === "connect")
    return new SmtpOpenError(
      stage,
      `Could not connect to ${where}${secure ? " (name, port or TLS)" : ""}: ${why}`,
      false,
    );
  if (stage === "tls") return new SmtpOpenError(stage, `TLS with ${where} failed: ${why}`, false);
  if (error instanceof SmtpProtocolError)
    return new SmtpOpenError(stage, `${where} does not speak SMTP: ${why}`, true);
  return new SmtpOpenError(stage, `The connection to ${where} broke off (${stage}): ${why}`, false);
}

async function ehlo(
  wire: SmtpWire,
  name: string,
  where: string,
  timeouts: SmtpTimeouts,
): Promise<Capabilities> {
  await wire.write(`EHLO ${name}\r\n`, timeouts.command);
  const reply = await wire.readReply(timeouts.command);
  if (reply.code !== 250) throw refusedToOpen("ehlo", `${where} refused the greeting`, reply);
  return new Map(
    reply.lines.slice(1).map((line): [string, string] => {
      // Old servers write AUTH=LOGIN; the keyword is what stands before the sign.
      const [keyword = "", ...rest] = line.trim().split(/[\s=]+/);
      return [keyword.toUpperCase(), rest.join(" ").toUpperCase()];
    }),
  );
}
