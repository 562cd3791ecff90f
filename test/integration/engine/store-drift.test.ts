/**
 * The two stores, Postgres and the memory model, given the same verbs: after
 * each of them every row is equal. What is drawn is replayed by its seed.
 */
import { expect, test } from "vitest";
import { budgetOf, type ClaimedSend, type NextStep, type SendOutcome } from "#db/engine/index.ts";
import { draftHoldOf } from "#db/engine/draft-hold.ts";
import { CHANNELS, DRAFT_HOLDS } from "#db/schema/index.ts";
import { record } from "#src/domain/engine/record.ts";
import { maintain } from "#src/domain/engine/upkeep.ts";
import { beginWish } from "../../support/begin-wish.ts";
import {
  leadOf,
  makeScenario,
  SIMULATED_LEAD_ZONES,
  SIMULATED_ZONES,
} from "../../support/engine-scenario.ts";
import { memoryWorld, postgresWorld, type World } from "../../support/engine-worlds.ts";
import { createRandom, type Random } from "../../support/random.ts";
import { api, tenant, useApi } from "../../support/use-api.ts";
import { inFull } from "../../support/full.ts";

useApi();

const VERBS = 100;
/** The few: of aliases alone, and of texts that are waited for while campaigns drain, without and with a second channel. */
const SEEDS = inFull(
  Array.from({ length: 60 }, (_, index) => index + 1),
  [3, 5, 8],
);
const STEPS_MS = [
  0,
  1000,
  20_000,
  61_000,
  61_000,
  70_000,
  200_000,
  700_000,
  6 * 3_600_000,
  86_400_000,
  8 * 86_400_000,
];

test.each(SEEDS)("the memory model does what Postgres does, seed %i", async (seed) => {
  const random = createRandom(seed);
  const start = new Date("2026-03-27T20:00:00Z");
  const data = makeScenario(random, {
    start,
    campaigns: 3,
    lanes: 4,
    lanesPerCampaign: 3,
    leads: 6,
    delays: [0, 0, 2],
    zones: SIMULATED_ZONES,
    leadZones: SIMULATED_LEAD_ZONES,
    windows: [
      ["00:00:00", "00:00:00"],
      ["08:00:00", "20:00:00"],
      ["22:00:00", "04:00:00"],
    ],
    intervals: [60, 90, 300],
    dailyLimits: [2, 5, 100],
    newLimits: [null, 1, 3],
    laneCaps: [3, 100],
    domainLimits: [random.pick([1, 5])],
    sharedAddresses: 0.4,
    workspaceTimezone: random.pick(SIMULATED_ZONES),
    // In every other one with a second channel.
    ...(seed % 2 === 0 ? { accounts: 2 } : {}),
    // In two of three a model writes the emails.
    ...(seed % 3 === 0 ? {} : { drafted: random.pick(["launch_default", "hold"] as const) }),
  });
  await compare(seed, random, data, start, { verbs: VERBS, steps: STEPS_MS });
});

/** Plenty of leads at few operators, and ticks alone: whatever stands against a message is its pair's rate. */
const SLOW_SEEDS = inFull(40, 1);
const tolds: Awaited<ReturnType<typeof compare>>[] = [];
test.each(Array.from({ length: SLOW_SEEDS }, (_, index) => index + 1))(
  "and so it does where operators slow domains down, seed %i",
  async (seed) => {
    const random = createRandom(seed);
    const start = new Date("2026-03-23T08:00:00Z");
    const data = makeScenario(random, {
      ...{ start, campaigns: 3, lanes: 4, lanesPerCampaign: 3, leads: 25, delays: [0, 0, 0] },
      ...{ intervals: [60], dailyLimits: [100], laneCaps: [100], domainLimits: [100, 100] },
      ...(seed % 2 === 0 ? { zones: SIMULATED_ZONES, leadZones: SIMULATED_LEAD_ZONES } : {}),
      operators: OPERATORS,
    });
    const steps = [0, 5000, 20_000, 61_000, 61_000, 90_000];
    const told = await compare(seed, random, data, start, { verbs: 150, steps, isAlone: true });
    tolds.push(told);
    // Of a seed or two no pair is slowed: of all of them together many are.
    if (seed < SLOW_SEEDS) return;
    expect(Math.max(...tolds.map(({ cuts }) => cuts))).toBeGreaterThan(1);
    expect(Math.max(...tolds.map(({ slowed }) => slowed))).toBeGreaterThan(0);
  },
);

