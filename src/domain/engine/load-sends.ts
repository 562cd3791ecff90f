import type { ClaimedSend, StepContext } from "#db/engine.ts";
import type { Channel } from "./channel.ts";

/** A claimed send with what its channel knows of it. */
export interface LoadedSend {
  channel: Channel;
  context: StepContext;
  /** Whose connection it takes, over all channels. */
  account: string;
  /** Who refuses as one, over all channels; null for nobody. */
  target: string | null;
}

/** By the sends' ids; those whose lead, sender or step is gone are absent. */
export async function loadSends(
  channels: Channel[],
  sends: Pick<ClaimedSend, "id" | "kind">[],
): Promise<Map<string, LoadedSend>> {
  const loaded = new Map<string, LoadedSend>();
  for (const channel of channels) {
    const { kind } = channel;
    const ids = sends.filter((send) => send.kind === kind).map(({ id }) => id);
    if (ids.length === 0) continue;
    for (const context of await channel.load(ids)) {
      const account = `${kind} ${channel.accountOf(context)}`;
      loaded.set(context.sendId, { channel, context, account, target: channel.targetOf(context) });
    }
  }
  return loaded;
}
