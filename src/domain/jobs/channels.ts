import type { LaneKind } from "#db/schema/index.ts";
import type { Deps } from "#src/deps.ts";
import type { Channel } from "#src/domain/engine/channel.ts";
import { createEmailChannel } from "#src/domain/messages/email-channel.ts";

/** What the service's senders can do, by the kind of their lanes. */
const CHANNELS = { email: createEmailChannel } satisfies Partial<
  Record<LaneKind, (deps: Deps) => Channel>
>;

/** Only lanes of these kinds are claimed. */
export const SERVED_KINDS = Object.keys(CHANNELS) as LaneKind[];

/** For one tick. */
export const openChannels = (deps: Deps): Channel[] =>
  Object.values(CHANNELS).map((open) => open(deps));
