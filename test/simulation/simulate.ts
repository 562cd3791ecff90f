import { type ClaimedSend, isDraftedStep, SUSPECT_ALONE } from "#db/engine/index.ts";
import type { ModelData } from "#src/domain/engine/memory/index.ts";
import { CHANNELS } from "#db/schema/index.ts";
import { NO_LIMITS } from "#src/domain/engine/run-ahead.ts";
import { tick } from "#src/domain/engine/tick.ts";
import { rollOverDue } from "#src/domain/engine/upkeep.ts";
import type { World } from "../support/engine-worlds.ts";
import { createRandom } from "../support/random.ts";
import {
  type AcceptanceCounts,
  checkAcceptances,
  checkConnected,
} from "./acceptance-invariants.ts";
import { checkAccounts } from "./account-invariants.ts";
import { capacityOf } from "./capacity.ts";
import {
  checkHolds,
  checkLedger,
  checkLiveness,
  checkOpen,
  checkUse,
  checkWakes,
} from "./end-invariants.ts";
import { CLEAN, drawCallFaults, type FaultRates, type RelayFault } from "./faults.ts";
import { createDraftWriter, type DraftRates } from "./draft-writer.ts";
import { createInvariants } from "./invariants.ts";
import { createInvited } from "./invited.ts";
import { createMachine, type Task } from "./machine.ts";
import { MOODY, type NetworkRates } from "./network.ts";
import { createPairChecks } from "./pair-invariants.ts";
import { createPeople } from "./people.ts";
import { type Effects, portOf } from "./ports.ts";
import { createHandover } from "./handed-over.ts";
import { createStepChanges } from "./step-changes.ts";
import { createRefusals, type RefusalRates } from "./refusals.ts";
import { createDigest, createSinkChannel, type Journey } from "./sink.ts";
import { createStory, type Story } from "./story.ts";
import { wallOf } from "./wall-clock.ts";
import type { AttemptEntry, StopEntry, Violation } from "./wire.ts";

export interface Run {
  seed: number;
  data: ModelData;
  world: World;
  start: Date;
  /** With faults and people. */
  days: number;
  rates: FaultRates;
  batch?: number;
  /** A tick runs at least so often, whatever the store says of when it next has something to do. */
  heartbeatMinutes?: number;
  /** Whether leads are plenty, so that unused days would show. */
  isPlenty?: boolean;
  /** How the texts come to be that a model writes. */
  drafts?: DraftRates;
  /** Who refuses by policy, beside what is drawn. */
  refusals?: RefusalRates;
  /** How often steps change: per claimed send, before it is settled. Of emails that no model writes. */
  stepChanges?: number;
  /** How often the store is put back to some minutes or hours before, and told so. */
  restores?: number;
  /** Each which look at what waits goes over all of it; without it each does. */
  looksEvery?: number;
  /** How people take it that an account asks them to connect. */
  network?: NetworkRates;
  /** Every so many days the store is looked at as a whole. */
  restDays?: number;
  /** It ends with the day on which so many were seen. */
  mostViolations?: number;
  /** Nothing else happens until it is done. */
  onDay?(day: number): void | Promise<void>;
  /** Each line of what the digest is over, for a comparison of two runs. */
  onEvent?(line: string): void;
}

export interface RunResult {
  seed: number;
  sends: number;
  ticks: number;
  crashes: number;
  unknown: number;
  refusedByRelay: number;
  violations: Violation[];
  /** Texts that were asked for, and that were written. */
  draftsAsked: number;
  draftsWritten: number;
  acceptances: AcceptanceCounts;
  /** Actions whose answer was lost, and that were looked up: found done, and put back. */
  lookedUp: { done: number; notDone: number };
  /** Changes of steps that took effect. */
  stepChanges: number;
  /** Cuts of what a domain writes to an operator, and begins to one that was slow. */
  pairs: { cuts: number; paced: number };
  /** Messages that a restore made unknown, and that were settled. */
  restored: number;
  /** Messages by UTC date. */
  byDay: Record<string, number>;
  /** Digest of all that happened. */
  hash: string;
  story: Story;
}

type TriedSend = Pick<AttemptEntry, "laneId" | "campaignId" | "beganAt" | "at">;

