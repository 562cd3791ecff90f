import type { Dial, OutgoingRaw, SendResult } from "./index.ts";
import { sendByChunks } from "./smtp-chunks.ts";
import { openDiagnosed } from "./smtp-diagnose.ts";
import { sendByData } from "./smtp-data.ts";
import { prepareMessage, type PreparedMessage } from "./smtp-envelope.ts";
import { createLine, rest, stopCooling } from "./smtp-line.ts";
import { rfc5321Timeouts, type SmtpOpenOptions } from "./smtp-open.ts";
import type { Capabilities } from "./smtp-replies.ts";
import { connectionLost } from "./smtp-verdict.ts";

export { SmtpOpenError } from "./smtp-open-error.ts";
export { rfc5321Timeouts, type SmtpOpenOptions, type SmtpTimeouts } from "./smtp-open.ts";

export interface SmtpSessionOptions extends SmtpOpenOptions {
  /** How many messages may be on the wire unanswered, over BDAT. 1 if absent. */
  window?: number;
  /** False sends by DATA even where CHUNKING is offered. */
  chunking?: boolean;
  /** After so many milliseconds of silence a message goes out whole only once MAIL was answered. 1 s if absent. */
  idleMs?: number;
}

export interface SmtpSession {
  readonly capabilities: Capabilities;
  /** False once the connection is lost or the server said 421; every later send is deferred. */
  readonly usable: boolean;
  /** The server offers CHUNKING and cannot do it: open the next session without. */
  readonly refusesChunks: boolean;
  /** One message, one attempt. Never throws: each failure is a result. */
  send(message: OutgoingRaw): Promise<SendResult>;
  /**
   * Many messages over one connection. With PIPELINING it is one round trip each, and with CHUNKING one
   * for `window` of them; at most `window` messages can end "unknown".
   */
  sendAll(
    messages: readonly OutgoingRaw[],
    onResult: (id: string, result: SendResult) => void,
  ): Promise<void>;
  /** Says goodbye and closes; never throws. */
  quit(): Promise<void>;
}

const IDLE_MS = 1_000;
/**
 * Servers of which some versions hang on BDAT or misread messages, by their greeting: a message that
 * hangs is in doubt, which a saved round trip is not worth.
 * https://github.com/jstedfast/MailKit/issues/921, https://github.com/jstedfast/MailKit/issues/904
 */
const UNFIT_FOR_CHUNKS = /Microsoft ESMTP/i;

/**
 * An authenticated session, ready for MAIL. Throws SmtpOpenError. One user at a time: a second call
 * of `send` must wait for the first.
 */
export async function openSmtpSession(
  dial: Dial,
  { window = 1, chunking = true, idleMs = IDLE_MS, ...options }: SmtpSessionOptions,
): Promise<SmtpSession> {
  const { wire, capabilities, greeting } = await openDiagnosed(dial, options);
  const timeouts = { ...rfc5321Timeouts, ...options.timeouts };
  const line = createLine(wire, timeouts, capabilities.has("PIPELINING"));
  const byChunks = chunking && capabilities.has("CHUNKING") && !UNFIT_FOR_CHUNKS.test(greeting);
  rest(line, idleMs);

  async function sendAll(
    messages: readonly OutgoingRaw[],
    onResult: (id: string, result: SendResult) => void,
  ): Promise<void> {
    const prepared: PreparedMessage[] = [];
    for (const message of messages) {
      const result = prepareMessage(message, capabilities);
      if ("state" in result) onResult(message.id, result);
      else prepared.push(result);
    }
    await line.heard;
    if (byChunks) await sendByChunks(line, line.pipelining ? window : 1, prepared, onResult);
    else await sendByData(line, prepared, onResult);
    rest(line, idleMs);
  }

  return {
    capabilities,
    get usable() {
      return line.usable;
    },
    get refusesChunks() {
      return line.refusesChunks;
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
      stopCooling(line);
      if (line.usable) {
        line.usable = false;
        await wire.write("QUIT\r\n", timeouts.quit).catch(() => {});
        await wire.readReply(timeouts.quit).catch(() => {});
      }
      await wire.close();
    },
  };
}
