import type { Generation, GenerationKind } from "#db/messages/generations.ts";
import type { CreditUse } from "#src/domain/billing/credits/packs.ts";

const USES: Record<GenerationKind, CreditUse> = {
  playground: "personalization_draft",
  run: "personalization_run_lead",
  send_time: "send_time_generation",
};

/** A generation is one attempt: its credit is held for its id. */
export const chargeOf = (
  { workspaceId, kind }: Pick<Generation, "workspaceId" | "kind">,
  ids: readonly string[],
) => ({ workspaceId, refType: USES[kind], refIds: [...ids] });
