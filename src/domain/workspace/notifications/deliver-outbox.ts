import * as z from "zod";
import { sweepDeliveries } from "#db/workspace/notice-deliveries.ts";
import { nextNoticeAt } from "#db/base/fragments/outbox.ts";
import type { Deps } from "#src/deps.ts";
import { define } from "#src/domain/job.ts";
import { NOTICE_KINDS } from "./audience.ts";
import { deliverDue } from "./deliver.ts";
import { openNotices } from "./open-notices.ts";
import { MOST_ATTEMPTS } from "./retry.ts";
import { DELIVER_OUTBOX, enqueueOutboxReader } from "./wake.ts";

/** A run begins nothing more after so long: the queue gives it no more than three minutes. */
const RUN_MS = 45_000;

export interface OutboxRun {
  /** Effects that were taken into notices, or let go. */
  taken: number;
  delivered: number;
  /** When there is something to do next. */
  nextAt: Date | null;
}

/**
 * The one reader of the outbox: makes notices of what is owed, delivers what is due, and asks to be called
 * again when the next thing is. Safe to repeat, to overlap and to lose.
 */
export async function deliverOutbox(deps: Deps): Promise<OutboxRun> {
  const { db, clock, settings } = deps;
  const channels = { email: settings.systemMail !== null, whatsapp: deps.messaging !== null };
  const until = clock.now().getTime() + RUN_MS;
  const transport = deps.openMail();
  const run = { taken: 0, delivered: 0 };
  try {
    await sweepDeliveries(db, clock.now(), MOST_ATTEMPTS);
    for (let found = 1; found > 0 && clock.now().getTime() < until;) {
      const taken = await openNotices(deps, channels);
      const delivered = await deliverDue(deps, transport);
      run.taken += taken;
      run.delivered += delivered;
      found = taken + delivered;
    }
  } finally {
    await transport.close();
  }
  const nextAt = await nextNoticeAt(db, NOTICE_KINDS);
  if (nextAt !== null) await enqueueOutboxReader(deps, nextAt);
  deps.log.info("outbox", { ...run, next_at: nextAt?.toISOString() ?? null });
  return { ...run, nextAt };
}

/** The reader; a tick too looks whether its message was lost. */
export const deliveringOutbox = define(DELIVER_OUTBOX, {
  payload: z.object({ version: z.literal(1) }),
  run: (deps) => deliverOutbox(deps),
  lost: {
    afterMs: 60_000,
    find: async ({ db }, before) => {
      const nextAt = await nextNoticeAt(db, NOTICE_KINDS);
      return nextAt !== null && nextAt <= before ? [nextAt] : [];
    },
    requeue: (deps) => enqueueOutboxReader(deps),
  },
});
