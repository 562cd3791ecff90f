import { addModelUsage, claimModelCall, readModelCalls } from "#db/research/model-days.ts";
import type { Deps } from "#src/deps.ts";
import { describeError } from "#src/platform/log.ts";
import type {
  ChatAnswer,
  ChatModel,
  ChatRequest,
  ModelFailure,
  ModelUsage,
} from "#src/providers/model/index.ts";
import { DAY_MS } from "#src/platform/durations.ts";
import { askBreaker, countsEndedEarly, tellBreaker } from "./model-breaker.ts";

/** Of a workspace and a date (UTC), retries counted. */
export const MODEL_CALLS_A_DAY = 5_000;

/** Who gave a call less than this has not learnt that the endpoint is slow. */
const PATIENCE_MS = 10_000;
/** Longer than anybody waits for a preview: how long that takes is in the hands of whoever writes its prompt. */
const FULL_TIME_MS = 30_000;

export type ModelDeps = Pick<Deps, "db" | "cache" | "clock" | "ids" | "log" | "model">;

/**
 * The one way to the model: past the breaker, within the workspace's calls of the day, again where that may help within
 * the caller's time, with a line in the log for each call. Never throws for what the endpoint does.
 */
export async function askModel(
  deps: ModelDeps,
  workspaceId: string,
  request: ChatRequest,
  signal: AbortSignal,
): Promise<ChatAnswer> {
  const { model, clock } = deps;
  if (model === null) return failed("refused", "no model is configured");
  const passage = await askBreaker(deps);
  if (typeof passage === "object")
    return failed("unavailable", "the endpoint is left alone after failures", passage);
  const startedMs = clock.now().getTime();
  for (let attempt = 1; ; attempt++) {
    const call = { workspaceId, request, attempt, passage };
    const answer = await callOnce(deps, model, call, signal);
    if (answer === null) return overCap(clock.now());
    const elapsedMs = clock.now().getTime() - startedMs;
    const waitMs =
      passage === "probe"
        ? null
        : waitBeforeRetry(answer, { attempt, elapsedMs, chance: chance(deps) });
    if (waitMs === null || !(await waited(deps, waitMs, signal))) return answer;
  }
}

type Failed = Extract<ChatAnswer, { kind: "failed" }>;

/** What `askModel` would say if the workspace has made its calls of today; null while some are left. */
export async function callsOfTodayMade(
  { db, clock }: Pick<Deps, "db" | "clock">,
  workspaceId: string,
): Promise<Failed | null> {
  const now = clock.now();
  const calls = await readModelCalls(db, { workspaceId, day: dayOf(now) });
  return calls < MODEL_CALLS_A_DAY ? null : overCap(now);
}

interface Call {
  workspaceId: string;
  request: ChatRequest;
  attempt: number;
  passage: "closed" | "probe";
}

/** Null where the workspace has no call left today. */
async function callOnce(
  deps: ModelDeps,
  model: ChatModel,
  { workspaceId, request, attempt, passage }: Call,
  signal: AbortSignal,
): Promise<ChatAnswer | null> {
  const startedAt = deps.clock.now();
  const day = dayOf(startedAt);
  if (!(await claimModelCall(deps.db, { workspaceId, day, limit: MODEL_CALLS_A_DAY }))) {
    await tellBreaker(deps, passage, null);
    return null;
  }
  const answer = await model.complete(request, signal);
  const latencyMs = deps.clock.now().getTime() - startedAt.getTime();
  deps.log.info("model_call", {
    workspace_id: workspaceId,
    attempt,
    latency_ms: latencyMs,
    asked_model: model.name,
    ...loggedOf(answer),
  });
  const isEndedEarly = answer.kind === "failed" && signal.aborted && latencyMs < FULL_TIME_MS;
  const says =
    !isEndedEarly || (latencyMs >= PATIENCE_MS && (await countsEndedEarly(deps, workspaceId)));
  await tellBreaker(deps, passage, says ? answer : null);
  if (answer.kind === "answered") await account(deps, { workspaceId, day }, answer.usage);
  return answer;
}

/** Numbers and reasons; never what was asked or written. */
function loggedOf(answer: ChatAnswer): Record<string, unknown> {
  if (answer.kind === "failed") {
    const { reason, detail, retryAfterSeconds } = answer;
    return { outcome: reason, detail, retry_after_seconds: retryAfterSeconds };
  }
  const { ended, model, usage } = answer;
  return {
    outcome: ended,
    model,
    prompt_tokens: usage.promptTokens,
    cached_tokens: usage.cachedTokens,
    completion_tokens: usage.completionTokens,
    cost_micros: usage.costMicros,
  };
}

/** A text that was paid for is not lost because its bill could not be written down; the log has it. */
async function account(
  { db, log }: ModelDeps,
  of: { workspaceId: string; day: string },
  { promptTokens, completionTokens, costMicros }: ModelUsage,
): Promise<void> {
  try {
    const costs = { promptTokens, completionTokens, costMicros: costMicros ?? 0 };
    await addModelUsage(db, { ...of, ...costs });
  } catch (error) {
    log.error("model_usage_unwritable", describeError(error));
  }
}

/** Sleeps; false when the caller's time is over first. */
async function waited({ clock }: ModelDeps, ms: number, signal: AbortSignal): Promise<boolean> {
  await clock.sleepUntil(new Date(clock.now().getTime() + ms), signal).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
  return !signal.aborted;
}

/** 0 to 1, of a fresh id's last digits. */
const chance = ({ ids }: ModelDeps) => Number.parseInt(ids.uuid().slice(-6), 16) / 0xffffff;

const dayOf = (now: Date) => now.toISOString().slice(0, 10);

const overCap = (now: Date): Failed =>
  failed("rate_limited", `the workspace's ${MODEL_CALLS_A_DAY} calls of today are made`, {
    retryAfterSeconds: Math.ceil((DAY_MS - (now.getTime() % DAY_MS)) / 1000),
  });

const failed = (
  reason: "refused" | "unavailable" | "rate_limited",
  detail: string,
  more: { retryAfterSeconds?: number } = {},
): Failed => ({ kind: "failed", reason, detail, ...more });

const MOST_ATTEMPTS = 3;
/**
 * No caller gives the model less than 17 s (a preview's 25 less 8 of research): a retry that begins by then has 10
 * left. Callers with more time have a queue, which waits at no cost.
 */
const LATEST_RETRY_MS = 7_000;
const FIRST_WAIT_MS = 500;
/** Spreads the retries of callers that were told the same instant. */
const SPREAD_MS = 500;

const PASSING = new Set<ModelFailure>(["unavailable", "timeout", "rate_limited"]);

/** How long to wait before the model is asked again; null where that does not help, or takes too long. Pure; `chance` is 0 to 1. */
function waitBeforeRetry(
  answer: ChatAnswer,
  { attempt, elapsedMs, chance }: { attempt: number; elapsedMs: number; chance: number },
): number | null {
  if (answer.kind === "answered" || !PASSING.has(answer.reason)) return null;
  if (attempt >= MOST_ATTEMPTS) return null;
  const { retryAfterSeconds } = answer;
  const waitMs =
    retryAfterSeconds === undefined
      ? FIRST_WAIT_MS * 3 ** (attempt - 1) * (0.5 + chance)
      : retryAfterSeconds * 1000 + SPREAD_MS * chance;
  return elapsedMs + waitMs <= LATEST_RETRY_MS ? waitMs : null;
}
