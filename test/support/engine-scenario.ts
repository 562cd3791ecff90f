import type { AccountDay } from "#db/engine/index.ts";
import { budgetOf } from "#db/engine/budgets.ts";
import { draftHoldOf } from "#db/engine/draft-hold.ts";
import {
  type ActionType,
  CAMPAIGN_TYPES,
  type CampaignType,
  type Channel,
  CHANNELS,
  type LaunchPolicy,
  type Step,
} from "#db/schema/index.ts";
import type { ModelData } from "#src/domain/engine/memory/index.ts";
import { campaignLeadIdOf } from "./engine-worlds.ts";
import type { Random } from "./random.ts";

export interface ScenarioOptions {
  start: Date;
  campaigns: number;
  lanes: number;
  lanesPerCampaign: number;
  leads: number;
  delays: number[];
  zones?: string[];
  /** In every other campaign the clocks of the leads decide, which are in these zones; '' for one that nobody knows. */
  leadZones?: string[];
  windows?: [start: string, end: string][];
  intervals?: number[];
  dailyLimits?: number[];
  newLimits?: (number | null)[];
  laneCaps?: number[];
  /** Daily limits of mail domains; half of the lanes belong to the first, and so on. */
  domainLimits?: number[];
  workspaceTimezone?: string;
  /** Leads' domains, by who runs their mail hosts. */
  operators?: { domain: string; operator: string }[];
  /** Share of leads whose address is another campaign's too. */
  sharedAddresses?: number;
  /** Campaigns start within so many days. */
  spreadDays?: number;
  /** Of the steps that a model writes; none, when absent. */
  drafted?: LaunchPolicy;
  /** So many accounts of a network beside the lanes; campaigns are then of either channel, or mixed. */
  accounts?: number;
  /** What the steps do, one for each delay; drawn when absent. */
  actions?: ActionType[];
  /** Every account is a sender of every campaign that has such steps. */
  sharesAccounts?: boolean;
  accountLimits?: { connections: number; messages: number; warmupDays: number };
}

export const SIMULATED_ZONES = [
  "UTC",
  "Australia/Lord_Howe",
  "America/Havana",
  "Pacific/Apia",
  "Asia/Kathmandu",
  "Europe/Berlin",
  "America/New_York",
];

/** One of them was a zone once, for somebody. */
export const SIMULATED_LEAD_ZONES = [...SIMULATED_ZONES, "", "Mars/Olympus"];

const EVERY_DAY = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;
const WEEKDAYS = EVERY_DAY.slice(0, 5);

/** Running campaigns over shared senders; nothing was sent yet. */
export function makeScenario(random: Random, options: ScenarioOptions): ModelData {
  const { start, delays, sharedAddresses = 0.1, spreadDays = 0 } = options;
  const {
    zones = ["UTC"],
    windows = [["00:00:00", "00:00:00"]],
    intervals = [60],
    dailyLimits = [500],
    newLimits = [null],
    laneCaps = [1000],
  } = options;
  const at = (ms: number) => new Date(start.getTime() + ms);
  const data: ModelData = {
    workspaceTimezone: options.workspaceTimezone ?? "UTC",
    campaigns: [],
    zones: [],
    lanes: [],
    domains: [],
    senders: [],
    leads: [],
    sends: [],
    suppressed: [],
    mailed: [],
    rates: [],
    operators: options.operators ?? [],
  };
  const laneCount = options.lanes + (options.accounts ?? 0);
  for (let no = 0; no < laneCount; no++) {
    const dailyLimit = random.pick(laneCaps);
    const isAlias = no < options.lanes;
    const account = isAlias ? null : accountOf(random, dailyLimit, options);
    data.lanes.push({
      id: random.uuid(),
      kind: isAlias ? "email" : "socialnet",
      open: true,
      nextSlotAt: at(no * 1013),
      lastSlotAt: null,
      lastBegunAt: null,
      slotNo: 0,
      minIntervalSeconds: random.chance(0.3) ? random.pick(intervals) : null,
      dayCap: dailyLimit,
      used: 0,
      connectionCap: null,
      connectionsUsed: 0,
      dayFrom: null,
      dayUntil: null,
      closedUntil: null,
      failures: 0,
      dailyLimit:
        account === null ? dailyLimit : account.dailyConnectionLimit + account.dailyMessageLimit,
      ramp:
        isAlias && random.chance(0.2)
          ? { enabled: true, start: 5, step: 5, ceiling: dailyLimit }
          : null,
      createdAt: at(-86_400_000),
      domainId: null,
      limitedDomainId: null,
      account,
    });
  }
  for (const dailyLimit of options.domainLimits ?? []) {
    const id = random.uuid();
    data.domains.push({ id, dailyLimit, otherLaneIds: [], shares: [] });
    const free = data.lanes.filter(
      (lane) => lane.kind === "email" && lane.limitedDomainId === null,
    );
    for (const lane of free.slice(0, Math.ceil(options.lanes / 2)))
      lane.domainId = lane.limitedDomainId = id;
  }
  for (let no = 0; no < options.campaigns; no++) {
    const id = random.uuid();
    const [from, until] = random.pick(windows);
    const type =
      options.accounts === undefined
        ? "email"
        : options.actions === undefined
          ? random.pick(CAMPAIGN_TYPES)
          : typeOf(options.actions);
    const channels = delays.map(() => (type === "mixed" ? random.pick(CHANNELS) : type));
    const actions = options.actions ?? channels.map((channel) => actionOf(random, channel));
    data.campaigns.push({
      id,
      type,
      status: "active",
      timezone: random.pick(zones),
      useLeadTimezone: options.leadZones !== undefined && no % 2 === 0,
      start: from,
      end: until,
      days: random.chance(0.5) ? [...EVERY_DAY] : [...WEEKDAYS],
      steps: delays.map((delayDays, index) => ({
        ...stepOf(index + 1, delayDays, actions[index]!),
        ai_personalization_enabled:
          options.drafted !== undefined && actions[index] === "send_email",
      })),
      unreviewedLaunchPolicy: options.drafted ?? "launch_default",
      dailyLimit: random.pick(dailyLimits),
      maxNewLeadsPerDay: random.pick(newLimits),
      minIntervalSeconds: random.pick(intervals),
      openFrom: null,
      openUntil: null,
      openDay: null,
      used: 0,
      usedNew: 0,
    });
    const first = random.below(options.lanes);
    const addSender = (no: number) =>
      data.senders.push({ campaignId: id, laneId: data.lanes[no]!.id, lastServedAt: null });
    if (type !== "socialnet")
      for (let place = 0; place < Math.min(options.lanesPerCampaign, options.lanes); place++)
        addSender((first + place) % options.lanes);
    const accounts = options.accounts ?? 0;
    const own = options.sharesAccounts ? Array.from({ length: accounts }, (_, no) => no) : null;
    if (type !== "email")
      for (const no of own ?? [random.below(accounts)]) addSender(options.lanes + no);
    const dueAt = at(Math.floor(random.next() * spreadDays * 86_400_000));
    const campaign = data.campaigns[no]!;
    for (let row = 1; row <= options.leads; row++) {
      const emailKey =
        options.operators === undefined
          ? addressOf(no, row, sharedAddresses, random)
          : `lead${row}@${random.pick([...options.operators, { domain: `c${no}.zz` }]).domain}`;
      data.leads.push(leadOf(random, campaign, row, dueAt, emailKey));
    }
    if (campaign.useLeadTimezone) moveApart(random, data, campaign, options.leadZones!);
  }
  return data;
}

