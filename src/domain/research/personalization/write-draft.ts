import { askModel, type ModelDeps } from "./ask-model.ts";
import { askForDraft } from "./ask-for-draft.ts";
import type { DraftRequest, DraftResult } from "./draft.ts";

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
