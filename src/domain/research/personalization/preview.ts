import type { DatasetPlace } from "#db/research/research-cache.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { chargeFor } from "#src/domain/billing/credits/charge.ts";
import { requireDataset } from "#src/domain/people/leads/datasets.ts";
import { requireProfile } from "#src/domain/senders/templates/sender-profiles.ts";
import { AppError } from "#src/errors.ts";
import { withDeadline } from "#src/platform/deadline.ts";
import { planColumns } from "#src/domain/people/leads/columns.ts";
import { callsOfTodayMade, MODEL_CALLS_A_DAY } from "./ask-model.ts";
import type { Draft, DraftResult, Facts, Prompt } from "./draft.ts";
import { leadFacts, senderFacts } from "./facts.ts";
import { resolvePrompt } from "./prompts.ts";
import { requireModel } from "./require-model.ts";
import type { ResearchReport } from "./research/report.ts";
import { research, subjectOf } from "./research/research.ts";
import { outOfCalls, writeDraft } from "./write-draft.ts";

/** What a caller waits for a preview, research included. */
export const PREVIEW_MS = 25_000;

export interface PreviewAsked {
  /** A lead's data as the caller has it: any field names, nested at will. */
  leadData: Readonly<Record<string, unknown>>;
  senderProfileId: string | null;
  /** In the place of a saved profile; its fields under their names on the wire. */
  senderData: Readonly<Record<string, unknown>> | null;
  customPrompt: string | null;
  /** Research that the caller brought along; nothing is looked up then. */
  researchContext: string | null;
  /** Whose research is kept, and found again. */
  row: DatasetPlace | null;
  forceResearch: boolean;
}

export interface Preview {
  draft: Draft;
  prompt: Prompt;
  research: ResearchReport;
  latencyMs: number;
}

/**
 * One draft for one lead, while the caller waits: kept nowhere, and paid for when it is delivered. Throws 502 where the
 * model delivers none, 504 where it takes longer than the caller waits.
 */
export async function previewDraft(
  deps: Deps,
  principal: Principal,
  asked: PreviewAsked,
): Promise<Preview> {
  requireModel(deps);
  const begunMs = deps.clock.now().getTime();
  const [sender] = await Promise.all([
    senderOf(deps, principal, asked),
    asked.row === null ? null : requireDataset(deps, principal, asked.row.datasetId),
  ]);
  const refId = deps.ids.uuid();
  return chargeFor(deps, principal, { refType: "personalization_preview", refId }, () =>
    withDeadline(deps.clock, PREVIEW_MS, async (signal) => {
      const { workspaceId } = principal;
      const refused = await outOfCalls(deps, workspaceId);
      if (refused !== null) throw await failureOf(deps, workspaceId, refused, signal);
      const { report, result, prompt } = await compose(deps, workspaceId, asked, sender, signal);
      if (!result.ok) throw await failureOf(deps, workspaceId, result, signal);
      const latencyMs = deps.clock.now().getTime() - begunMs;
      return { spent: true, value: { draft: result.draft, prompt, research: report, latencyMs } };
    }),
  );
}

interface Sender {
  facts: Facts;
  prompt: string | null;
}

async function senderOf(
  deps: Deps,
  principal: Principal,
  { senderProfileId, senderData }: PreviewAsked,
): Promise<Sender> {
  if (senderProfileId !== null) {
    const profile = await requireProfile(deps, principal, senderProfileId);
    return { facts: senderFacts({ ...profile }), prompt: profile.customPrompt };
  }
  const { custom_prompt: prompt, ...fields } = senderData ?? {};
  // Who gives a profile along may leave its label and its owner's name to be one.
  const named = { full_name: fields["name"], ...fields };
  return { facts: senderFacts(named), prompt: typeof prompt === "string" ? prompt : null };
}

async function compose(
  deps: Deps,
  workspaceId: string,
  { leadData, customPrompt, researchContext, row, forceResearch }: PreviewAsked,
  sender: Sender,
  signal: AbortSignal,
) {
  const fields = leadFields(leadData);
  const options = { force: forceResearch, row, provided: researchContext };
  const report = await research(deps, workspaceId, subjectOf(fields), options, signal);
  const prompt = resolvePrompt({ override: customPrompt, sender: sender.prompt });
  const request = {
    prompt,
    lead: leadFacts(fields),
    sender: sender.facts,
    template: null,
    continuesThread: false,
    research: report,
  };
  const result = await writeDraft(deps, workspaceId, request, signal);
  return { report, result, prompt };
}

/** What the caller is told: which of us is to blame, and nothing of how; the log has that. */
async function failureOf(
  deps: Deps,
  workspaceId: string,
  { blame, reason, timedOut = false, retryAfterSeconds }: Extract<DraftResult, { ok: false }>,
  signal: AbortSignal,
): Promise<AppError> {
  deps.log.info("preview_failed", { workspace_id: workspaceId, blame, reason });
  const options = retryAfterSeconds === undefined ? {} : { retryAfter: retryAfterSeconds };
  if (timedOut || signal.aborted)
    return new AppError(
      "upstream_timeout",
      "UPSTREAM_TIMEOUT",
      "No text was written in time; nothing was charged.",
    );
  if (blame === "text")
    return failed("What was written for this lead passed no check; nothing was charged.", {});
  if ((await callsOfTodayMade(deps, workspaceId)) !== null)
    return new AppError(
      "rate_limited",
      "RATE_LIMITED",
      `The workspace has made its ${MODEL_CALLS_A_DAY} calls of today; nothing was charged.`,
      options,
    );
  return failed("The text could not be written now; nothing was charged.", options);
}

const failed = (message: string, options: { retryAfter?: number }) =>
  new AppError("upstream_failed", "PERSONALIZATION_UPSTREAM_ERROR", message, options);

/** Of an object that may have any number. */
const MAX_FIELDS = 300;

/**
 * A lead's fields from a caller's own names: those that an import would understand get the service's names
 * (`role` is `title`, `linkedin_url` is `profile_url`), all else keeps its own.
 */
export function leadFields(data: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const entries = Object.entries(data).slice(0, MAX_FIELDS);
  const columns = planColumns(
    entries.map(([name]) => name),
    {},
  );
  if (typeof columns === "string") return Object.fromEntries(entries);
  const named = entries.map(([name, value], at) => {
    const target = columns[at]!.target;
    return [target.kind === "field" ? target.field : name, value] as const;
  });
  // A caller's custom field does not hide a standard field of that name.
  return Object.fromEntries(named.toReversed());
}