/** What makes all senders of a campaign look for work. */
const WAKE_ALL: ReadonlySet<StopEntry["kind"]> = new Set(["resumed", "limits", "leads_added"]);

const PERIOD_MS = 60_000;
const DAY_MS = 86_400_000;
const MOST_VIOLATIONS = 50;
/**
 * After the days with faults come calm ones, until every lead has ended: as many as the limits of campaigns, senders and
 * domains make them, but no longer than this without a message or an end. The longest honest wait is for an answer to a
 * request to connect: 14 days, and an account's week behind it.
 */
const QUIET_DAYS = 40;

/** One seed: the real tick, overlapping with itself, over a store that may fail and a relay that may lie, watched on the wire. */
export async function simulate(run: Run): Promise<RunResult> {
  const { seed, data, world, start, restDays = 1, mostViolations = MOST_VIOLATIONS } = run;
  const random = createRandom(seed ^ 0x5eed);
  const machine = createMachine(start.getTime(), createRandom(seed ^ 0x0dde));
  const invariants = createInvariants(data, { isCalm: run.rates === CLEAN });
  const { violations } = invariants;
  const pairs = createPairChecks(
    data,
    (leadId) => invariants.leads.get(leadId)!.address,
    violations,
  );
  const digest = createDigest();
  const story = createStory();
  const refused = new Map<string, number>();
  /** Campaigns all of whose senders have just been woken. */
  const woken = new Set<string>();
  const journeys = new Map<string, Journey>();
  /** What the network refused last because a budget is used up, by the send's id in the store. */
  const refusals = new Map<string, AttemptEntry>();
  const refusedAt = new Map<string, number[]>();
  /** Leads that a worker marked as its only one, and how often since it last began to send to them. */
  const isolated = new Map<string, number>();
  const counts = { ticks: 0, crashes: 0, unknown: 0, refusedByRelay: 0 };
  const lookedUp = { done: 0, notDone: 0 };
  let rates = run.rates;
  let effects = 0;
  /** When the engine next has something to do, as the last tick was told; 0 for at once. */
  let wakeAt: number | null = 0;
  let inFlight = 0;
  let restoredCount = 0;
  /** How each that is under way ends. */
  const workers = new Set<() => void>();
  let isOver = false;

  const note = (at: number, text: string, ids: Parameters<Story["add"]>[2]) => {
    story.add(at, text, ids);
    const line = `${at} ${text} ${ids.leadId ?? ""} ${ids.laneId ?? ""}`;
    digest.add(line);
    run.onEvent?.(line);
  };

  const people = createPeople({
    machine,
    random: createRandom(seed ^ 0x9e09),
    world,
    data,
    note(what) {
      const at = machine.now();
      invariants.onStop({ ...what, no: ++effects, at });
      const { kind, ...ids } = what;
      if (kind === "held") heldIds.add(what.leadId);
      if (kind === "released") releasedIds.add(what.leadId);
      if (kind === "leads_added") writer?.meet(what.leads);
      const { laneIds = [], ...one } = ids as { laneIds?: string[]; leadId?: string };
      note(at, kind, one);
      for (const laneId of laneIds) note(at, kind, { laneId });
      wakeAt = 0;
      if (WAKE_ALL.has(kind) && "campaignId" in what) woken.add(what.campaignId);
    },
    look,
    onSuspect(leadId) {
      if ((isolated.get(leadId) ?? 0) < SUSPECT_ALONE)
        violations.push({
          invariant: "only who died alone is a suspect",
          text: `${leadId} was alone with ${isolated.get(leadId) ?? 0} workers that ended`,
          at: machine.now(),
          leadId,
        });
      isolated.delete(leadId);
    },
  });
  let looks = 0;
  /** A look goes over all campaigns and senders; where these are many, each so manyth is enough. */
  const isLook = (): boolean => restDays === 1 && looks++ % (run.looksEvery ?? 1) === 0;
  async function look(): Promise<void> {
    if (isLook()) checkWakes(await world.view(), machine.now(), invariants, woken);
    woken.clear();
  }
  const invited = createInvited({
    machine,
    random: createRandom(seed ^ 0x1417),
    world,
    rates: run.network ?? MOODY,
    away: () => rates.relay,
    isOver: () => isOver,
    async onChange(what, leadId) {
      effects++;
      note(machine.now(), what, { leadId });
      wakeAt = 0;
      await look();
    },
  });

  /** Once held by a person: whatever they waited for before, a claim finds it out anew. */
  const heldIds = new Set<string>();
  /** Somebody let these go on, so whatever they waited for is there. */
  const releasedIds = new Set<string>();
  const byDay: Record<string, number> = {};
  const writer =
    run.drafts &&
    createDraftWriter({
      machine,
      random: createRandom(seed ^ 0xd4af),
      world,
      data,
      rates: run.drafts,
      violations,
      isOver: () => isOver,
      onChange(what, leadId) {
        note(machine.now(), what, { leadId });
        wakeAt = 0;
      },
    });
  const stepsOf = new Map(data.campaigns.map(({ id, steps }) => [id, steps]));
  const changes = createStepChanges(data, world, {
    random: createRandom(seed ^ 0x57e9),
    violations,
  });
  const chanceOfChange = createRandom(seed ^ 0xc4a9);
  const chanceOfRepeat = createRandom(seed ^ 0x4e9e);
  async function changeSteps(campaignId: string, inMs: number): Promise<void> {
    await machine.turn(machine.now() + inMs);
    if (rates === CLEAN) return;
    await machine.alone(async () => {
      await changes.change(new Date(machine.now()), campaignId, (what) => {
        invariants.onStop({ ...what, no: ++effects, at: machine.now() });
        note(machine.now(), what.kind, {});
        wakeAt = 0;
        if (what.kind === "resumed") woken.add(what.campaignId);
      });
      await look();
    });
  }
  /** A step that a model writes, and there is no text for it. */
  const lacksText = (leadId: string, campaignId: string, step: number): boolean =>
    writer !== undefined &&
    isDraftedStep(stepsOf.get(campaignId)![step - 1]) &&
    !writer.hasText(leadId, step);

  const policy = run.refusals && createRefusals(run.refusals, violations);
  const ports = {
    machine,
    refusals: policy,
    lacksText,
    policyOf: (id: string) =>
      data.campaigns.find((campaign) => campaign.id === id)!.unreviewedLaunchPolicy,
    random,
    rates: () => rates,
    journeyOf: (sendId: string) => journeys.get(sendId)!,
    network: invited.network,
    stepsOf: changes.stepsOf,
    onUnfit: (leadId: string) => void (invariants.leads.get(leadId)!.isUnfit = true),
    onTry: (entry: AttemptEntry) => checkConnected(invariants, invited, releasedIds, entry),
    onMail(entry: Parameters<typeof invariants.onMail>[0]) {
      note(entry.at, `on the wire: step ${entry.step}`, entry);
      invariants.onMail(entry);
      policy?.onMail(entry);
      const day = new Date(entry.at).toISOString().slice(0, 10);
      byDay[day] = (byDay[day] ?? 0) + 1;
      if (lacksText(entry.leadId, entry.campaignId, entry.step))
        violations.push({
          invariant: "nothing without its text",
          text: `step ${entry.step} of ${entry.leadId} has none`,
          ...entry,
        });
      if (random.chance(rates.answers)) people.receive(entry.leadId, entry.step);
    },
    onAttempt(entry: AttemptEntry, fault: RelayFault, sendId: string) {
      counts.refusedByRelay++;
      if (fault === "spent") refusals.set(sendId, entry);
      countTry(entry);
      pairs.onAttempt(entry, fault, sendId);
      note(entry.at, `relay: ${fault}, step ${entry.step}`, entry);
      if (!fault.endsWith("after_dot")) return invariants.onAttempt(entry, fault);
      counts.unknown++;
      // An answer that a restored store has forgotten lies in an inbox, which is no part of this.
      if (run.restores === undefined && random.chance(0.6))
        people.receive(entry.leadId, entry.step);
    },
  };

  /** It may have taken a place of its day that the ledger does not show. */
  function countTry({ laneId, campaignId, beganAt, at }: TriedSend): void {
    refusedAt.set(laneId, [...(refusedAt.get(laneId) ?? []).slice(-99), at]);
    const { timezone } = invariants.campaigns.get(campaignId)!.data;
    for (const date of new Set([0, 186_000].map((late) => wallOf(beganAt - late, timezone).date))) {
      const key = `${campaignId} ${date}`;
      refused.set(key, (refused.get(key) ?? 0) + 1);
    }
  }

  /** Claims and begins get their place in the order of effects. */
  const whatTookEffect: Effects = {
    async onNextWake(next) {
      const wakesAt = next && next.getTime();
      if (isLook()) checkHolds(await world.view(), wakesAt, machine.now(), invariants);
    },
    onSwept(swept) {
      counts.unknown += swept.filter(({ to }) => to === "unknown").length;
    },
    onIsolated(sendId) {
      const { leadId } = journeys.get(sendId)!;
      isolated.set(leadId, (isolated.get(leadId) ?? 0) + 1);
    },
    onClaimed(claimed) {
      const claimNo = ++effects;
      for (const send of claimed) {
        const { campaignId, campaignLeadId: leadId, laneId, step } = send;
        const ids = { campaignId, leadId, laneId };
        journeys.set(send.id, { ...ids, claimNo, beganNo: 0, beganAt: 0 });
        note(machine.now(), `claimed: step ${send.step} for ${send.slotAt.toISOString()}`, {
          ...ids,
        });
        if (lacksText(leadId, campaignId, step) && !heldIds.has(leadId))
          violations.push({
            invariant: "no lane for a text that is not there",
            text: `step ${step} of ${leadId} was claimed`,
            at: machine.now(),
            leadId,
          });
        if (random.chance(rates.aimed)) void interfere(send);
        if (run.stepChanges !== undefined && chanceOfChange.chance(run.stepChanges))
          void changeSteps(
            campaignId,
            Math.max(0, send.beginsAt.getTime() - machine.now()) + chanceOfChange.below(4000),
          );
      }
    },
    onSettled(now, outcomes, begun) {
      const beganNo = ++effects;
      for (const { id, begun: isBegun } of begun) {
        if (!isBegun) continue;
        const journey = journeys.get(id)!;
        journeys.set(id, { ...journey, beganNo, beganAt: now.getTime() });
        isolated.delete(journey.leadId);
      }
      pairs.onSettled(now, outcomes, begun, (id) => journeys.get(id));
      for (const outcome of outcomes) {
        policy?.onRecorded(outcome);
        const of = journeys.get(outcome.id);
        if (of !== undefined) changes.onRecorded(outcome, of);
        const refusal = refusals.get(outcome.id);
        if (outcome.kind === "retry" && outcome.lane === "spent" && refusal !== undefined)
          invariants.onSpent(refusal, beganNo);
        if (outcome.kind === "confirmed") lookedUp.done++;
        if ("lookedUp" in outcome) forget(outcome.id);
        if (outcome.kind === "accepted") journeys.delete(outcome.id);
      }
    },
  };

  /** It was begun and not done: it is tried again as one that is no new lead any more. */
  function forget(sendId: string): void {
    const journey = journeys.get(sendId)!;
    lookedUp.notDone++;
    countTry({ ...journey, at: journey.beganAt });
    invariants.leads.get(journey.leadId)!.attemptedNo = -1;
    note(machine.now(), "looked up, and not done", journey);
  }

  /** One worker: everything it asks for may be slow, fail, or be the last it asks for. */
  async function runTick(at: number): Promise<void> {
    const task: Task = { dead: false };
    await machine.turn(at);
    counts.ticks++;
    inFlight++;
    wakeAt = 0;
    const skew = random.chance(rates.skew) ? random.below(10_001) - 5000 : 0;
    const ended = Promise.withResolvers<void>();
    const never = new Promise<never>(() => {});
    const die = () => {
      if (!task.dead) counts.crashes++;
      task.dead = true;
      note(machine.now(), "a worker dies", {});
      ended.resolve();
      return never;
    };
    workers.add(die);
    const call = async <T>(work: () => Promise<T>): Promise<T> => {
      const faults = drawCallFaults(random, rates);
      await machine.turn(machine.now() + faults.beforeMs, task);
      if (faults.end === "crash_before") return die();
      if (faults.end === "aborted") throw new Error("could not serialize access (simulated)");
      const result = await machine.alone(work);
      if (faults.end === "crash_after") return die();
      if (faults.end === "lost_reply") throw new Error("the reply was lost (simulated)");
      if (faults.afterMs > 0) await machine.turn(machine.now() + faults.afterMs, task);
      return result;
    };
    const clock = {
      now: () => new Date(machine.now() + skew),
      sleepUntil: (until: Date) => machine.turn(until.getTime() - skew, task),
    };
    const handover = createHandover();
    const ofThis: Effects = {
      ...whatTookEffect,
      onSettled(now, outcomes, begun) {
        whatTookEffect.onSettled(now, outcomes, begun);
        handover.onSettled(outcomes, begun);
      },
    };
    const isRepeated = () => chanceOfRepeat.chance(rates.repeated);
    void tick({
      store: portOf(world.store, call, ofThis, isRepeated),
      clock,
      channels: CHANNELS.map((kind) =>
        handover.over(
          createSinkChannel(kind, task, {
            ...ports,
            load: (of, ids) => call(() => world.load(of, ids)),
          }),
        ),
      ),
      log: { info() {}, error() {} },
      newToken: () => random.uuid(),
      settings: { batch: run.batch ?? 50, periodSeconds: 60, connections: 5, limits: NO_LIMITS },
    })
      .then(
        (report) => {
          handover.check(machine.now(), (id) => journeys.get(id)?.leadId ?? "", violations);
          return report.nextWakeAt === null ? null : report.nextWakeAt.getTime();
        },
        () => 0,
      )
      .then((next) => {
        wakeAt = next;
        ended.resolve();
      });
    await ended.promise;
    workers.delete(die);
    inFlight--;
    if (task.dead || inFlight > 0) wakeAt = 0;
  }

  /** Whatever happens to a send between its claim and its begin, or while it is handed over. */
  async function interfere({ campaignId, campaignLeadId, laneId, slotAt }: ClaimedSend) {
    const aheadMs = Math.max(0, slotAt.getTime() - machine.now());
    const beginsInMs = random.chance(0.4) ? aheadMs : random.below(aheadMs + 1);
    await machine.turn(machine.now() + beginsInMs + random.below(5000));
    if (rates !== CLEAN) await people.act({ campaignId, leadId: campaignLeadId, laneId });
  }

  /** Every worker ends, and the store forgets; whoever runs it says so, and finds out by and by what had gone out. */
  async function restore(): Promise<void> {
    const chance = createRandom(seed ^ 0x7e57);
    for (let no = 0; no < run.restores!; no++) {
      await machine.turn(machine.now() + (chance.next() * run.days * DAY_MS) / run.restores!);
      const since = machine.now();
      const goBack = world.copy!();
      await machine.turn(since + chance.pick([8, 40, 600]) * 60_000);
      for (const die of workers) die();
      goBack();
      wakeAt = 0;
      effects++;
      note(machine.now(), "restored", {});
      const at = new Date(machine.now());
      const marked = await machine.alone(async () => {
        await rollOverDue(world.store, at, at, new Set());
        return world.actions.restored(new Date(since), at);
      });
      for (const key of marked) void settle(key, chance.below(6 * 3_600_000));
    }
  }
  async function settle(key: string, inMs: number, again = 0): Promise<void> {
    await machine.turn(machine.now() + inMs);
    const [leadId, step] = key.split("/") as [string, string];
    const lead = invariants.leads.get(leadId)!;
    const isSent = (lead.steps & (1 << Number(step))) !== 0;
    // Which of its senders that was is not known: it may go on from another.
    if (isSent) lead.last.email.lane = null;
    const at = new Date(machine.now());
    if (await machine.alone(() => world.actions.settleRestored(leadId, Number(step), at, isSent)))
      restoredCount++;
    // A held lead comes onto the list when its unknown step is settled.
    else if (again < 8) void settle(key, 4 * 3_600_000, again + 1);
    wakeAt = 0;
  }

  /** The schedule: a tick each minute, unless the engine has said that nothing is due. */
  async function schedule(): Promise<void> {
    const heartbeatMs = (run.heartbeatMinutes ?? 15) * 60_000;
    let firedAt = -Infinity;
    let at = start.getTime();
    while (!isOver) {
      await machine.turn(at);
      const isIdle = inFlight === 0 && (wakeAt === null || wakeAt >= at + PERIOD_MS);
      const isBeat = at - firedAt >= heartbeatMs;
      if (!isIdle || isBeat) {
        firedAt = at;
        fire(at);
      }
      at += PERIOD_MS;
      if (isIdle && wakeAt !== 0) {
        // Straight to what comes first; people move `wakeAt`, and are looked for each hour.
        const next = Math.min(wakeAt ?? Infinity, firedAt + heartbeatMs, at + 59 * PERIOD_MS);
        at = Math.max(at, Math.floor(next / PERIOD_MS) * PERIOD_MS);
      }
    }
  }

  function fire(at: number): void {
    if (random.chance(rates.tickLost)) return void (wakeAt = 0);
    if (random.chance(rates.tickLate)) {
      void runTick(at + random.below(7_200_000));
      return;
    }
    void runTick(at + random.below(rates.slow > 0 ? 3000 : 1));
    if (random.chance(rates.tickDuplicate)) void runTick(at + random.below(5000));
  }

  async function live(): Promise<void> {
    const perDay = rates.actionsPerDay * data.campaigns.length;
    if (perDay === 0) return;
    const chance = createRandom(seed ^ 0x11fe);
    while (rates !== CLEAN) {
      await machine.turn(machine.now() - (Math.log(1 - chance.next()) / perDay) * DAY_MS);
      if (rates !== CLEAN) await people.act();
    }
  }

  /** Attempts that the ledger shows as one row, and the day's counter each for itself. */
  const refusedOn = (id: string, date: string | null) => refused.get(`${id} ${date}`) ?? 0;

  /** A begin may be charged to the date before its attempt's. */
  const refusedSince = (laneId: string, from: number) =>
    (refusedAt.get(laneId) ?? []).filter((at) => at >= from - 600_000).length;

  const checkRest = async () => {
    // Only at rest: what a worker holds is not waiting for anybody.
    if (inFlight > 0) return;
    const view = await world.view();
    checkWakes(view, machine.now(), invariants);
    checkOpen(view, machine.now(), invariants);
    checkLedger(view, invariants, refusedOn);
    checkAccounts(view, invariants, refusedSince);
  };

  void schedule();
  void live();
  if (run.restores !== undefined) void restore();
  const isCut = () => violations.length >= mostViolations;
  let moved = { day: run.days, sends: 0, open: 0 };
  for (let day = 1; day - moved.day <= QUIET_DAYS && !isCut(); day++) {
    await machine.run(start.getTime() + day * DAY_MS);
    await run.onDay?.(day);
    const looked = people.lookAtSuspects();
    await machine.run(machine.now());
    await looked;
    if (day === run.days) {
      rates = CLEAN;
      const calm = people.settle();
      await machine.run(machine.now());
      await calm;
    }
    if (day % restDays === 0) await checkRest();
    if (day <= run.days) continue;
    const [open, sends] = [await world.openLeads(), invariants.mailCount()];
    if (open === 0) break;
    if (open !== moved.open || sends !== moved.sends) moved = { day, sends, open };
  }
  // Two days more, for campaigns to notice that they are done and for late replies.
  if (!isCut()) await machine.run(machine.now() + 4 * DAY_MS);
  isOver = true;
  await checkRest();
  checkLiveness(await world.view(), invariants);
  const acceptances = checkAcceptances(await world.view(), invariants, invited);
  if (run.isPlenty === true) checkUse(invariants, capacityOf(data));
  return {
    seed,
    sends: invariants.mailCount(),
    ...counts,
    draftsAsked: writer?.asked() ?? 0,
    acceptances,
    lookedUp,
    draftsWritten: writer?.written.size ?? 0,
    stepChanges: changes.count(),
    pairs: pairs.counts,
    restored: restoredCount,
    byDay,
    violations: violations.slice(0, mostViolations),
    hash: digest.hex(),
    story,
  };
}
