import type { ClaimedSend, SenderFault, SendOutcome } from "#db/engine/index.ts";
import { describeError } from "#src/platform/log.ts";
import type { PreparedAction } from "./channel.ts";
import type { LoadedSend } from "./load-sends.ts";
import type { Engine } from "./tick.ts";

/** What stands against preparing a send ends it for now; otherwise it is ready to begin. */
export async function prepareSend(
  { log }: Engine,
  send: ClaimedSend,
  of: LoadedSend | undefined,
  now: Date,
): Promise<PreparedAction | Unready> {
  if (of === undefined)
    return {
      kind: "render_failed",
      reason: "The lead, sender or step of this send no longer exists.",
      skip: false,
    };
  try {
    const prepared = await of.channel.prepare(of.context, now);
    if (prepared.ok) return prepared;
    if ("waits" in prepared) {
      const { waits: hold, reason, approvedAt } = prepared;
      return { kind: "held", hold, reason, approvedAt };
    }
    const { reason, skip } = prepared;
    if (prepared.isOfSender === true) return goesBack(now, "broken", reason);
    return { kind: "render_failed", reason, skip };
  } catch (error) {
    // The text could be written: the vault, which keeps account and keys, is at fault.
    const who = { send_id: send.id, lane_id: send.laneId };
    log.error("account_unusable", { ...who, ...describeError(error) });
    return goesBack(
      now,
      "sealed",
      "The account of this sender could not be opened; nothing is lost, it is tried again.",
    );
  }
}

const goesBack = (retryAt: Date, lane: SenderFault, reason: string) => ({
  kind: "retry" as const,
  reason,
  retryAt,
  attemptSpent: false,
  lane,
});

type Unready = WithoutId<Extract<SendOutcome, { kind: "render_failed" | "retry" | "held" }>>;
type WithoutId<Outcome> = Outcome extends unknown ? Omit<Outcome, "id"> : never;