/** Gives the campaign's leads their zones, and the campaign those. */
function moveApart(
  random: Random,
  data: ModelData,
  campaign: ModelData["campaigns"][number],
  zones: string[],
): void {
  const own = data.leads.filter(({ campaignId }) => campaignId === campaign.id);
  for (const lead of own) lead.zone = random.pick(zones);
  const at = data.lanes[0]!.createdAt;
  for (const zone of new Set(own.map((lead) => lead.zone)))
    data.zones.push({ campaignId: campaign.id, zone, openFrom: at, openUntil: at });
}

export function leadOf(
  random: Random,
  {
    id: campaignId,
    useLeadTimezone,
    steps,
    unreviewedLaunchPolicy,
  }: ModelData["campaigns"][number],
  rowIndex: number,
  dueAt: Date,
  emailKey: string,
): ModelData["leads"][number] {
  const leadId = random.uuid();
  const isDrafted = steps[0]?.ai_personalization_enabled === true;
  const waitsFor = isDrafted ? draftHoldOf(unreviewedLaunchPolicy) : null;
  return {
    id: campaignLeadIdOf(campaignId, leadId),
    leadId,
    campaignId,
    emailKey,
    zone: useLeadTimezone ? random.pick(SIMULATED_LEAD_ZONES) : "",
    status: "pending",
    rowIndex,
    nextStep: 1,
    nextActionAt: dueAt,
    laneId: null,
    nextChannel: null,
    nextBudget: budgetOf(steps[0]),
    held: waitsFor !== null,
    waitsFor,
    approved: null,
    holdUntil: null,
    connectedAt: null,
  };
}

function addressOf(campaign: number, row: number, shared: number, random: Random): string {
  return random.chance(shared) ? `lead${row}@shared.zz` : `lead${row}@c${campaign}.zz`;
}

const typeOf = (actions: ActionType[]): CampaignType => {
  const mails = actions.filter((action) => action === "send_email").length;
  return mails === 0 ? "socialnet" : mails === actions.length ? "email" : "mixed";
};

const NETWORK_ACTIONS = ["connection_request", "message", "profile_view"] as const;

const actionOf = (random: Random, channel: Channel): ActionType =>
  channel === "email" ? "send_email" : random.pick(NETWORK_ACTIONS);

/** So many connections and messages a day once it is warm, which it is, is not for a while, or is not at all. */
const accountOf = (
  random: Random,
  dailyLimit: number,
  { start, accountLimits: limits }: ScenarioOptions,
): AccountDay => ({
  dailyConnectionLimit: limits?.connections ?? dailyLimit,
  dailyMessageLimit: limits?.messages ?? Math.max(2, Math.floor(dailyLimit / random.pick([1, 2]))),
  warmupDays: limits?.warmupDays ?? random.pick([0, 4, 14]),
  warmupFrom: new Date(
    start.getTime() - (limits === undefined ? random.below(10) : 0) * 86_400_000,
  ),
  connections: [],
});

const stepOf = (step: number, delayDays: number, action: ActionType): Step => ({
  step,
  delay_days: delayDays,
  channel: action === "send_email" ? "email" : "socialnet",
  action_type: action,
  ai_personalization_enabled: false,
  track_opens: false,
  track_clicks: false,
  variants: [{ label: "A", weight: 100, type: "INLINE", subject: "Hello", body: "Hello" }],
});
