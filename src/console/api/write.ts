import { ask, type Answer, type Input, type Inputs, type OperationId } from "./call.ts";
import { invalidate } from "./cache.ts";
import { keptAt } from "../kept.ts";
import { asProblem, mayBeDone } from "./problem.ts";

/** `ifMatch`: the record's `etag` as it was read, where a change of what is newer is to be refused (412). */
export type Asked<Id extends OperationId> = [
  ...input: Inputs<Id>,
  options?: WriteOptions | undefined,
];
type WriteOptions = { ifMatch?: string | null | undefined };

export type Write<Id extends OperationId> = (...asked: Asked<Id>) => Promise<Answer<Id>>;

/** Of what is sent and not answered, by its record, or by its operation where it has none: the seed of an operation's keys. */
const unanswered: Record<string, Record<string, string>> = {};

/**
 * A write whose outcome is not known keeps its Idempotency-Key, also over a reload: the same again is done once. Where
 * another was done with the record since, it is not the same. A key is made of a seed and what is sent, so that what is
 * kept of it says nothing of a password in it.
 */
export function writer<Id extends OperationId>(id: Id): Write<Id> {
  return async (...asked) => {
    const [input, options] = asked as unknown as [Input<Id> | undefined, WriteOptions | undefined];
    const place = JSON.stringify((input as { params?: object } | undefined)?.params) ?? id;
    const kept = keptAt(place);
    const seeds = (unanswered[place] ??= JSON.parse(kept.read() ?? "{}") as Record<string, string>);
    const keep = () => kept.write(JSON.stringify(seeds));
    const seed = (seeds[id] ??= crypto.randomUUID());
    keep();
    const text = new TextEncoder().encode(seed + JSON.stringify([input, options]));
    const idempotencyKey = new Uint8Array(await crypto.subtle.digest("SHA-256", text)).join("");
    try {
      const { answer } = await ask(id, input, { ...options, idempotencyKey });
      delete unanswered[place];
      kept.write(null);
      invalidate();
      return answer as Answer<Id>;
    } catch (error) {
      const problem = asProblem(error);
      const { status } = problem;
      // Who has to sign in or wait first is told nothing of the attempt before.
      if (!mayBeDone(problem) && status !== 401 && status !== 429) {
        delete seeds[id];
        keep();
      }
      // It is otherwise than the page shows it: what it is now is read beside what was typed.
      if (status === 409 || status === 412 || status === 404) invalidate();
      throw error;
    }
  };
}
