import { HostNotFound, HostRefused } from "#src/providers/net/index.ts";
import type { Duplex } from "./index.ts";
import { createReplyParser, replyText, type SmtpReply } from "./smtp-replies.ts";

/** The connection ended, broke, or did not answer in time. */
export class SmtpConnectionError extends Error {
  override readonly name = "SmtpConnectionError";
  /** The other side is there and too slow, as far as is known. */
  readonly isLate: boolean;

  constructor(message: string, { isLate = false } = {}) {
    super(message);
    this.isLate = isLate;
  }
}

/** The server said more than it was asked: which reply belongs to which command is not known any more. */
export class SmtpOutOfTurnError extends Error {
  override readonly name = "SmtpOutOfTurnError";

  constructor() {
    super("the server said more than it was asked");
  }
}

/** Commands out, replies in, over one Duplex; every wait is bounded. */
export interface SmtpWire {
  /** Waits for one whole reply; `ms` bounds the reply, not each byte of it. */
  readReply(ms: number): Promise<SmtpReply>;
  write(bytes: Uint8Array | string, ms: number): Promise<void>;
  /**
   * Writes commands when every reply was read. Throws SmtpOutOfTurnError where one more is there, which would be taken
   * for the answer; 421 may come unasked (RFC 5321 section 3.8), and is the end of the connection.
   */
  ask(commands: string, ms: number): Promise<void>;
  /** Reads ahead while the session waits for no reply, so that a closed connection is noticed at once. */
  listen(): void;
  /** The connection has ended, or the server sent bytes without a command. */
  isDisturbed(): boolean;
  /** Bytes received that no reply has claimed. */
  pendingBytes(): number;
  /** Gives the streams back, for STARTTLS. */
  release(): void;
  close(): Promise<void>;
}

const encoder = new TextEncoder();

/** When the signal aborts, every wait ends, present and future. */
export function createSmtpWire(duplex: Duplex, signal?: AbortSignal): SmtpWire {
  const reader = duplex.readable.getReader();
  const writer = duplex.writable.getWriter();
  const replies = createReplyParser();
  let reading: Promise<void> | null = null;
  let ended: unknown = null;
  // A broken peer rejects this promise even while no write is pending.
  writer.closed.catch(() => {});

  async function readOn(): Promise<void> {
    try {
      const { value, done } = await reader.read();
      if (done) ended = new SmtpConnectionError("the server closed the connection");
      else replies.push(value);
    } catch (error) {
      ended = error ?? new SmtpConnectionError("the connection broke");
    } finally {
      reading = null;
    }
  }

  async function nextReply(): Promise<SmtpReply> {
    for (;;) {
      const reply = replies.take();
      if (reply) return reply;
      if (ended !== null) throw ended;
      await (reading ??= readOn());
    }
  }

  const write = (bytes: Uint8Array | string, ms: number): Promise<void> =>
    within(
      writer.write(typeof bytes === "string" ? encoder.encode(bytes) : bytes),
      ms,
      "the server did not take the data in time",
      signal,
    );

  return {
    // What came with the reply before, as under PIPELINING, needs no timer.
    readReply: async (ms) =>
      replies.take() ?? within(nextReply(), ms, "the server did not answer in time", signal),
    write,
    async ask(commands, ms) {
      if (replies.pendingBytes() > 0) {
        const unasked = replies.take();
        if (unasked?.code !== 421) throw new SmtpOutOfTurnError();
        throw new SmtpConnectionError(`the server left: ${replyText(unasked)}`);
      }
      await write(commands, ms);
    },
    listen() {
      if (ended === null) reading ??= readOn();
    },
    isDisturbed: () => ended !== null || replies.pendingBytes() > 0,
    pendingBytes: () => replies.pendingBytes(),
    release() {
      reader.releaseLock();
      writer.releaseLock();
    },
    close: () => duplex.close(),
  };
}

/**
 * Any failure but a protocol error and a refused host becomes SmtpConnectionError, and so does an aborted wait; neither
 * timer nor listener outlives it.
 */
export async function within<T>(
  work: Promise<T>,
  ms: number,
  onTimeout: string,
  signal?: AbortSignal,
): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let giveUp = () => {};
  const timeout = new Promise<never>((_, reject) => {
    giveUp = () => reject(new SmtpConnectionError(onTimeout, { isLate: true }));
    timer = setTimeout(giveUp, ms);
    if (signal?.aborted) giveUp();
    else signal?.addEventListener("abort", giveUp, { once: true });
  });
  try {
    return await Promise.race([work, timeout]);
  } catch (error) {
    if (error instanceof Error && error.name.startsWith("Smtp")) throw error;
    if (error instanceof HostRefused || error instanceof HostNotFound) throw error;
    throw new SmtpConnectionError(error instanceof Error ? error.message : String(error));
  } finally {
    if (timer !== undefined) clearTimeout(timer);
    signal?.removeEventListener("abort", giveUp);
  }
}
