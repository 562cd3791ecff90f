import { type EngineView, MAYBE } from "./end-invariants.ts";
import type { Invited } from "./invited.ts";
import { needsConnection } from "./network.ts";
import type { LeadTrace, Traces } from "./traces.ts";
import type { AttemptEntry, Violation } from "./wire.ts";

/** How many leads that were asked accepted, and got what waited for it. */
export interface AcceptanceCounts {
  accepted: number;
  /** Of those, leads that a message followed. */
  followed: number;
  gaveUp: number;
}

interface Known extends Pick<Traces, "leads" | "suppressed"> {
  violations: Violation[];
}

/** Somebody who knows better has said of these that they are connected: the network answers that. */
export type Released = ReadonlySet<string>;

/** Nobody is written to who has not accepted. */
export function checkConnected(
  { leads, violations }: Known,
  { network }: Pick<Invited, "network">,
  released: Released,
  { leadId, laneId, campaignId, step, at }: AttemptEntry,
): void {
  const { steps } = leads.get(leadId)!.campaign.data;
  if (!needsConnection(steps, step) || network.isConnected(leadId) || released.has(leadId)) return;
  const text = `${new Date(at).toISOString()} step ${step} to who has not accepted`;
  violations.push({ invariant: "only to who accepted", text, at, leadId, laneId, campaignId });
}

/**
 * At the end: who accepted got what waited for it, but where somebody, or something that was refused, had ended the lead; and
 * none of these messages was passed over but for want of an answer.
 */
export function checkAcceptances(
  view: EngineView,
  known: Known,
  { network, gaveUp }: Invited,
): AcceptanceCounts {
  const { leads, violations } = known;
  const counts = { accepted: 0, followed: 0, gaveUp: gaveUp.size };
  const inDoubt = new Set<string>();
  for (const { leadId, step, state } of view.sends)
    if (MAYBE.has(state)) inDoubt.add(`${leadId}/${step}`);
  const violate = (leadId: string, invariant: string, text: string) =>
    violations.push({ invariant, text, leadId });
  for (const { id, status } of view.leads) {
    const lead = leads.get(id)!;
    const messages = messagesOf(lead);
    const isConnected = network.isConnected(id);
    if (isConnected) counts.accepted++;
    if (isConnected && messages.some(({ isOnWire }) => isOnWire)) counts.followed++;
    if (status !== "completed" && (!isConnected || hasReasonToEnd(known, lead))) continue;
    const missing = messages.filter(({ step }) => !inDoubt.has(`${id}/${step}`));
    if (missing.length === 0) continue;
    if (isConnected)
      violate(id, "followed by its message", `accepted, and step ${missing[0]!.step} never came`);
    else if (!gaveUp.has(id))
      violate(id, "followed by its message", `completed without step ${missing[0]!.step}`);
  }
  return counts;
}

/** Somebody ended it, or one of its steps was refused, or could not be written. */
const hasReasonToEnd = ({ suppressed }: Known, lead: LeadTrace): boolean =>
  lead.endedNo !== Infinity ||
  suppressed.has(lead.address) ||
  lead.attemptedNo === -1 ||
  lead.isUnfit;

/** The steps that wait for an acceptance. */
const messagesOf = ({ campaign: { data }, steps }: LeadTrace) =>
  data.steps
    .filter(({ step }) => needsConnection(data.steps, step))
    .map(({ step }) => ({ step, isOnWire: (steps & (1 << step)) !== 0 }));
