import type { LaneKind } from "#db/schema/index.ts";
import type { Deps } from "#src/deps.ts";
import type { Channel } from "#src/domain/engine/channel.ts";
import { createEmailChannel } from "#src/domain/messages/email-channel.ts";
import { createNetworkChannel } from "#src/domain/messages/network/channel.ts";

/** Only lanes of these kinds are claimed: those of a network only where it is configured. */
export const servedKinds = ({ network }: Pick<Deps, "network">): LaneKind[] =>
  network === null ? ["email"] : ["email", "socialnet"];

/** What the service's senders can do, by the kind of their lanes; for one tick. */
export function openChannels(deps: Deps): Channel[] {
  const { network } = deps;
  const email = createEmailChannel(deps);
  return network === null ? [email] : [email, createNetworkChannel(deps, network)];
}
