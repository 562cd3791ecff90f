import type { StepContext, StepPlan } from "#db/engine/index.ts";
import { budgetOf } from "#db/engine/budgets.ts";
import { stepHoldOf } from "#db/engine/step-hold.ts";
import type { Send } from "./rows.ts";
import type { State } from "./state.ts";

/** A claimed step as the engine knows it; the model knows lead, sender, step and time, but no texts. */
export interface ModelStep extends StepContext {
  send: Send;
}

export function loadSteps(state: State, sendIds: string[]): ModelStep[] {
  return sendIds.flatMap((sendId) => {
    const send = state.sends.get(sendId);
    const step = send?.campaign.steps[send.step - 1];
    if (send === undefined || step === undefined || !send.lane.exists) return [];
    return [{ sendId, step, attempts: send.attempts, send, ...planOf(send) }];
  });
}

/** What decides about the step after this one. */
export function planOf({ campaign, lead, step }: Send): StepPlan {
  const { timezone, steps, unreviewedLaunchPolicy } = campaign;
  const next = steps[step];
  const isOther = next !== undefined && next.channel !== steps[step - 1]?.channel;
  return {
    configVersion: campaign.configVersion,
    timezone,
    zone: lead.zone,
    nextDelayDays: next?.delay_days ?? null,
    nextChannel: isOther ? next.channel : null,
    nextBudget: budgetOf(next),
    nextHold: stepHoldOf(steps, step, unreviewedLaunchPolicy),
  };
}
