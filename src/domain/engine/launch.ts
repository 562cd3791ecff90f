import type { ClaimedSend, SendOutcome, SenderHistory } from "#db/engine/index.ts";
import { describeError } from "#src/platform/log.ts";
import { needsHistory } from "./retry-policy.ts";
import type { PreparedAction } from "./channel.ts";
import type { Connections } from "./connections.ts";
import type { LoadedSend } from "./load-sends.ts";
import { answerOf, outcomeOf } from "./outcome.ts";
import { isLate, type Paces } from "./pace.ts";
import { prepareSend } from "./prepare-send.ts";
import type { Recorder } from "./outcome-writer.ts";
import { createTargetBreaker } from "./target-breaker.ts";
import type { Engine } from "./tick.ts";

/** A send that has not ended by then has lost its worker (RFC 5321 section 4.5.3.2.6 grants the final reply 10 minutes). */
const TRANSMIT_LEASE_MS = 11 * 60_000;

/** A claimed send with its loaded context; without one, its lead, sender or step is gone. */
export interface WaitingSend extends ClaimedSend {
  of: LoadedSend | undefined;
  route: LoadedSend["route"];
}

export interface Launched {
  accepted: number;
  /** Not handed over, because a guard stood against it. */
  refused: number;
  handedOver: number;
}

/** Writes claimed sends, has them begun and hands them over. */
export function createLauncher(
  engine: Engine,
  parts: {
    recorder: Recorder;
    connections: Connections<SendOutcome>;
    paces: Paces;
    bounced: Set<string>;
  },
) {
  const { clock, settings } = engine;
  const { recorder, connections, paces, bounced } = parts;
  const breaker = createTargetBreaker();
  let promptAnswers = 0;
  const counts: Launched = { accepted: 0, refused: 0, handedOver: 0 };
  /** Letters that wait for their begin. */
  const written = new Map<string, ReturnType<typeof prepareSend>>();

  function write(sends: WaitingSend[], now: Date): void {
    for (const send of sends)
      if (!written.has(send.id)) written.set(send.id, prepareSend(engine, send, send.of, now));
  }

  async function perform(
    send: ClaimedSend,
    { channel, context, target, route }: LoadedSend,
    { ready }: PreparedAction,
  ): Promise<SendOutcome> {
    const begunAt = clock.now();
    const result = await answerOf(() => channel.perform(ready));
    const now = clock.now();
    paces.note({ route, begunAt, endedAt: now }, now);
    if (!isLate(begunAt, now)) promptAnswers++;
    breaker.note(target, result);
    if (result.state === "accepted") counts.accepted++;
    const asked = needsHistory(result) ? await askHistory(engine, send.id) : {};
    const outcome = outcomeOf(context, result, { now: clock.now(), slotAt: send.slotAt, ...asked });
    if (outcome.kind === "rejected" && outcome.scope === "recipient") bounced.add(send.campaignId);
    return outcome;
  }

  return {
    counts,
    promptAnswers: () => promptAnswers,
    /** What comes `next` is written meanwhile, so that a connection that becomes free does not wait for it. */
    async launch(due: WaitingSend[], next: WaitingSend[], now: Date): Promise<void> {
      const ready: { send: WaitingSend; of: LoadedSend; prepared: PreparedAction }[] = [];
      write(due, now);
      for (const send of due) {
        const { of } = send;
        const letter = written.get(send.id)!;
        // The last reference: of a large batch no more letters are in memory than are under way.
        written.delete(send.id);
        const prepared = (of && breaker.waitFor(send.id, of.target, now)) ?? (await letter);
        if ("kind" in prepared) recorder.ended({ ...prepared, id: send.id });
        else ready.push({ send, of: of!, prepared });
      }
      const leaseUntil = new Date(now.getTime() + TRANSMIT_LEASE_MS);
      const asked = recorder.begin(
        ready.map(({ send, prepared }) => ({ id: send.id, leaseUntil, ...prepared.record })),
      );
      // While the database is at it.
      const ahead = next.slice(0, settings.connections).filter(({ beginsAt }) => beginsAt <= now);
      write(ahead, now);
      const begun = await asked;
      const allowed = new Set(begun.filter((answer) => answer.begun).map(({ id }) => id));
      counts.refused += due.length - allowed.size;
      counts.handedOver += allowed.size;
      connections.start(
        ready
          .filter(({ send }) => allowed.has(send.id))
          .map(({ send, of, prepared }) => ({
            laneId: send.laneId,
            route: of.route,
            work: () => perform(send, of, prepared),
          })),
      );
    },
    /** Drops the prepared letters of sends that were put back. */
    forget: (sends: WaitingSend[]) => sends.forEach(({ id }) => void written.delete(id)),
  };
}

/** Empty when the database does not answer: the refusal is then judged by its reply alone. */
async function askHistory(
  { store, log }: Engine,
  sendId: string,
): Promise<{ history?: SenderHistory }> {
  try {
    return { history: await store.historyOf(sendId) };
  } catch (error) {
    log.error("standing_unanswered", { send_id: sendId, ...describeError(error) });
    return {};
  }
}
