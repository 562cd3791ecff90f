import { gapSeconds } from "#src/domain/engine/chance.ts";
import { extraTicks, MAX_EXTRA_TICKS } from "#src/domain/jobs/extra-ticks.ts";
import { windowInterval } from "#src/domain/engine/window.ts";

/**
 * How many QStash messages the engine's schedule costs in a day, from the code that
 * schedules: windows, gaps with their jitter, and the rule for further ticks. A
 * sample of campaigns stands for all of them, its lanes counted up.
 */
export interface Load {
  campaigns: number;
  sendersPerCampaign: number;
  sendsPerCampaign: number;
  intervalSeconds: number;
  window: { start: string; end: string };
  batch: number;
  periodSeconds: number;
}

export interface Messages {
  scheduled: number;
  extra: number;
  /** Sends that the day's ticks had room for. */
  sends: number;
}

const SAMPLE = 2_000;
const DAY = Date.parse("2027-03-01T00:00:00Z");
const DAY_MS = 86_400_000;

export function messagesPerDay(load: Load): Messages {
  const sample = Math.min(load.campaigns, SAMPLE);
  const scale = load.campaigns / sample;
  const interval = windowInterval(
    { timezone: "UTC", ...load.window, days: ["mon"] },
    new Date(DAY),
  )!;
  const [opens, closes] = [interval.openFrom.getTime(), interval.openUntil.getTime()];
  const lanes = Array.from({ length: sample * load.sendersPerCampaign }, (_, index) => ({
    campaign: Math.floor(index / load.sendersPerCampaign),
    id: `00000000-0000-4000-8000-${index.toString(16).padStart(12, "0")}`,
    slotAt: opens,
    slotNo: 0,
  }));
  const left = Array.from({ length: sample }, () => load.sendsPerCampaign);
  const periodMs = load.periodSeconds * 1000;
  const perPeriod = ((MAX_EXTRA_TICKS + 1) * load.batch) / scale;
  const total: Messages = { scheduled: 0, extra: 0, sends: 0 };
  for (let now = DAY; now < DAY + DAY_MS; now += periodMs) {
    total.scheduled += 1;
    const due = lanes
      .filter(
        ({ slotAt, campaign }) => slotAt < now + periodMs && slotAt < closes && left[campaign]! > 0,
      )
      .sort((a, b) => a.slotAt - b.slotAt);
    total.extra += extraTicks(Math.round(due.length * scale), load.batch);
    for (const lane of due.slice(0, Math.ceil(perPeriod))) {
      if (left[lane.campaign] === 0) continue;
      left[lane.campaign]! -= 1;
      total.sends += scale;
      lane.slotNo += 1;
      const at = Math.max(lane.slotAt, now);
      lane.slotAt = at + gapSeconds(load.intervalSeconds, lane.id, lane.slotNo) * 1000;
    }
  }
  return total;
}

const LOAD: Omit<Load, "campaigns"> = {
  sendersPerCampaign: 3,
  sendsPerCampaign: 100,
  intervalSeconds: 300,
  window: { start: "09:00:00", end: "17:00:00" },
  batch: 50,
  periodSeconds: 60,
};

/** Messages a day that the design promises (docs/design/engine.md), at so many campaigns. */
const PROMISED = new Map([
  [10, 1_440],
  [10_000, 21_440],
  [1_000_000, 2_000_000],
]);
const TOLERANCE = 0.1;

function main(): void {
  let off = 0;
  console.log("campaigns   sends/day    messages/day   promised    off");
  for (const [campaigns, promised] of PROMISED) {
    const { scheduled, extra, sends } = messagesPerDay({ ...LOAD, campaigns });
    const messages = scheduled + extra;
    const deviation = messages / promised - 1;
    if (Math.abs(deviation) > TOLERANCE) off += 1;
    const cells = [campaigns, Math.round(sends), messages, promised].map((value) =>
      value.toLocaleString("en-US").padStart(12),
    );
    console.log(`${cells.join("")}  ${(deviation * 100).toFixed(1).padStart(5)} %`);
  }
  if (off > 0) {
    console.log(`\n${off} of ${PROMISED.size} are more than 10 % off.`);
    process.exitCode = 1;
  }
}

if (import.meta.main) main();