interface Play {
  verbs: number;
  steps: number[];
  /** Nobody does anything but the engine. */
  isAlone?: boolean;
}

async function compare(
  seed: number,
  random: Random,
  data: ReturnType<typeof makeScenario>,
  start: Date,
  { verbs, steps, isAlone = false }: Play,
) {
  const memory = memoryWorld(data);
  const postgres = await postgresWorld(
    {
      db: api.deps.db,
      sql: api.sql,
      owner: { workspaceId: tenant.workspaceId, userId: tenant.userId },
    },
    data,
    start,
  );
  const both = createPair(memory, postgres);
  const script = createScript(random, both, data, isAlone);
  let cuts = 0;
  let slowed = 0;
  let now = start;
  const story: string[] = [];
  for (let verb = 0; verb < verbs; verb++) {
    now = new Date(now.getTime() + random.pick(steps) + random.below(1000));
    story.push(`${now.toISOString()} ${await script.play(now)}`);
    const [left, right] = [await memory.rows(), await postgres.rows()];
    expect({ ...left, story }, `seed ${seed}`).toEqual({ ...right, story });
    cuts = Object.keys(left.rates).length;
    slowed += Object.values(left.sends).filter(({ reason }) => reason === "operator_slowed").length;
  }
  return { cuts, slowed };
}

/** The domains of leads: two of one operator, one that nobody has looked up. */
const OPERATORS = [
  { domain: "one.zz", operator: "big" },
  { domain: "two.zz", operator: "big" },
];

/** Runs a verb on both worlds; ids of sends differ, so sends are named by lead and step. */
function createPair(memory: World, postgres: World) {
  const ids = [new Map<string, string>(), new Map<string, string>()];
  const worlds = [memory, postgres];
  const keyOf = ({ campaignLeadId, step }: ClaimedSend) => `${campaignLeadId}/${step}`;
  const answers = async <T>(run: (world: World, idOf: (key: string) => string) => Promise<T>) => {
    const results: T[] = [];
    for (const [index, world] of worlds.entries())
      results.push(await run(world, (key) => ids[index]!.get(key)!));
    return results;
  };
  return {
    async act(run: (world: World) => Promise<unknown>) {
      const [left, right] = await answers(run);
      expect(left).toEqual(right);
      return left;
    },
    async claim(now: Date, until: Date, workerToken: string) {
      const claims = await answers(async (world) => {
        await maintain(world.store, now, until, new Set());
        return world.store.claim({ now, until, limit: 50, workerToken, leaseSeconds: 180 });
      });
      claims.forEach((claimed, index) => {
        for (const send of claimed) ids[index]!.set(keyOf(send), send.id);
      });
      const [left, right] = claims.map((claimed) => claimed.map(({ id: _, ...send }) => send));
      expect(left).toEqual(right);
      return claims[0]!.map(keyOf);
    },
    async settle(now: Date, token: string, outcomes: KeyedOutcome[], begins: string[]) {
      const [left, right] = await answers(async (world, idOf) => {
        const wishes = begins.map((key) =>
          beginWish(idOf(key), now, { messageId: `<${key}@sender.zz>` }),
        );
        const begun = await record(
          world.store,
          now,
          token,
          outcomes.map(({ key, ...outcome }) => ({ ...outcome, id: idOf(key) }) as SendOutcome),
          wishes,
        );
        const answerOf = new Map(begun.map(({ id, ...answer }) => [id, answer]));
        return begins.map((key) => ({ key, answer: answerOf.get(idOf(key)) }));
      });
      expect(left).toEqual(right);
      return left!.filter(({ answer }) => answer?.begun).map(({ key }) => key);
    },
    async wakes() {
      const [left, right] = await answers((world) => world.store.nextWakeAt(86_400_000));
      expect(left).toEqual(right);
    },
    async loads(keys: string[]) {
      const [left, right] = await answers(async (world, idOf) => {
        const ids = keys.map(idOf);
        const steps = await Promise.all(CHANNELS.map((kind) => world.load(kind, ids)));
        return steps.map((of) =>
          of
            .map(({ leadId, laneId, step, ...context }) => ({
              place: `${leadId}/${step.step} by ${laneId}`,
              key: `${leadId}/${step.step}`,
              configVersion: context.configVersion,
              timezone: context.timezone,
              nextDelayDays: context.nextDelayDays,
              nextChannel: context.nextChannel,
              nextBudget: context.nextBudget,
              nextHold: context.nextHold,
              attempts: context.attempts,
              references: context.references,
              firstSubject: context.firstSubject,
            }))
            .sort((a, b) => (a.place < b.place ? -1 : 1)),
        );
      });
      expect(left).toEqual(right);
      return left!.flat();
    },
  };
}

