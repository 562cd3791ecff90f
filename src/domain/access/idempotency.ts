import {
  claimingDb,
  claimOf,
  findUsedKey,
  type KeptAnswer,
  keepAnswer,
  type KeyName,
  type UsedKey,
} from "#db/access/idempotency-keys.ts";
import { isMismatch, type Precondition } from "#db/base/revisions.ts";
import type { Deps } from "#src/deps.ts";
import { AppError, conflict, unprocessable } from "#src/errors.ts";

export type { KeptAnswer, KeyName, UsedKey } from "#db/access/idempotency-keys.ts";
export type { Precondition, RevisedTable } from "#db/base/revisions.ts";

/** A claim without an answer after that will not get one: no operation works so long on a request. */
const ANSWER_LOST_MS = 60_000;

export const findKey = ({ db }: Deps, name: KeyName): Promise<UsedKey | undefined> =>
  findUsedKey(db, name);

/** What the request that used the key answered; throws where this is another request, or there is no answer yet or any more. */
export function answerOf(used: UsedKey, fingerprint: string, now: Date): KeptAnswer {
  if (used.fingerprint !== fingerprint)
    throw unprocessable(
      "IDEMPOTENCY_KEY_REUSED",
      "This Idempotency-Key was used for another request; take a new key for each operation.",
    );
  const { status, headers, body } = used;
  if (status !== null && headers !== null && body !== null) return { status, headers, body };
  if (now.getTime() - used.createdAt.getTime() < ANSWER_LOST_MS) throw inProgress();
  throw conflict(
    "IDEMPOTENCY_ANSWER_LOST",
    used.isEffect
      ? "This request took effect, and its answer was lost: read the resource, and do not send it again."
      : "This request was begun, and its answer was lost: look whether it took effect before you send it under a new key.",
    {
      detail: {
        took_effect: used.isEffect ? true : null,
        ...(used.resourceId !== null && { resource_id: used.resourceId }),
      },
    },
  );
}

export const inProgress = () =>
  conflict(
    "IDEMPOTENCY_IN_PROGRESS",
    "A request with this Idempotency-Key is being worked on; send this one again in a second.",
    { retryAfter: 1 },
  );

/** A request that has a key, and may be the one that uses it. */
export interface KeyedRequest extends KeyName {
  fingerprint: string;
  /** Whether its first write is its effect. */
  isEffect: boolean;
  /** What the request makes or changes, given the first id that it has drawn; null where that is not one record. */
  resourceId(firstId: string | null): string | null;
}

/** What a handler writes with: its first write uses the request's key, and stands under its precondition. */
export interface Conditional {
  deps: Deps;
  /** Uses the key, and looks at the record, before anything is done. */
  claimFirst(): Promise<void>;
  /** Of a request that wrote nothing: throws where its precondition does not hold. */
  confirm(): Promise<void>;
}

/** What a request fails with, in words where its `If-Match` did not hold. */
export const toldOf = (error: unknown): unknown =>
  isMismatch(error)
    ? new AppError(
        "precondition_failed",
        "PRECONDITION_FAILED",
        "The record was changed since you read it: read it again, and decide whether your change still holds.",
        { cause: error },
      )
    : error;

/** `taken`: this request has used the key; `lost`: another one has, and nothing of this one took effect. */
export interface Claiming extends Conditional {
  end(): Promise<"none" | "taken" | "lost">;
  keep(answer: KeptAnswer): Promise<void>;
}

/** For a request without a key: its first write stands under the precondition. */
export function startConditional(deps: Deps, precondition: Precondition): Conditional {
  const { db, claimFirst, confirm } = claimingDb(deps.db, { precondition });
  return { deps: { ...deps, db }, claimFirst, confirm };
}

export function startClaiming(
  deps: Deps,
  request: KeyedRequest,
  precondition?: Precondition,
): Claiming {
  const { workspaceId, keyHash, fingerprint, isEffect } = request;
  let firstId: string | null = null;
  const claim = claimOf(deps.db, () => ({
    workspaceId,
    keyHash,
    fingerprint,
    isEffect,
    createdAt: deps.clock.now(),
    resourceId: request.resourceId(firstId),
  }));
  const { db, claimFirst, confirm, end } = claimingDb(deps.db, { claim, precondition });
  const uuid = () => {
    const id = deps.ids.uuid();
    firstId ??= id;
    return id;
  };
  return {
    deps: { ...deps, db, ids: { ...deps.ids, uuid } },
    claimFirst,
    confirm,
    end,
    keep: (answer) => keepAnswer(deps.db, request, answer),
  };
}
