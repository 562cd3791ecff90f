import type { BeginSend, ClaimedSend, SendOutcome } from "#db/engine/index.ts";
import { loadSteps, type ModelStep } from "./memory/load.ts";
import type { Send } from "./memory/rows.ts";
import type { State } from "./memory/state.ts";
import { outcomeOf } from "./outcome.ts";
import { record } from "./record.ts";
import type { SendCounts, Sending } from "./send-claimed.ts";
import type { Engine } from "./tick.ts";

type Ended = Extract<SendOutcome, { kind: "render_failed" }>;

/**
 * What `sendClaimed` comes to where every message is accepted at the instant at which it begins: no text is written, no
 * server is slow, so that connections, paces and turns decide nothing. `test/unit/engine/accept-claimed.test.ts`
 * holds both to the same messages.
 */
export const acceptClaimed =
  (state: State, onSent: (send: Send) => void) =>
  async (
    { clock, store }: Engine,
    { workerToken, deadline, claim }: Sending,
  ): Promise<SendCounts> => {
    const counts = { accepted: 0, refused: 0, handedOver: 0, unfinished: 0, busyMs: 0 };
    const note = (ended: SendOutcome[], begin: BeginSend[] = []) =>
      record(store, clock.now(), workerToken, ended, begin);

    async function accept(due: ClaimedSend[]): Promise<void> {
      const { ready, gone } = prepare(state, due);
      const begin = ready.map(({ sendId: id }) => ({ ...NOTHING, id, leaseUntil: deadline }));
      const begun = await note(gone, begin);
      const allowed = new Set(begun.filter((answer) => answer.begun).map(({ id }) => id));
      const sent = ready.filter(({ sendId }) => allowed.has(sendId));
      for (const { send } of sent) onSent(send);
      counts.refused += due.length - sent.length;
      counts.handedOver += sent.length;
      counts.accepted += sent.length;
      const now = clock.now();
      const outcomes = sent.map((step) =>
        outcomeOf(step, ACCEPTED, { now, slotAt: new Date(step.send.slotAt) }),
      );
      if (outcomes.length > 0) await note(outcomes);
    }

    for (;;) {
      const { sends, isLast } = await claim(counts.handedOver, 0);
      const queue = sends.toSorted((a, b) => a.beginsAt.getTime() - b.beginsAt.getTime());
      for (let from = 0, to = 0; from < queue.length; from = to) {
        await clock.sleepUntil(queue[from]!.beginsAt);
        const now = clock.now();
        if (now > deadline) {
          counts.unfinished += queue.length - from;
          await note(queue.slice(from).map(putBack));
          return counts;
        }
        while (to < queue.length && queue[to]!.beginsAt <= now) to++;
        await accept(queue.slice(from, to));
      }
      if (isLast) return counts;
    }
  };

/** Those that can go, and those without a step or an address. */
function prepare(state: State, due: ClaimedSend[]): { ready: ModelStep[]; gone: Ended[] } {
  const steps = new Map(
    loadSteps(
      state,
      due.map(({ id }) => id),
    ).map((step) => [step.sendId, step]),
  );
  const ready: ModelStep[] = [];
  const gone: Ended[] = [];
  for (const { id, kind } of due) {
    const step = steps.get(id);
    if (step === undefined)
      gone.push({ id, kind: "render_failed", reason: "It no longer exists.", skip: false });
    else if (kind === "email" && step.send.lead.emailKey === null)
      gone.push({ id, kind: "render_failed", reason: "NO_EMAIL", skip: true });
    else ready.push(step);
  }
  return { ready, gone };
}

const putBack = ({ id }: ClaimedSend): SendOutcome => ({
  id,
  kind: "released",
  reason: "The tick ran out of time; put back.",
});

const ACCEPTED = { state: "accepted", reply: "" } as const;

const NOTHING = {
  messageId: null,
  subject: null,
  html: null,
  variantLabel: null,
  templateId: null,
  templateVersion: null,
  senderProfileId: null,
};