type KeyedOutcome = { key: string } & (SendOutcome extends infer Outcome
  ? Outcome extends { id: string }
    ? Omit<Outcome, "id">
    : never
  : never);

/** Draws what happens next: ticks that die anywhere, outcomes of every kind, people. */
function createScript(
  random: Random,
  both: ReturnType<typeof createPair>,
  data: ReturnType<typeof makeScenario>,
  isAlone: boolean,
) {
  const tokens = [random.uuid(), random.uuid()];
  const claimed: { key: string; token: string }[] = [];
  const begun: { key: string; token: string }[] = [];
  /** Of the campaign when the send was loaded: it may have changed since. */
  const versions = new Map<string, number>();
  /** Nobody knows whether these arrived. */
  const inDoubt: string[] = [];
  let rows = 1000;
  const takeSome = <T>(from: T[]) => from.splice(0, 1 + random.below(4));
  const anyCampaign = () => random.pick(data.campaigns);
  const aliases = data.lanes.filter(({ kind }) => kind === "email");
  const campaignOf = new Map(data.leads.map(({ id, campaignId }) => [id, campaignId]));
  /** What the send's next step is planned with. */
  const planAfter = (key: string): NextPlan => {
    const [leadId, step] = key.split("/") as [string, string];
    const campaign = data.campaigns.find(({ id }) => id === campaignOf.get(leadId))!;
    const [own, next] = [campaign.steps[Number(step) - 1], campaign.steps[Number(step)]];
    const isOther = next !== undefined && next.channel !== own?.channel;
    const isDrafted = next?.ai_personalization_enabled === true;
    return {
      configVersion: versions.get(key) ?? 1,
      nextBudget: budgetOf(next),
      ...(isOther ? { nextChannel: next.channel } : {}),
      ...(isDrafted ? { nextHold: draftHoldOf(campaign.unreviewedLaunchPolicy) } : {}),
    };
  };

  const claim = async (now: Date) => {
    const token = random.pick(tokens);
    const until = new Date(now.getTime() + random.pick([0, 60_000, 120_000]));
    const keys = await both.claim(now, until, token);
    for (const { key, configVersion } of await both.loads(keys)) versions.set(key, configVersion);
    // A worker names a send once, though it may have claimed it twice.
    for (const key of keys)
      if (!claimed.some((send) => send.key === key && send.token === token))
        claimed.push({ key, token });
    return `claim until ${until.toISOString()}: ${keys.length}`;
  };
  const settle = async (now: Date) => {
    const token = random.pick(tokens);
    const ended = takeSome(begun.filter((send) => send.token === token));
    for (const send of ended) begun.splice(begun.indexOf(send), 1);
    const starting = takeSome(claimed.filter((send) => send.token === token));
    for (const send of starting) claimed.splice(claimed.indexOf(send), 1);
    const isUnfit = random.chance(0.1);
    // Half of the groups end as most do: all of them accepted.
    const alike = random.chance(0.5) ? ACCEPTED : undefined;
    const kindOf = () => (isAlone ? random.pick([1, 2, 2, ACCEPTED]) : alike);
    const outcomes = [
      ...ended.map(({ key }) => outcomeOf(key, planAfter(key), now, random, kindOf())),
      ...(isUnfit ? starting.map(({ key }) => unfitOf(key, random)) : []),
    ];
    inDoubt.push(...outcomes.filter(({ kind }) => kind === "unknown").map(({ key }) => key));
    const keys = isUnfit ? [] : starting.map(({ key }) => key);
    const allowed = await both.settle(now, token, outcomes, keys);
    begun.push(...allowed.map((key) => ({ key, token })));
    return `settle ${outcomes.map(({ key, kind }) => `${kind} ${key}`).join(", ")}; begin ${keys.join(", ")}`;
  };
  const person = (now: Date): [string, (world: World) => Promise<unknown>] => {
    const campaign = anyCampaign();
    const { id } = campaign;
    const lead = random.pick(data.leads.filter(({ campaignId }) => campaignId === id));
    const lane = random.pick(aliases);
    const added = leadOf(random, campaign, ++rows, now, `new${rows}@new.zz`);
    const until = random.chance(0.5) ? null : new Date(now.getTime() + 3_600_000);
    const status = random.chance(0.7) ? "active" : "paused";
    const how = random.pick(["replied", "stopped"] as const);
    const reason = random.pick(["unsubscribe", "complaint", "hard_bounce", "manual"] as const);
    const change = { dailyLimit: 1 + random.below(4), minIntervalSeconds: 120 };
    const minIntervalSeconds = random.pick([null, 60, 200]);
    const size = { dailyLimit: 1 + random.below(5), minIntervalSeconds };
    const soon = new Date(now.getTime() + random.below(6 * 3_600_000));
    const [domain] = data.domains as [(typeof data.domains)[number]];
    const dailyLimit = 1 + random.below(8);
    const timezone = random.pick(SIMULATED_ZONES);
    const zone = random.pick([...SIMULATED_ZONES, null]);
    const step = 1 + random.below(2);
    const sign = random.pick(["opened", "answered"] as const);
    const kept = campaign.steps.slice(0, 1 + random.below(3));
    const steps = kept.map((own) => (random.chance(0.7) ? own : { ...own, delay_days: 1 }));
    const people: Record<string, (world: World) => Promise<unknown>> = {
      pause: ({ actions }) => actions.pause(id, now),
      resume: ({ actions }) => actions.resume(id, now),
      drain: ({ actions }) => actions.drain(id, now),
      end: ({ actions }) => actions.endLead(lead.id, now, how),
      suppress: ({ actions }) => actions.suppress(lead.emailKey!, now, reason),
      hear: ({ actions }) => actions.hear(lead.id, step, now, sign),
      hold: ({ actions }) => actions.hold(lead.id, now, until),
      release: ({ actions }) => actions.release(lead.id, now),
      moveLead: ({ actions }) => actions.moveLead(lead.id, now, zone),
      add: ({ actions }) => {
        campaignOf.set(added.id, id);
        return actions.addLeads(id, now, [added]);
      },
      edit: ({ actions }) => actions.edit(id, now, change),
      // Of what waits for texts or connections the model settles nothing anew.
      ...(campaign.type === "email" && !isDrafted
        ? { steps: ({ actions }) => actions.changeSteps(id, now, steps) }
        : {}),
      sender: ({ actions }) => actions.changeSender(lane.id, now, { status }),
      size: ({ actions }) => actions.changeSender(lane.id, now, size),
      rest: ({ actions }) => actions.restSender(lane.id, now, soon),
      failDomain: ({ actions }) => actions.failDomain(domain.id, now),
      healDomain: ({ actions }) => actions.healDomain(domain.id, now),
      limitDomain: ({ actions }) => actions.limitDomain(domain.id, now, dailyLimit),
      move: ({ actions }) => actions.moveWorkspace(timezone, now),
      replace: ({ actions }) => actions.replaceGoneSenders(now),
    };
    return random.pick(Object.entries(people));
  };
  const isDrafted = data.campaigns.some(({ steps }) =>
    steps.some((step) => step.ai_personalization_enabled),
  );
  /** Somebody approves a text of a lead, or one is written. */
  const text = async (now: Date): Promise<string> => {
    const { id } = random.pick(data.leads);
    const step = 1 + random.below(3);
    if (random.chance(0.4)) {
      await both.act(({ actions }) => actions.approve(id, step, now, APPROVED_AT));
      return `approve ${id}/${step}`;
    }
    await both.act(({ actions }) => actions.endWait(id, step, now));
    return `written ${id}/${step}`;
  };
  return {
    async play(now: Date): Promise<string> {
      if (isDrafted && random.chance(0.3)) return text(now);
      const draw = random.next() * (isAlone ? 0.6 : 1);
      if (draw < 0.3) return claim(now);
      if (draw < 0.6) return settle(now);
      if (draw < 0.65) {
        const ids = data.campaigns.map(({ id }) => id);
        await both.act(async ({ store }) => (await store.complete(now, ids)).completed.sort());
        await both.wakes();
        return "complete";
      }
      if (draw < 0.75 && inDoubt.length > 0) {
        const [leadId, step] = inDoubt.shift()!.split("/") as [string, string];
        await both.act(({ actions }) => actions.hear(leadId, Number(step), now, "opened"));
        return `opened ${leadId}/${step}`;
      }
      const [name, act] = person(now);
      return `${name}: ${String(await both.act(act))}`;
    },
  };
}

