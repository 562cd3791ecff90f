import type { BegunSend, SendOutcome } from "#db/engine/index.ts";
import type { Channel } from "#src/domain/engine/channel.ts";
import type { SimulatedStep } from "./steps.ts";
import type { Violation } from "./wire.ts";

/** What a worker has begun it hands over, and what it learns of that it records; unless it dies, that is. */
export function createHandover() {
  const begun = new Set<string>();
  return {
    onSettled(outcomes: readonly SendOutcome[], answers: readonly BegunSend[]): void {
      for (const { id } of outcomes) begun.delete(id);
      for (const { id, begun: isBegun } of answers) if (isBegun) begun.add(id);
    },
    /** A channel that is watched for what is handed over. */
    over: (
      channel: Channel<SimulatedStep, SimulatedStep>,
    ): Channel<SimulatedStep, SimulatedStep> => ({
      ...channel,
      perform(context) {
        begun.delete(context.sendId);
        return channel.perform(context);
      },
    }),
    /** Once its tick has ended in peace. */
    check(at: number, leadOf: (sendId: string) => string, violations: Violation[]): void {
      for (const id of begun)
        violations.push({
          invariant: "what begins is handed over",
          text: `${new Date(at).toISOString()} a worker has begun it and gone`,
          at,
          leadId: leadOf(id),
        });
    },
  };
}
