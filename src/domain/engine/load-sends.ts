import type { ClaimedSend, StepContext } from "#db/engine/index.ts";
import type { Channel, Route } from "./channel.ts";
import type { Attempt } from "./pace.ts";

/** A claimed send with what its channel knows of it. */
export interface LoadedSend {
  channel: Channel;
  context: StepContext;
  /** Over all channels. */
  route: Route;
  /** The channel's `targetOf`, unique over all channels; null where there is none. */
  target: string | null;
}

type Claimed = Pick<ClaimedSend, "id" | "kind">;

const idsOf = (claimed: readonly Claimed[], { kind }: Channel): string[] =>
  claimed.filter((send) => send.kind === kind).map(({ id }) => id);

const among = ({ kind }: Channel, { workspaceId, host, account }: Route): Route => ({
  workspaceId,
  host: `${kind} ${host}`,
  account: `${kind} ${account}`,
});

/** By the sends' ids; sends whose lead, sender or step is gone are absent. */
export async function loadSends(
  channels: Channel[],
  claimed: readonly Claimed[],
): Promise<Map<string, LoadedSend>> {
  const loaded = new Map<string, LoadedSend>();
  for (const channel of channels) {
    const ids = idsOf(claimed, channel);
    if (ids.length === 0) continue;
    for (const context of await channel.load(ids)) {
      const route = among(channel, channel.routeOf(context));
      loaded.set(context.sendId, { channel, context, route, target: channel.targetOf(context) });
    }
  }
  return loaded;
}

/** How the servers of these answered of late. */
export async function loadAttempts(
  channels: Channel[],
  claimed: readonly Claimed[],
  now: Date,
): Promise<Attempt[]> {
  const attempts: Attempt[] = [];
  for (const channel of channels) {
    const ids = idsOf(claimed, channel);
    if (ids.length === 0 || channel.lastAttempts === undefined) continue;
    for (const { route, ...attempt } of await channel.lastAttempts(ids, now))
      attempts.push({ route: among(channel, route), ...attempt });
  }
  return attempts;
}