type NextPlan = Pick<NextStep, "nextChannel" | "nextBudget" | "nextHold"> & {
  configVersion: number;
};

/** The kind that `outcomeOf` draws for an acceptance. */
const ACCEPTED = 7;

function outcomeOf(
  key: string,
  { configVersion, ...plan }: NextPlan,
  now: Date,
  random: Random,
  kind = random.below(8),
): KeyedOutcome {
  const later = new Date(now.getTime() + random.pick([0, 300_000, 86_400_000]));
  const isLast = key.endsWith("/3");
  const next = {
    nextStep: isLast ? null : Number(key.at(-1)) + 1,
    nextActionAt: isLast ? null : later,
    planned: { step: Number(key.at(-1)), sentAt: now, configVersion },
    ...(isLast ? {} : plan),
  };
  switch (kind) {
    case 0:
      return { key, kind: "unknown", reason: "line lost" };
    case 1:
      return {
        key,
        kind: "rejected",
        reason: "550",
        scope: "recipient",
        ...(random.chance(0.5) && { slows: true }),
        suppress: random.chance(0.5),
        ...(random.chance(0.5) && { suppressUntil: new Date(now.getTime() + 1_800_000) }),
      };
    case 2:
      return {
        key,
        kind: "retry",
        reason: "450",
        retryAt: later,
        attemptSpent: true,
        lane: "none",
        ...(random.chance(0.5) && { isRefusal: true }),
        ...(random.chance(0.5) && { slows: true }),
      };
    case 4:
      return { key, kind: "confirmed", reason: "a bounce names it", ...next };
    case 3: {
      const lane = random.pick(["limited", "down", "sealed", "broken", "spent", "spent"] as const);
      const isRefusal = random.chance(0.5) && { isRefusal: true as const };
      return {
        key,
        kind: "retry",
        reason: "421",
        retryAt: now,
        attemptSpent: false,
        lane,
        ...isRefusal,
      };
    }
    default:
      return { key, kind: "accepted", reason: "250", acceptedAt: now, ...next };
  }
}

function unfitOf(key: string, random: Random): KeyedOutcome {
  switch (random.below(3)) {
    case 0:
      return { key, kind: "released", reason: "out of time" };
    case 1:
      return { key, kind: "render_failed", reason: "no first name", skip: random.chance(0.5) };
    default: {
      const approvedAt = random.pick([null, APPROVED_AT]);
      return { key, kind: "held", reason: "not true", hold: random.pick(DRAFT_HOLDS), approvedAt };
    }
  }
}

const APPROVED_AT = "2026-03-01T00:00:00.000Z";
