import type { Dial, OutgoingRaw, SendResult, SendStage } from "./index.ts";
import { dotStuffed, prepareMessage, type PreparedMessage } from "./smtp-envelope.ts";
import { type Capabilities, openWire, rfc5321Timeouts, type SmtpOpenOptions } from "./smtp-open.ts";
import { isPositive, replyText, type SmtpReply } from "./smtp-replies.ts";
import { connectionLost, refusal } from "./smtp-verdict.ts";

export { SmtpOpenError } from "./smtp-open-error.ts";
export { rfc5321Timeouts, type SmtpOpenOptions, type SmtpTimeouts } from "./smtp-open.ts";

export interface SmtpSession {
  readonly capabilities: Capabilities;
  /** False once the connection is lost or the server said 421; every later send is deferred. */
  readonly usable: boolean;
  /** One message, one attempt. Never throws: whatever happens is a result. */
  send(message: OutgoingRaw): Promise<SendResult>;
  /**
   * Many messages over one connection, one round trip each: with PIPELINING the envelope of the next
   * message rides with the body of the previous one. At most `window` messages can end "unknown".
   */
  sendAll(
    messages: readonly OutgoingRaw[],
    onResult: (id: string, result: SendResult) => void,
  ): Promise<void>;
  /** Says goodbye and closes; never throws. */
  quit(): Promise<void>;
}

const BLOCK_BYTES = 64 * 1024;
/** After a failed write: how long to look for the reply that explains it. */
const LAST_WORDS_MS = 1_000;

/**
 * An authenticated session, ready for MAIL. Throws SmtpOpenError. One user at a time: a second call
 * of `send` must wait for the first.
 */
