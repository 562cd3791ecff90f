import type { AccountDay, LaneDay, LaneRollover } from "#db/engine/index.ts";
import { networkCaps } from "#src/domain/senders/network-caps.ts";
import { dayCap } from "#src/domain/senders/ramp.ts";
import { addLocalDays, knownZone, localDay } from "#src/platform/time-zone.ts";

/** A sender's accounting day: the date of the workspace's zone that its slot lies on, and what it may do on it. */
export function laneDayOf({ id, timezone, slotAt, ...sender }: LaneRollover): LaneDay {
  const { from, until } = localDay(slotAt, knownZone(timezone));
  return { id, slotAt, dayFrom: from, dayUntil: until, ...capsOn(sender, slotAt, timezone) };
}

/** What a sender may do on the date of `at`; a limit of its domain may leave it less. */
export function capsOn(
  { account, ...alias }: Pick<LaneRollover, "account" | "dailyLimit" | "ramp" | "createdAt">,
  at: Date,
  timezone: string,
): Pick<LaneDay, "dayCap" | "connectionCap"> {
  if (account === null) return { dayCap: dayCap(alias, at, timezone), connectionCap: null };
  const connectionsOfLastSixDates = connectionsBefore(account, at, timezone);
  const { connections, messages } = networkCaps(
    { ...account, connectionsOfLastSixDates },
    at,
    timezone,
  );
  return { dayCap: connections + messages, connectionCap: connections };
}

function connectionsBefore({ connections }: AccountDay, at: Date, timezone: string): number {
  const zone = knownZone(timezone);
  const { from } = localDay(at, zone);
  const since = addLocalDays(from, -6, zone);
  return connections.filter((slot) => slot >= since && slot < from).length;
}
