import { loadDraftInputs } from "#db/messages/draft-inputs.ts";
import { claimJob, putBackJob } from "#db/base/job-queue.ts";
import { type Generation, type GenerationText, GENERATIONS } from "#db/messages/generations.ts";
import type { Json } from "#db/schema/columns.ts";
import type { Deps } from "#src/deps.ts";
import type {
  Draft,
  DraftResult,
  GivenSource,
} from "#src/domain/research/personalization/draft.ts";
import {
  draftHash,
  leadIdentityFingerprint,
  researchFingerprint,
} from "#src/domain/research/personalization/fingerprints.ts";
import { promptVersionHash } from "#src/domain/research/personalization/prompts.ts";
import { requireModel } from "#src/domain/research/personalization/require-model.ts";
import type {
  ResearchReport,
  ResearchSource,
} from "#src/domain/research/personalization/research/report.ts";
import { research, subjectOf } from "#src/domain/research/personalization/research/research.ts";
import { shownData } from "#src/domain/research/personalization/shown-data.ts";
import { outOfCalls, writeDraft } from "#src/domain/research/personalization/write-draft.ts";
import { newClaim } from "#src/domain/job.ts";
import { endGeneration } from "./end-generation.ts";
import { type DraftPlan, planDraft } from "./plan-draft.ts";
import { enqueueGenerations } from "./queue.ts";

/** The model's time for one text, its repair included. */
export const DRAFT_MS = 60_000;
/** Research, the model, and the write of their result: a worker that claimed longer ago is dead. */
export const LEASE_MS = 90_000;
/** Begun so often and never ended: it kills its worker. */
const MOST_BEGUN = 8;

export type GenerationRun =
  | { outcome: "generated" | "failed" | "skipped" | "cancelled" | "overtaken" | "waits" | "over" }
  | { outcome: "put_back"; dueAt: Date };

/** Safe to repeat, to run beside itself and to interrupt anywhere: it is charged once. */
export async function runGeneration(deps: Deps, id: string): Promise<GenerationRun["outcome"]> {
  requireModel(deps);
  const claim = newClaim(deps, LEASE_MS);
  const claimed = await claimJob(deps.db, GENERATIONS, id, claim);
  if (claimed.kind === "over") return "over";
  if (claimed.kind === "waits") {
    // The worker that holds the generation may die; a generation that was put back has a queue message of its own.
    if (claimed.job.status === "running") await enqueueGenerations(deps, [id], claimed.job.dueAt);
    return "waits";
  }
  const run = await writeGeneration(deps, claimed.job, claim.token);
  if (run.outcome === "put_back") await enqueueGenerations(deps, [id], run.dueAt);
  return run.outcome;
}

/** Writes what was claimed, and keeps what comes of it together with its charge. */
export async function writeGeneration(
  deps: Deps,
  generation: Generation,
  token: string,
): Promise<GenerationRun> {
  const end = (ended: Parameters<typeof endGeneration>[2], blame?: "model" | "text") =>
    endGeneration(deps, { generation, token }, ended, blame);
  if (generation.attempts > MOST_BEGUN)
    return end({ status: "failed", error: "The text never came to its end; nothing was charged." });
  const plan = await planDraft(generation, await loadDraftInputs(deps.db, generation));
  if (plan.kind === "cancelled") return end({ status: "cancelled", error: plan.reason });
  if (plan.kind === "skip") return end({ status: "skipped", error: plan.reason });
  const refused = await outOfCalls(deps, generation.workspaceId);
  if (refused !== null) return failOrPutBack(refused);
  const { report, result } = await compose(deps, generation, plan);
  const generated = async (draft: Draft, heldReason: string | null) => {
    const text = await textOf(deps, plan, report, draft);
    return end({ status: "generated", usage: { ...draft.usage }, heldReason, ...text });
  };
  if (result.ok) return generated(result.draft, null);
  // A text that a person may approve is kept where people approve texts: those of a run go to programs.
  if (result.held !== undefined && generation.kind !== "run")
    return generated(result.held, result.reason);
  return failOrPutBack(result);

  async function failOrPutBack(failure: Failure): Promise<GenerationRun> {
    const { reason: error, usage, blame } = failure;
    const dueAt = retryAt(failure, generation.attempts, deps.clock.now());
    if (dueAt === null) return end({ status: "failed", error, usage: { ...usage } }, blame);
    await putBackJob(
      deps.db,
      GENERATIONS,
      { id: generation.id, token },
      { status: "pending", dueAt, error, updatedAt: deps.clock.now() },
    );
    return { outcome: "put_back", dueAt };
  }
}

