import type { SendResult } from "./index.ts";
import type { SmtpTimeouts } from "./smtp-open.ts";
import { isPositive, replyText, type SmtpReply } from "./smtp-replies.ts";
import { connectionLost, refusal } from "./smtp-verdict.ts";
import type { SmtpWire } from "./smtp-wire.ts";

/** An authenticated session as the ways to send (`smtp-data.ts`, `smtp-chunks.ts`) share it. */
export interface SmtpLine {
  readonly wire: SmtpWire;
  readonly timeouts: SmtpTimeouts;
  readonly pipelining: boolean;
  /** False once the connection is lost or the server said 421: no more commands may be sent. */
  usable: boolean;
  /** A transaction was begun and not finished: RSET goes before the next MAIL. */
  resetFirst: boolean;
  /** The server answered a moment ago, so that it is there. */
  warm: boolean;
  /** Ends the warmth. */
  cooling: ReturnType<typeof setTimeout> | undefined;
  /** Resolves once there was time to hear of a server that left right behind its last answer. */
  heard: Promise<void>;
  /** The server offers CHUNKING and cannot do it, or is not in step, which only DATA's 354 shows. */
  refusesChunks: boolean;
}

/** Bytes written to the socket at once, few enough to feel its back-pressure. */
export const BLOCK_BYTES = 64 * 1024;
/** In workerd 0 is too short. */
const HEARING_MS = 1;
/** After a failed write: how long to look for the reply that explains it. */
export const LAST_WORDS_MS = 1_000;

export function createLine(wire: SmtpWire, timeouts: SmtpTimeouts, pipelining: boolean): SmtpLine {
  return {
    wire,
    timeouts,
    pipelining,
    usable: true,
    resetFirst: false,
    warm: true,
    cooling: undefined,
    heard: Promise.resolve(),
    refusesChunks: false,
  };
}

export async function abandon(line: SmtpLine): Promise<void> {
  line.usable = false;
  stopCooling(line);
  await line.wire.close();
}

/** The session idles from here on: after `ms` of silence the server may have gone without a word. */
export function rest(line: SmtpLine, ms: number): void {
  if (!line.usable) return;
  line.wire.listen();
  line.heard = new Promise((resolve) => setTimeout(resolve, HEARING_MS));
  if (line.warm) line.cooling ??= setTimeout(() => (line.warm = false), ms);
}

export function stopCooling(line: SmtpLine): void {
  clearTimeout(line.cooling);
  line.cooling = undefined;
}

export async function readReply(line: SmtpLine, ms: number): Promise<SmtpReply> {
  const reply = await line.wire.readReply(ms);
  stopCooling(line);
  line.warm = true;
  if (reply.code === 421) line.usable = false;
  return reply;
}

/**
 * Writes a message, with the commands right before and after it, in blocks. Null when all is written.
 * A connection that breaks in the last block leaves the message in doubt; before that it was not accepted.
 */
export async function writeMessage(
  line: SmtpLine,
  body: Uint8Array,
  { before = "", behind = "" }: { before?: string; behind?: string },
): Promise<SendResult | null> {
  const { wire, timeouts } = line;
  const lastBlock = Math.max(0, body.length - BLOCK_BYTES);
  let head: Uint8Array = encoder.encode(before);
  let lastBegun = false;
  try {
    for (let at = 0; at < lastBlock; at += BLOCK_BYTES) {
      const block = body.subarray(at, Math.min(at + BLOCK_BYTES, lastBlock));
      await wire.write(joined(head, block), timeouts.dataBlock);
      head = NOTHING;
    }
    lastBegun = true;
    const rest = joined(head, body.subarray(lastBlock));
    await wire.write(joined(rest, encoder.encode(behind)), timeouts.dataBlock);
    return null;
  } catch (error) {
    const reason = reasonOf(error);
    return lastBegun ? { state: "unknown", reason } : connectionLost(reason, "data");
  }
}

/** The reply to a whole message; the line is gone unless there was one. `isLast`: no other reply is due behind it. */
export async function readOutcome(line: SmtpLine, isLast: boolean): Promise<SendResult> {
  try {
    const reply = await readReply(line, line.timeouts.final);
    if (isPositive(reply)) return await acceptedBy(line, reply, isLast);
    if (reply.code >= 400) return refusal(reply, "final");
    throw new Error(`unexpected reply after the message: ${replyText(reply)}`);
  } catch (error) {
    await abandon(line);
    return { state: "unknown", reason: reasonOf(error) };
  }
}

/** Bytes after the last reply end the session: a refusal among them may be this message's, and the acceptance an earlier one's. */
export async function acceptedBy(
  line: SmtpLine,
  reply: SmtpReply,
  isLast: boolean,
): Promise<SendResult> {
  const accepted = { state: "accepted", reply: replyText(reply) } as const;
  if (!isLast || line.wire.pendingBytes() === 0) return accepted;
  const more = await line.wire.readReply(0).catch(() => null);
  await abandon(line);
  if (more?.code === 421) return accepted;
  line.refusesChunks = true;
  if (more === null || more.code < 400) return accepted;
  const reason = `the server answered twice: ${replyText(reply, 200)}; ${replyText(more, 200)}`;
  return { state: "unknown", reason };
}

const encoder = new TextEncoder();
const NOTHING = new Uint8Array();

function joined(head: Uint8Array, tail: Uint8Array): Uint8Array {
  if (tail.length === 0) return head;
  if (head.length === 0) return tail;
  const all = new Uint8Array(head.length + tail.length);
  all.set(head);
  all.set(tail, head.length);
  return all;
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
