import { createPostgresStore, type StepPlan } from "#db/engine/index.ts";
import type { FeedbackSend } from "#db/campaigns/feedback.ts";
import type { Deps } from "#src/deps.ts";
import { NO_WORKER, nextStepOf } from "#src/domain/engine/outcome.ts";
import { record } from "#src/domain/engine/record.ts";

/** Confirms an unknown send by feedback (bounce, open, click, reply): the lead goes on as after an acceptance. */
export async function confirmSent(
  deps: Pick<Deps, "db" | "clock" | "wake">,
  send: Pick<FeedbackSend, "id" | "step" | "slotAt" | keyof StepPlan>,
): Promise<void> {
  const outcome = {
    id: send.id,
    kind: "confirmed" as const,
    reason: "A sign of it came back: it arrived.",
    ...nextStepOf(send.step, send.slotAt, send),
  };
  await record(createPostgresStore(deps.db), deps.clock.now(), NO_WORKER, [outcome]);
  // Its next step has a time now.
  await deps.wake();
}
