import { dequeue, enqueue, notQueued } from "./queue.ts";
import { earlier, type Hold, type Lead } from "./rows.ts";
import { earliestSlot, fileLane, fileLead, type State } from "./state.ts";

/** Keeps a lead back until an instant, or until it is released; for the want of a text or a connection until that is there. */
export function holdLead(
  state: State,
  lead: Lead,
  until: number | null,
  waitsFor: Hold["waitsFor"] = null,
): void {
  dropHold(lead);
  lead.hold = { ...notQueued(lead.rowIndex), lead, until, waitsFor };
  if (until !== null) enqueue(state.holds, lead.hold, until);
  fileLead(lead);
}

/** The lead is due again, and the lanes that may serve it look. */
export function endHold(state: State, lead: Lead, at: number): void {
  if (lead.hold === null) return;
  if (lead.isEdge) lead.campaign.ranOut = true;
  dropHold(lead);
  fileLead(lead);
  for (const { lane } of lead.campaign.senders) {
    if (!lane.open || (lead.laneId !== null && lead.laneId !== lane.id)) continue;
    lane.nextSlotAt = earlier(lane.nextSlotAt, earliestSlot(at, lane, lead.campaign));
    fileLane(state, lane);
  }
}

/** What held a lead that ends holds it no more. */
export function dropHold(lead: Lead): void {
  if (lead.hold !== null) dequeue(lead.hold);
  lead.hold = null;
}
