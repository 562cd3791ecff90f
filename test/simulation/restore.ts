import { newSend } from "#src/domain/engine/memory/claim.ts";
import { RESTORED_HOLD } from "#db/engine/restored.ts";
import { dropHold, endHold, holdLead } from "#src/domain/engine/memory/holds.ts";
import { recordOutcomes } from "#src/domain/engine/memory/outcomes.ts";
import { planOf } from "#src/domain/engine/memory/load.ts";
import type { Campaign, Lane, Lead, Send } from "#src/domain/engine/memory/rows.ts";
import { addressOf, fileLead, fileSend, type State } from "#src/domain/engine/memory/state.ts";
import { NO_WORKER, nextStepOf } from "#src/domain/engine/outcome.ts";
import type { Actions } from "./actions.ts";
import { messageIdOf } from "./sink.ts";

/** Puts the state back to how it is now, whatever happens until then. */
export function takeCopy(state: State): () => void {
  const copy = structuredClone(state);
  return () => void Object.assign(state, structuredClone(copy));
}

const REACH = 2;
const REASON = "The database was restored; this may have gone out after that.";

const DAY_MS = 23 * 3_600_000;

/** As db/engine/restored.ts, where no step may have followed one that was under way or due at `since`. */
export function restoreActions(state: State): Pick<Actions, "restored" | "settleRestored"> {
  return {
    restored(sinceAt, at) {
      const [since, now] = [sinceAt.getTime(), at.getTime()];
      const marked: Send[] = [];
      for (const send of state.sends.values()) {
        if (send.state === "unknown") holdFollowed(state, send, now);
        if (send.state !== "claimed" && send.state !== "transmitting") continue;
        if (send.state === "claimed") becomeUnknown(state, send, since);
        else Object.assign(send, { state: "unknown", leaseUntil: null });
        fileSend(state, send);
        marked.push(send);
      }
      for (const campaign of state.campaigns.values())
        if (campaign.status === "active" || campaign.status === "draining")
          for (const [lead, lane] of reached(campaign, since, now)) {
            const send = mark(state, lead, lane, { since, now });
            if (send !== null) marked.push(send);
          }
      for (const send of state.sends.values())
        if (send.state === "unknown" && send.reason === REASON && !marked.includes(send))
          marked.push(send);
      const waiting = [...state.leads.values()]
        .filter(({ hold }) => hold?.waitsFor === RESTORED_HOLD)
        .map(({ id, nextStep }) => `${id}/${nextStep! + 1}`);
      return [...marked.map(({ lead, step }) => `${lead.id}/${step}`), ...waiting].sort();
    },
    settleRestored(leadId, step, at, isSent) {
      const lead = state.leads.get(leadId)!;
      const isHeld = lead.hold?.waitsFor === RESTORED_HOLD && lead.status === "active";
      if (isHeld && lead.nextStep === step && lead.nextActionAt !== null) {
        if (!isSent) {
          endHold(state, lead, at.getTime());
          return true;
        }
        const now = at.getTime();
        mark(state, lead, state.lanes.get(lead.laneId!)!, { since: now, now });
      }
      const send = lead.sends[step];
      if (send?.state !== "unknown") return false;
      const { id, slotAt } = send;
      const next = nextStepOf(step, new Date(slotAt), planOf(send));
      const back = { retryAt: at, attemptSpent: false, lane: "none", lookedUp: true } as const;
      recordOutcomes(state, at.getTime(), NO_WORKER, [
        isSent
          ? { id, kind: "confirmed", reason: "It has gone out.", ...next }
          : { id, kind: "retry", reason: "It has not gone out.", ...back },
      ]);
      return true;
    },
  };
}

/** Its next step may have gone out, if the send was settled since. */
function holdFollowed(state: State, { lead, step, transmittingAt }: Send, now: number): void {
  const next = lead.campaign.steps[step];
  if (next === undefined || transmittingAt! + next.delay_days * DAY_MS > now) return;
  if (lead.status !== "active" || lead.hold !== null) return;
  holdLead(state, lead, null, RESTORED_HOLD);
}

/** The leads that the campaign's senders may have come to, and which of them; those without one in turns. */
function reached(campaign: Campaign, since: number, now: number): [Lead, Lane][] {
  const lanes = campaign.senders.map(({ lane }) => lane).sort((a, b) => (a.id < b.id ? -1 : 1));
  const roomOf = ({ minIntervalSeconds }: Lane): number => {
    const gap = Math.max(1, minIntervalSeconds ?? 0, campaign.minIntervalSeconds);
    return REACH * (1 + Math.floor((now - since) / 1000 / gap));
  };
  const queued = campaign.leads.filter(
    ({ status, nextActionAt, hold }) =>
      (status === "active" || (status === "pending" && campaign.status !== "draining")) &&
      nextActionAt !== null &&
      nextActionAt <= now &&
      (hold === null || (hold.until !== null && hold.until <= now)),
  );
  const groups = Map.groupBy(queued, ({ status, laneId, nextChannel }) =>
    status === "active" ? `${laneId} ${nextChannel}` : "new",
  );
  return [...groups.values()].flatMap((leads) => {
    const [{ status, laneId, nextChannel }] = leads as [Lead, ...Lead[]];
    const kind = status === "active" ? nextChannel : campaign.steps[0]!.channel;
    const own = status === "active" ? lanes.filter(({ id }) => id === laneId) : [];
    const pool = own.length > 0 ? own : lanes.filter((lane) => lane.kind === kind);
    const room = pool.reduce((sum, lane) => sum + roomOf(lane), 0);
    return leads
      .sort((a, b) => a.nextActionAt! - b.nextActionAt! || a.rowIndex - b.rowIndex)
      .slice(0, room)
      .map((lead, place): [Lead, Lane] => [lead, pool[place % pool.length]!]);
  });
}

function mark(
  state: State,
  lead: Lead,
  lane: Lane,
  { since, now }: { since: number; now: number },
): Send | null {
  const step = lead.nextStep!;
  const before = lead.sends[step];
  if (before !== undefined && before.state !== "released" && before.state !== "retry_wait")
    return null;
  const { campaign } = lead;
  const send = before ?? newSend(state, lead, step, lane);
  Object.assign(send, {
    lane,
    slotAt: since,
    campaignDay: campaign.openDay ?? new Date(now).toISOString().slice(0, 10),
    laneDayUntil: lane.dayUntil ?? now,
    budget: lead.nextBudget,
    isNew: lead.status === "pending",
    workerToken: null,
    messageId: messageIdOf(lead.id, step),
    subject: "Hello",
    reason: REASON,
  });
  becomeUnknown(state, send, since);
  campaign.used++;
  if (send.isNew) campaign.usedNew++;
  lane.used++;
  if (send.budget === "connection") lane.connectionsUsed++;
  lane.lastBegunAt = Math.max(lane.lastBegunAt ?? now, now);
  Object.assign(lead, { status: "active", laneId: lane.id, nextActionAt: null, lastError: REASON });
  dropHold(lead);
  fileLead(lead);
  return send;
}

function becomeUnknown(state: State, send: Send, since: number): void {
  Object.assign(send, { state: "unknown", leaseUntil: null, claims: 0, alone: 0 });
  send.attempts++;
  send.transmittingAt = since;
  fileSend(state, send);
  const address = addressOf(send);
  if (address === null) return;
  const traces = state.mail.get(address) ?? [];
  if (!traces.includes(send)) state.mail.set(address, [...traces, send]);
}
