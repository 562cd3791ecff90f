import { setWarpOffsetMs, warpOffsetMs } from "../../../scripts/stack/warp.ts";
import { Client } from "@upstash/qstash";
import { afterAll, afterEach, beforeAll, beforeEach, vi } from "vitest";
import { type Qstash, startQstash } from "../../../scripts/stack/qstash.ts";
import { type Receiver, startReceiver } from "./receiver.ts";

export const KEYS = {
  token: "secret",
  currentSigningKey: "sig_current",
  nextSigningKey: "sig_next",
};

export const connect = (part: Qstash, retry: false | { retries: number } = false) =>
  new Client({ baseUrl: part.url, token: "secret", devMode: false, enableTelemetry: false, retry });

/** Moves the clock without a stop in between. */
export const jump = (seconds: number) => setWarpOffsetMs(warpOffsetMs() + seconds * 1000);

export const jumpTo = (at: Date) => jump(Math.max(0, at.getTime() - Date.now()) / 1000);

/** Moves the clock as the stack does: stops at everything that falls due on the way. */
export async function advance(part: Qstash, seconds: number): Promise<void> {
  const target = new Date(Date.now() + seconds * 1000);
  for (let hops = 0; hops < 10_000; hops++) {
    await part.idle();
    const next = part.nextDueAt();
    if (next === null || next > target) break;
    jumpTo(next);
  }
  jumpTo(target);
  await part.idle();
}

export interface Setting {
  qstash: Qstash;
  client: Client;
  receiver: Receiver;
  /** Opens a further QStash, closed after the test. */
  open(options?: { stateFile?: string }): Promise<Qstash>;
  bodies(): string[];
  /** The states a message went through. */
  statesOf(messageId: string): Promise<string[]>;
}

/** A fresh QStash for each test of the file, and a destination for its deliveries. */
export function qstashSetting(): Setting {
  const opened: Qstash[] = [];
  const setting = {
    async open(options: { stateFile?: string } = {}) {
      const started = await startQstash({ ...KEYS, ...options });
      opened.push(started);
      return started;
    },
    bodies: () => setting.receiver.received.map(({ body }) => body),
    async statesOf(messageId: string) {
      const { logs } = await setting.client.logs({ messageIds: [messageId] });
      return logs.map(({ state }) => String(state)).toReversed();
    },
  } as Setting;

  beforeAll(async () => {
    // The SDK prints every refusal.
    vi.spyOn(console, "error").mockImplementation(() => {});
    vi.spyOn(console, "warn").mockImplementation(() => {});
    setting.receiver = await startReceiver();
  });
  afterAll(() => setting.receiver.close());
  beforeEach(async () => {
    setting.receiver.reset();
    setting.qstash = await setting.open();
    setting.client = connect(setting.qstash);
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((part) => part.close()));
  });
  return setting;
}