export async function openSmtpSession(dial: Dial, options: SmtpOpenOptions): Promise<SmtpSession> {
  const { wire, capabilities } = await openWire(dial, options);
  const timeouts = { ...rfc5321Timeouts, ...options.timeouts };
  const pipelining = capabilities.has("PIPELINING");
  const window = capabilities.has("CHUNKING") && pipelining ? (options.window ?? 1) : 1;
  const encoder = new TextEncoder();
  let usable = true;
  /** A transaction was begun and not finished: RSET goes before the next MAIL. */
  let resetFirst = false;

  async function abandon(): Promise<void> {
    usable = false;
    await wire.close();
  }

  async function readReply(ms: number): Promise<SmtpReply> {
    const reply = await wire.readReply(ms);
    if (reply.code === 421) usable = false;
    return reply;
  }

  const envelopeOf = (message: PreparedMessage): string[] => {
    const lines = [...(resetFirst ? ["RSET\r\n"] : []), message.mail, message.rcpt, "DATA\r\n"];
    resetFirst = false;
    return lines;
  };

  /**
   * RSET, MAIL, RCPT, DATA; in one write where the server allows it, or already written behind the
   * previous body. Null means 354: the server waits for the body.
   */
  async function sendEnvelope(
    lines: readonly string[],
    alreadySent: boolean,
  ): Promise<SendResult | null> {
    let stage: SendStage = "mail";
    let refused: SendResult | null = null;
    try {
      if (pipelining && !alreadySent) await wire.write(lines.join(""), timeouts.command);
      for (const line of lines) {
        stage = stageOf(line);
        if (!pipelining) await wire.write(line, timeouts.command);
        const reply = await readReply(stage === "data" ? timeouts.dataStart : timeouts.command);
        if (stage === "data" && reply.code === 354) {
          if (!refused) return null;
          // RFC 2920 section 3.1: the server waits for a message to nobody; a lone dot ends it.
          await wire.write(".\r\n", timeouts.dataBlock);
          await readReply(timeouts.final);
        } else if (reply.code >= 400) {
          refused ??= refusal(reply, stage);
        } else if (stage === "data" || !isPositive(reply)) {
          throw new Error(`unexpected reply: ${replyText(reply)}`);
        }
        // Without pipelining nothing more has been said, and nothing more need be.
        if (!usable || (refused && !pipelining)) break;
      }
    } catch (error) {
      await abandon();
      return refused ?? connectionLost(reasonOf(error), stage);
    }
    if (!usable) await abandon();
    resetFirst = true;
    return refused ?? connectionLost("the server ended the session", stage);
  }

  /** The body with its final dot, and what rides behind it; from the last block on, a loss is "unknown". */
  async function sendBody(raw: Uint8Array, tail: string): Promise<SendResult> {
    const body = dotStuffed(raw);
    const lastBlock = Math.max(0, body.length - BLOCK_BYTES);
    let dotSent = false;
    try {
      for (let at = 0; at < lastBlock; at += BLOCK_BYTES)
        await wire.write(
          body.subarray(at, Math.min(at + BLOCK_BYTES, lastBlock)),
          timeouts.dataBlock,
        );
      dotSent = true;
      await wire.write(joined(body.subarray(lastBlock), encoder.encode(tail)), timeouts.dataBlock);
    } catch (error) {
      const words = await wire.readReply(Math.min(LAST_WORDS_MS, timeouts.final)).catch(() => null);
      await abandon();
      if (words && words.code >= 400) return refusal(words, "final");
      const reason = reasonOf(error);
      return dotSent ? { state: "unknown", reason } : connectionLost(reason, "data");
    }
    return readOutcome();
  }

  async function readOutcome(): Promise<SendResult> {
    try {
      const reply = await readReply(timeouts.final);
      if (isPositive(reply)) return { state: "accepted", reply: replyText(reply) };
      if (reply.code >= 400) return refusal(reply, "final");
      throw new Error(`unexpected reply after the message: ${replyText(reply)}`);
    } catch (error) {
      await abandon();
      return { state: "unknown", reason: reasonOf(error) };
    }
  }

  type OnResult = (id: string, result: SendResult) => void;

  async function sendByData(
    messages: readonly PreparedMessage[],
    onResult: OnResult,
  ): Promise<void> {
    let envelope: string[] | null = null;
    for (const [index, message] of messages.entries()) {
      if (!usable) {
        onResult(message.id, connectionLost("the connection was lost before this message", "mail"));
        continue;
      }
      const refused = await sendEnvelope(envelope ?? envelopeOf(message), envelope !== null);
      envelope = null;
      if (refused) {
        onResult(message.id, refused);
        continue;
      }
      const next = messages[index + 1];
      if (next && pipelining) envelope = envelopeOf(next);
      onResult(message.id, await sendBody(message.raw, envelope?.join("") ?? ""));
    }
  }

  /** BDAT (RFC 3030): envelope and body in one write, up to `window` messages unanswered. */
  async function sendByChunks(
    messages: readonly PreparedMessage[],
    onResult: OnResult,
  ): Promise<void> {
    const inFlight: PreparedMessage[] = [];
    let next = 0;
    while (next < messages.length || inFlight.length > 0) {
      while (usable && next < messages.length && inFlight.length < window) {
        const message = messages[next++]!;
        const head = `RSET\r\n${message.mail}${message.rcpt}BDAT ${message.raw.length} LAST\r\n`;
        inFlight.push(message);
        await wire
          .write(joined(encoder.encode(head), message.raw), timeouts.dataBlock)
          .catch(abandon);
      }
      const message = inFlight.shift();
      if (message) onResult(message.id, await readChunkOutcome());
      else if (!usable)
        for (; next < messages.length; next++)
          onResult(
            messages[next]!.id,
            connectionLost("the connection was lost before this message", "mail"),
          );
    }
  }

  async function readChunkOutcome(): Promise<SendResult> {
    let refused: SendResult | null = null;
    try {
      await readReply(timeouts.command);
      for (const stage of ["mail", "rcpt"] as const) {
        const reply = await readReply(timeouts.command);
        if (!isPositive(reply)) refused ??= refusal(reply, stage);
      }
    } catch (error) {
      await abandon();
      return refused ?? { state: "unknown", reason: reasonOf(error) };
    }
    const outcome = await readOutcome();
    return refused ?? outcome;
  }

  async function sendAll(messages: readonly OutgoingRaw[], onResult: OnResult): Promise<void> {
    const prepared: PreparedMessage[] = [];
    for (const message of messages) {
      const result = prepareMessage(message, capabilities);
      if ("state" in result) onResult(message.id, result);
      else prepared.push(result);
    }
    await (window > 1 ? sendByChunks : sendByData)(prepared, onResult);
  }

  return {
    capabilities,
    get usable() {
      return usable;
    },
    async send(message) {
      let result: SendResult = connectionLost("the connection is closed", "mail");
      await sendAll([message], (_, outcome) => {
        result = outcome;
      });
      return result;
    },
    sendAll,
    async quit() {
      if (usable) {
        usable = false;
        await wire.write("QUIT\r\n", timeouts.quit).catch(() => {});
        await wire.readReply(timeouts.quit).catch(() => {});
      }
      await wire.close();
    },
  };
}

function stageOf(line: string): SendStage {
  if (line.startsWith("RCPT")) return "rcpt";
  return line.startsWith("DATA") ? "data" : "mail";
}

function joined(head: Uint8Array, tail: Uint8Array): Uint8Array {
  if (tail.length === 0) return head;
  const all = new Uint8Array(head.length + tail.length);
  all.set(head);
  all.set(tail, head.length);
  return all;
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
