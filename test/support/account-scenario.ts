import { budgetOf } from "#db/engine/index.ts";
import type { ActionType } from "#db/schema/index.ts";
import type { ModelData } from "#src/domain/engine/memory/index.ts";
import { makeScenario } from "./engine-scenario.ts";
import { createRandom } from "./random.ts";

export interface AccountSetting {
  /** Of the campaign. */
  actions: ActionType[];
  /** Leads that are due, oldest first, by the step that is their next; from the second on they are started. */
  leads: number[];
  connections: number;
  messages: number;
  accounts?: number;
}

/** One campaign of the network alone; its started leads are the first account's. */
export function accountScenario(
  now: Date,
  { actions, leads, connections, messages, accounts = 1 }: AccountSetting,
): ModelData {
  const data = makeScenario(createRandom(5), {
    start: now,
    campaigns: 1,
    lanes: 1,
    lanesPerCampaign: 1,
    leads: leads.length,
    delays: actions.map(() => 0),
    actions,
    accounts,
    sharesAccounts: true,
    accountLimits: { connections, messages, warmupDays: 0 },
    sharedAddresses: 0,
  });
  const lanes = data.lanes.filter(({ kind }) => kind === "socialnet");
  for (const lane of lanes) Object.assign(lane, { minIntervalSeconds: null, nextSlotAt: now });
  const { steps } = data.campaigns[0]!;
  data.leads.forEach((lead, index) => {
    const nextStep = leads[index]!;
    const isStarted = nextStep > 1;
    Object.assign(lead, {
      nextStep,
      nextBudget: budgetOf(steps[nextStep - 1]),
      status: isStarted ? "active" : "pending",
      laneId: isStarted ? lanes[0]!.id : null,
      nextActionAt: new Date(now.getTime() + (index - 1000) * 1000),
    });
  });
  return { ...data, lanes };
}
