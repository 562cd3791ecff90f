import { setWarpOffsetMs, warpOffsetMs } from "../../../scripts/stack/warp.ts";
import { Client, type PublishToUrlResponse } from "@upstash/qstash";
import { afterAll, afterEach, beforeAll, beforeEach, vi } from "vitest";
import { type Qstash, startQstash } from "../../../scripts/stack/qstash.ts";
import { type Receiver, startReceiver } from "./receiver.ts";

export const KEYS = {
  token: "secret",
  currentSigningKey: "sig_current",
  nextSigningKey: "sig_next",
};

export const connect = (part: Qstash) =>
  new Client({
    baseUrl: part.url,
    token: "secret",
    devMode: false,
    enableTelemetry: false,
    retry: false,
  });

/** Moves the clock without a stop in between. */
export const jump = (seconds: number) => setWarpOffsetMs(warpOffsetMs() + seconds * 1000);

export const jumpTo = (at: Date) => jump(Math.max(0, at.getTime() - Date.now()) / 1000);

/** Moves the clock as the stack does: stops at everything that falls due on the way. */
export async function advance(seconds: number, part = qstash): Promise<void> {
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

export let qstash: Qstash;
export let client: Client;
/** A destination for its deliveries. */
export let receiver: Receiver;

const opened: Qstash[] = [];

/** Opens a further QStash, closed after the test. */
export async function open(options: { stateFile?: string } = {}): Promise<Qstash> {
  const started = await startQstash({ ...KEYS, ...options });
  opened.push(started);
  return started;
}

/** The whole second so many seconds from now, or the next one. */
export const inSeconds = (seconds: number) => Math.ceil(Date.now() / 1000) + seconds;

/** Publishes to the receiver. */
export const publish = (more: object = {}): Promise<PublishToUrlResponse> =>
  client.publish({ url: receiver.url, ...more });

/** A schedule whose runs go to the receiver. */
export const schedule = (cron: string, scheduleId: string) =>
  client.schedules.create({ destination: `${receiver.url}/tick`, cron, scheduleId });

export const bodies = () => receiver.received.map(({ body }) => body);

/** A fresh QStash for each test of the file. */
export function useQstash(): void {
  beforeAll(async () => {
    // The SDK prints every refusal.
    vi.spyOn(console, "error").mockImplementation(() => {});
    vi.spyOn(console, "warn").mockImplementation(() => {});
    receiver = await startReceiver();
  });
  afterAll(() => receiver.close());
  beforeEach(async () => {
    receiver.reset();
    qstash = await open();
    client = connect(qstash);
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((part) => part.close()));
  });
}
