import type { ActivityState } from "./activity.ts";

/** How the stack reaches the Worker beside its public port: its clock, and what Cloudflare would do to it. */
export interface WorkerLink {
  setOffset(offsetMs: number): Promise<void>;
  state(): Promise<ActivityState>;
  /** A cron trigger. */
  scheduled(cron: string, at: Date): Promise<void>;
  /** An inbound message; resolves with the reason when the Worker rejects it. */
  email(message: InboundEmail): Promise<{ rejected: string | null }>;
  /** Messages of a queue; resolves with those that are to come again. */
  queue(batch: DeliveredBatch): Promise<BatchOutcome>;
}

export interface DeliveredMessage {
  id: string;
  timestamp: string;
  /** JSON. */
  body: string;
  attempts: number;
}
export interface DeliveredBatch {
  queue: string;
  messages: DeliveredMessage[];
}
export interface BatchOutcome {
  /** Null: as the consumer's settings have it. */
  retries: { id: string; delay_seconds: number | null }[];
}

export interface InboundEmail {
  /** The envelope's sender, empty for a bounce. */
  from: string;
  to: string;
  raw: Uint8Array | string;
}

export class WorkerUnavailable extends Error {
  constructor(cause: unknown) {
    super(`The Worker does not answer: ${(cause as Error).message}`, { cause });
    this.name = "WorkerUnavailable";
  }
}

/** Over the events socket of a Worker in workerd. */
export function linkToWorkerd(eventsUrl: string): WorkerLink {
  async function call<Result>(path: string, init?: RequestInit): Promise<Result> {
    const response = await fetch(eventsUrl + path, init).catch((error: unknown) => {
      throw new WorkerUnavailable(error);
    });
    const text = await response.text();
    if (!response.ok)
      throw new Error(`${path} of the Worker answered ${response.status}: ${text.slice(0, 500)}`);
    return JSON.parse(text) as Result;
  }
  const post = (body: unknown) => ({
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return {
    async setOffset(offsetMs) {
      await call("/clock", post({ offset_ms: offsetMs }));
    },
    state: () => call("/state"),
    async scheduled(cron, at) {
      await call("/scheduled", post({ cron, at: at.toISOString() }));
    },
    email({ from, to, raw }) {
      const query = new URLSearchParams({ from, to });
      const body = typeof raw === "string" ? raw : new Uint8Array(raw);
      return call(`/email?${query}`, {
        method: "POST",
        headers: { "content-type": "message/rfc822" },
        body,
      });
    },
    queue: (batch) => call("/queue", post(batch)),
  };
}
