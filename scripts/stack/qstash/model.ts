/** What QStash keeps. Instants are epoch milliseconds and bodies base64, so that all of it is plain JSON. */

export interface FlowControl {
  key: string;
  parallelism: number | null;
  rate: number | null;
  periodSeconds: number;
}

/** How a message is to be delivered: what the `Upstash-*` headers of a publish say. */
export interface Envelope {
  method: string;
  /** Sent with each delivery: Content-Type and what was to be forwarded. */
  headers: Record<string, string>;
  maxRetries: number;
  retryDelay: string | null;
  timeoutSeconds: number | null;
  callback: CallbackTarget | null;
  failureCallback: CallbackTarget | null;
  flowControl: FlowControl | null;
  labels: string[];
  /** What is shown as its digest wherever the message is shown, and delivered as it is; absent in journals of before. */
  redact?: Redaction;
}

export interface Redaction {
  body: boolean;
  /** All of them, or those of these names (lower case). */
  headers: "all" | string[];
}

export interface CallbackTarget {
  url: string;
  envelope: Envelope;
  delayMs: number;
}

/** Where a message came from. */
export interface Origin {
  callerIp: string;
  queueName: string | null;
  scheduleId: string | null;
}

export interface Message extends Envelope, Origin {
  messageId: string;
  /** Grows with each message; the order within a queue and among messages due together. */
  order: number;
  url: string;
  body: string;
  createdAt: number;
  notBefore: number;
  /** When the next attempt is due. */
  dueAt: number;
  retried: number;
  /** The queue in which it keeps a place: its own once started, or that of the message it calls back for. */
  holdsQueue: string | null;
}

export interface Schedule {
  scheduleId: string;
  cron: string;
  destination: string;
  envelope: Envelope;
  body: string;
  delayMs: number;
  queueName: string | null;
  callerIp: string;
  createdAt: number;
  paused: boolean;
  nextRunAt: number | null;
  lastRunAt: number | null;
  lastStates: Record<string, "IN_PROGRESS" | "SUCCESS" | "FAIL">;
}

export interface Queue {
  name: string;
  parallelism: number;
  paused: boolean;
  createdAt: number;
  updatedAt: number;
}

export interface Answer {
  /** 0 when no answer came at all. */
  status: number;
  headers: Record<string, string[]>;
  body: Buffer;
  error: string | null;
}

/** A message that was given up, with the last answer. */
export interface DeadLetter {
  dlqId: string;
  order: number;
  diedAt: number;
  message: Message;
  answer: { status: number; headers: Record<string, string[]>; body: string };
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

export const notFound = (what: string, id: string) => new ApiError(404, `${what} ${id} not found`);
