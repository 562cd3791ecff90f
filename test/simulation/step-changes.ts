import type { SendOutcome } from "#db/engine/index.ts";
import type { Step } from "#db/schema/index.ts";
import type { ModelData } from "#src/domain/engine/memory/index.ts";
import type { World } from "../support/engine-worlds.ts";
import type { Random } from "../support/random.ts";
import type { StopEntry, Violation } from "./wire.ts";

const DAY_MS = 86_400_000;
const MOST = 5;

/** Of Apia's dates one never was. */
const SKIPPED = Date.parse("2011-12-30T10:00:00Z");

const daysBetween = (from: Date, until: Date): number =>
  Math.round((until.getTime() - from.getTime()) / DAY_MS);
const isOverSkipped = (from: Date, until: Date): boolean =>
  from.getTime() <= SKIPPED && until.getTime() >= SKIPPED;

type Noted = Pick<Extract<StopEntry, { kind: "steps" }>, "kind" | "campaignId" | "steps">;
type Stopped = { kind: "paused" | "resumed"; campaignId: string };

/**
 * People who append steps, remove the last one or change its delay, mostly while a message is under way; and the check
 * that what follows a message is planned by the steps that there are when its end is recorded.
 */
export function createStepChanges(
  data: ModelData,
  { actions }: World,
  { random, violations }: { random: Random; violations: Violation[] },
) {
  const campaigns = data.campaigns.filter(({ type }) => type === "email");
  const now = new Map<string, Step[]>(data.campaigns.map(({ id, steps }) => [id, steps]));

  let count = 0;

  function changed(steps: Step[]): Step[] {
    const last = steps.at(-1)!;
    const others = steps.slice(0, -1);
    const appended = { ...last, step: last.step + 1, delay_days: random.below(3) };
    const choices = [
      ...(steps.length < MOST ? [[...steps, appended]] : []),
      ...(others.length > 0 ? [others] : []),
      [...others, { ...last, delay_days: (last.delay_days + 1 + random.below(3)) % 4 }],
    ];
    return random.pick(choices);
  }

  return {
    count: () => count,
    stepsOf: (campaignId: string) => now.get(campaignId)!,
    /** A pause around it, where steps could not change else; one that stands paused stays so. */
    async change(
      at: Date,
      campaignId: string | null,
      note: (what: Noted | Stopped) => void,
    ): Promise<void> {
      const id = campaignId ?? random.pick(campaigns).id;
      if (!campaigns.some((campaign) => campaign.id === id)) return;
      const steps = changed(now.get(id)!);
      const pauses = await actions.pause(id, at);
      if (pauses) note({ kind: "paused", campaignId: id });
      if (await actions.changeSteps(id, at, steps)) {
        now.set(id, steps);
        count++;
        note({ kind: "steps", campaignId: id, steps });
      }
      if (pauses && (await actions.resume(id, at))) note({ kind: "resumed", campaignId: id });
    },
    /** Of an outcome that took effect. */
    onRecorded(
      outcome: SendOutcome,
      { campaignId, leadId }: { campaignId: string; leadId: string },
    ) {
      if (!("planned" in outcome)) return;
      const { nextStep, nextActionAt, planned } = outcome;
      const next = now.get(campaignId)![planned.step];
      const days = nextActionAt && daysBetween(planned.sentAt, nextActionAt);
      const isSkipped = nextActionAt !== null && isOverSkipped(planned.sentAt, nextActionAt);
      const wanted = next?.delay_days ?? null;
      const fits = days === wanted || (isSkipped && days === wanted! - 1);
      if (nextStep === (next?.step ?? null) && fits) return;
      violations.push({
        invariant: "what follows is planned by the steps as they are",
        text: `step ${nextStep} ${days} days after step ${planned.step}, where there is ${next?.step ?? "none"} after ${next?.delay_days ?? "no"} days`,
        campaignId,
        leadId,
      });
    },
  };
}
