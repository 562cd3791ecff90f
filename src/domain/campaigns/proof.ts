import { createPostgresStore } from "#db/engine.ts";
import type { FeedbackSend } from "#db/feedback.ts";
import type { Deps } from "#src/deps.ts";
import { NO_WORKER, nextStepOf } from "./outcome.ts";

/** An unknown send of which there is a sign (bounce, open, click, reply) did go out: the lead goes on as after an acceptance. */
export async function proveSent(
  { db, clock }: Pick<Deps, "db" | "clock">,
  send: Pick<FeedbackSend, "id" | "step" | "slotAt" | "nextDelayDays" | "timezone">,
): Promise<void> {
  const outcome = {
    id: send.id,
    kind: "proven" as const,
    reason: "A sign of it came back: it arrived.",
    ...nextStepOf(send.step, send.slotAt, send),
  };
  await createPostgresStore(db).settle(clock.now(), NO_WORKER, [outcome], []);
}
