import type { LaneKind } from "#db/schema/index.ts";
import type { Deps } from "#src/deps.ts";
import type { Channel } from "#src/domain/engine/channel.ts";
import { createEmailChannel } from "#src/domain/messages/email-channel.ts";
import { createNetworkChannel } from "#src/domain/messages/network/channel.ts";

/** The kinds of lanes that ticks claim: a network's only where the network is configured. */
export const servedKinds = ({ network }: Pick<Deps, "network">): LaneKind[] =>
  network === null ? ["email"] : ["email", "socialnet"];

/** The channels of all kinds of lanes, for one tick. */
export function openChannels(deps: Deps): Channel[] {
  const { network } = deps;
  const email = createEmailChannel(deps);
  return network === null ? [email] : [email, createNetworkChannel(deps, network)];
}