type Failure = Extract<DraftResult, { ok: false }>;
type WritePlan = Extract<DraftPlan, { kind: "write" }>;

async function compose(
  deps: Deps,
  { workspaceId, datasetId, rowIndex }: Generation,
  plan: WritePlan,
) {
  const row = { datasetId, rowIndex };
  const options = { force: false, row, provided: null };
  // The runtime's timers: a model takes no less time because the clock was moved.
  const report = await research(
    deps,
    workspaceId,
    subjectOf(plan.record),
    options,
    AbortSignal.timeout(10_000),
  );
  const { prompt, lead, sender, template, templateOf, templateSource, continuesThread } = plan;
  const given = { prompt, lead, sender, template, templateSource, continuesThread };
  const filled = { ...given, research: report };
  // What a template shows of the lead, the model would be shown by it.
  const request = templateOf
    ? { ...filled, template: templateOf(shownData(filled).data.lead) }
    : filled;
  const result = await writeDraft(deps, workspaceId, request, AbortSignal.timeout(DRAFT_MS));
  return { report, result };
}

async function textOf(
  deps: Deps,
  plan: WritePlan,
  report: ResearchReport,
  draft: Draft,
): Promise<GenerationText> {
  const { subject, body } = draft;
  return {
    ...plan.basis,
    subject,
    body,
    model: draft.model,
    latencyMs: Math.round(draft.latencyMs),
    promptVersionHash: await promptVersionHash(plan.prompt, requireModel(deps)),
    promptSnapshot: plan.prompt.text,
    leadIdentityFingerprint: await leadIdentityFingerprint(plan.record),
    researchFingerprint: report.text === "" ? null : await researchFingerprint(report.text),
    draftHash: await draftHash({ subject, body }),
    commonality: { ...draft.commonality },
    claims: draft.claims.map((claim) => ({ ...claim })),
    sources: shownSources(draft.sources, report.sources),
    leadSnapshot: { ...plan.lead },
  };
}

/** Together longer than a provider's minute. */
const WAIT_SECONDS = [5, 15, 30, 60] as const;

/**
 * When to try again after a failure of the model: after the wait that it asks for, or the default; null after the fifth,
 * and for a text that passes no check: another draw at the caller's cost would be no better.
 */
function retryAt({ blame, retryAfterSeconds }: Failure, attempts: number, now: Date): Date | null {
  const seconds = WAIT_SECONDS[attempts - 1];
  if (blame === "text" || seconds === undefined) return null;
  return new Date(now.getTime() + 1000 * Math.max(seconds, retryAfterSeconds ?? 0));
}

/**
 * All sources of a draft, in the one list that its claims point into: first those given to the model, in the order of
 * `source_index`, then research without a result, so that it is reported too.
 */
function shownSources(
  given: readonly GivenSource[],
  researched: readonly ResearchSource[],
): Json[] {
  const reports = new Map<string, ResearchSource>(researched.map((each) => [each.name, each]));
  const shown = given.map(({ name, text }) => ({
    name,
    status: "ok",
    summary: text,
    meta: reports.get(name)?.meta ?? {},
    from_cache: reports.get(name)?.from_cache ?? false,
  }));
  const names = new Set<string>(given.map(({ name }) => name));
  const silent = researched.filter(({ name }) => !names.has(name)).map((each) => ({ ...each }));
  return [...shown, ...silent];
}
