import { askModel, callsOfTodayMade, type ModelDeps } from "./ask-model.ts";
import { askForDraft } from "./ask-for-draft.ts";
import type { DraftRequest, DraftResult } from "./draft.ts";
import { awayOf } from "./read-attempt.ts";

/** What a deployment without a model is asked with; `askModel` says that there is none. */
const NO_MODEL = { temperature: null, maxTokens: 0 };

/** One draft for one lead, by the deployment's model. Never throws for what the model does. */
export function writeDraft(
  deps: ModelDeps,
  workspaceId: string,
  request: DraftRequest,
  signal: AbortSignal,
): Promise<DraftResult> {
  const parameters = deps.model?.parameters ?? NO_MODEL;
  return askForDraft(
    {
      ask: (chat) => askModel(deps, workspaceId, { ...parameters, ...chat }, signal),
      nowMs: () => deps.clock.now().getTime(),
    },
    workspaceId,
    request,
  );
}

/**
 * What `writeDraft` would end with where the workspace has made its calls of today; null while some are left. Asked
 * before research, whose searches are paid for: a text that cannot be written needs none.
 */
export async function outOfCalls(
  deps: Pick<ModelDeps, "db" | "clock">,
  workspaceId: string,
): Promise<Extract<DraftResult, { ok: false }> | null> {
  const answer = await callsOfTodayMade(deps, workspaceId);
  if (answer === null) return null;
  const usage = { calls: 0, prompt_tokens: 0, completion_tokens: 0, cost_micros: null };
  return { ...awayOf(answer), usage };
}
