/** What QStash keeps. Instants are epoch milliseconds and bodies base64, so that all of it is plain JSON. */

export interface FlowControl {
  key: string;
  parallelism: number;
}

/** How a message is to be delivered: what the `Upstash-*` headers of a publish say. */
export interface Envelope {
  /** Sent with each delivery. */
  headers: Record<string, string>;
  maxRetries: number;
  timeoutSeconds: number | null;
  /** Is told when the message is given up. */
  failureCallback: { url: string } | null;
  flowControl: FlowControl | null;
}

export interface Message extends Envelope {
  messageId: string;
  /** Grows with each message; the order among messages due together. */
  order: number;
  url: string;
  body: string;
  createdAt: number;
  /** When the next attempt is due. */
  dueAt: number;
  retried: number;
  scheduleId: string | null;
}

export interface Schedule {
  scheduleId: string;
  cron: string;
  destination: string;
  envelope: Envelope;
  body: string;
  createdAt: number;
  paused: boolean;
  nextRunAt: number;
}

export interface Answer {
  /** 0 when no answer came at all. */
  status: number;
  headers: Record<string, string[]>;
  body: Buffer;
  error: string | null;
}

export interface Deduplication {
  messageId: string;
  expiresAt: number;
}

/** An answer of the API that is an error: `{"error": message}`. */
export class ApiError extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}
