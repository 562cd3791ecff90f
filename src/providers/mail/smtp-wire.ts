import type { Duplex } from "./index.ts";
import { createReplyParser, type SmtpReply } from "./smtp-replies.ts";

/** The connection ended, broke, or did not answer in time. */
export class SmtpConnectionError extends Error {
  override readonly name = "SmtpConnectionError";
}

/** Commands out, replies in, over one Duplex; every wait is bounded. */
export interface SmtpWire {
  /** Waits for one whole reply; `ms` bounds the reply, not each byte of it. */
  readReply(ms: number): Promise<SmtpReply>;
  write(bytes: Uint8Array | string, ms: number): Promise<void>;
  /** Bytes received that no reply has claimed. */
  pendingBytes(): number;
  /** Gives the streams back, for STARTTLS. */
  release(): void;
  close(): Promise<void>;
}

const encoder = new TextEncoder();

export function createSmtpWire(duplex: Duplex): SmtpWire {
  const reader = duplex.readable.getReader();
  const writer = duplex.writable.getWriter();
  const replies = createReplyParser();
  // A broken peer rejects this promise whether or not somebody is writing.
  writer.closed.catch(() => {});

  async function nextReply(): Promise<SmtpReply> {
    for (;;) {
      const reply = replies.take();
      if (reply) return reply;
      const { value, done } = await reader.read();
      if (done) throw new SmtpConnectionError("the server closed the connection");
      replies.push(value);
    }
  }

  return {
    readReply: (ms) => within(nextReply(), ms, "the server did not answer in time"),
    write: (bytes, ms) =>
      within(
        writer.write(typeof bytes === "string" ? encoder.encode(bytes) : bytes),
        ms,
        "the server did not take the data in time",
      ),
    pendingBytes: () => replies.pendingBytes(),
    release() {
      reader.releaseLock();
      writer.releaseLock();
    },
    close: () => duplex.close(),
  };
}

/** Any failure but a protocol error becomes SmtpConnectionError; the timer never outlives the wait. */
export async function within<T>(work: Promise<T>, ms: number, onTimeout: string): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new SmtpConnectionError(onTimeout)), ms);
  });
  try {
    return await Promise.race([work, timeout]);
  } catch (error) {
    if (error instanceof Error && error.name.startsWith("Smtp")) throw error;
    throw new SmtpConnectionError(error instanceof Error ? error.message : String(error));
  } finally {
    if (timer !== undefined) clearTimeout(timer);
  }
}
