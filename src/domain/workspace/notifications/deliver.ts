import { readNotice } from "#db/workspace/notice-content.ts";
import {
  beginDelivery,
  claimDeliveries,
  type ClaimedDelivery,
  type DeliveryEnd,
  endDelivery,
} from "#db/workspace/notice-deliveries.ts";
import type { Deps } from "#src/deps.ts";
import { newClaim } from "#src/domain/job.ts";
import { describeError } from "#src/platform/log.ts";
import type { MailTransport } from "#src/providers/mail/index.ts";
import { kindsFor, preferencesOf, recipientOn } from "./audience.ts";
import { noticeText, SHOWN_OF_EACH } from "./notice-text.ts";
import { attemptEnd } from "./retry.ts";
import { prepareNotice, type Ready } from "./transmit.ts";

/** As many as there are connections to the relay. */
const AT_ONCE = 5;
/** Writing and beginning takes a moment; a worker that has not begun by then is gone. */
const CLAIM_MS = 2 * 60_000;
/** RFC 5321 section 4.5.3.2.6 grants the final reply 10 minutes. */
const LEASE_MS = 11 * 60_000;

/**
 * Delivers what is due, a few at once: each is claimed, written from what its user wants by now, begun,
 * handed over, and its end recorded. Answers how many it had.
 */
export async function deliverDue(deps: Deps, transport: MailTransport): Promise<number> {
  const { now, token: workerToken, until: claimedUntil } = newClaim(deps, CLAIM_MS);
  const order = { now, workerToken, claimedUntil, limit: AT_ONCE };
  const claimed = await claimDeliveries(deps.db, order);
  const ends = await Promise.allSettled(
    claimed.map((delivery) => deliverOne(deps, transport, delivery, workerToken)),
  );
  // Only now: the others were on the same connections.
  const failed = ends.find((end) => end.status === "rejected");
  if (failed !== undefined) throw failed.reason;
  return claimed.length;
}

async function deliverOne(
  deps: Deps,
  transport: MailTransport,
  delivery: ClaimedDelivery,
  workerToken: string,
): Promise<void> {
  const { id, channel, attempts } = delivery;
  const order = () => ({ id, workerToken, now: deps.clock.now() });
  const prepared = await prepare(deps, transport, delivery);
  if (typeof prepared === "function") {
    const leaseUntil = new Date(deps.clock.now().getTime() + LEASE_MS);
    if (!(await beginDelivery(deps.db, order(), leaseUntil))) return;
    const attempt = await prepared();
    return record(attemptEnd(attempt, attempts, deps.clock.now()));
  }
  return record(prepared);

  async function record(end: DeliveryEnd): Promise<void> {
    const about = { delivery_id: id, channel, attempts, outcome: end.kind };
    if (end.kind === "sent") deps.log.info("notice", about);
    else deps.log.error("notice", { ...about, reason: end.error });
    await endDelivery(deps.db, order(), end);
  }
}

/** The message, ready to go; or why there is none. */
async function prepare(
  deps: Deps,
  transport: MailTransport,
  delivery: ClaimedDelivery,
): Promise<Ready | DeliveryEnd> {
  const { channel, noticeId, userEmail, role, attempts } = delivery;
  const preferences = preferencesOf(delivery.preferences);
  const nothing = (error: string): DeliveryEnd => ({ kind: "undeliverable", error });
  if (role === null) return nothing("They are no member of the workspace any more.");
  try {
    const items = await readNotice(
      deps.db,
      noticeId,
      kindsFor(channel, preferences, role),
      SHOWN_OF_EACH,
    );
    const text = noticeText(items, deps.settings.publicBaseUrl);
    if (text === null) return nothing("Its user does not want to hear of it any more.");
    const to = recipientOn(channel, preferences, userEmail);
    if (to === null) return nothing("Its user has no address for it.");
    const ready = prepareNotice(deps, transport, delivery, text, to);
    return ready ?? nothing(`This deployment sends nothing by ${channel}.`);
  } catch (error) {
    deps.log.error("notice_not_written", describeError(error));
    const attempt = { kind: "later", error: "It could not be written.", notBeforeMs: 0 } as const;
    return attemptEnd(attempt, attempts, deps.clock.now());
  }
}
