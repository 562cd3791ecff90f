import { ask, type Answer, type Input, type Inputs, type OperationId } from "./call.ts";
import { invalidate } from "./cache.ts";
import { asProblem, mayBeDone } from "./problem.ts";

/** `ifMatch`: the record's `etag` as it was read, where a change of what is newer is to be refused (412). */
export type Asked<Id extends OperationId> = [
  ...input: Inputs<Id>,
  options?: WriteOptions | undefined,
];
type WriteOptions = { ifMatch?: string | null | undefined };

export type Write<Id extends OperationId> = (...asked: Asked<Id>) => Promise<Answer<Id>>;

/** The key of the last write that was done with a record (the parameters of a path). */
const lastOf = new Map<string, string>();

/**
 * A write whose outcome is not known keeps its Idempotency-Key: the same again is done once. Where another was done with
 * the record since, it is not the same.
 */
export function writer<Id extends OperationId>(id: Id): Write<Id> {
  let unanswered: { text: string; idempotencyKey: string } | null = null;
  return async (...asked) => {
    const [input, options] = asked as unknown as [Input<Id> | undefined, WriteOptions | undefined];
    const record = JSON.stringify((input as { params?: object } | undefined)?.params);
    const text = JSON.stringify([input, options, lastOf.get(record)]);
    const kept = unanswered?.text === text ? unanswered : undefined;
    const attempt = kept ?? { text, idempotencyKey: crypto.randomUUID() };
    unanswered = attempt;
    try {
      const { answer } = await ask(id, input, { ...options, ...attempt });
      unanswered = null;
      if (record) lastOf.set(record, attempt.idempotencyKey);
      invalidate();
      return answer as Answer<Id>;
    } catch (error) {
      const problem = asProblem(error);
      const { status } = problem;
      if (!mayBeDone(problem)) unanswered = null;
      // It is otherwise than the page shows it: what it is now is read beside what was typed.
      if (status === 409 || status === 412 || status === 404) invalidate();
      throw error;
    }
  };
}
