import type { Violation } from "./wire.ts";

interface Ids {
  leadId?: string;
  laneId?: string;
  campaignId?: string;
}

/** The last events of a run, to be told of what went wrong. */
export interface Story {
  add(at: number, text: string, ids: Ids): void;
  /** The last events about the lead (or else lane, or else campaign) of a violation. */
  about(violation: Violation, count: number): string[];
}

const KEPT = 100_000;

export function createStory(): Story {
  const events: ({ at: number; text: string } & Ids)[] = [];
  let next = 0;
  return {
    add(at, text, { leadId, laneId, campaignId }) {
      const event: (typeof events)[number] = { at, text };
      if (leadId !== undefined) event.leadId = leadId;
      if (laneId !== undefined) event.laneId = laneId;
      if (campaignId !== undefined) event.campaignId = campaignId;
      events[next] = event;
      next = (next + 1) % KEPT;
    },
    about({ at: until = Infinity, leadId, laneId, campaignId }, count) {
      const ordered = [...events.slice(next), ...events.slice(0, next)];
      const concerns = (event: Ids) =>
        leadId !== undefined
          ? event.leadId === leadId ||
            (event.leadId === undefined && event.campaignId === campaignId)
          : laneId !== undefined
            ? event.laneId === laneId
            : event.campaignId === campaignId;
      return ordered
        .filter((event) => event.at <= until && concerns(event))
        .slice(-count)
        .map(
          ({ at, text, ...ids }) =>
            `${new Date(at).toISOString()} ${text} ${Object.values(ids).join(" ")}`,
        );
    },
  };
}
