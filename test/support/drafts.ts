import { randomUUID } from "node:crypto";
import { endDraftHoldStatement } from "#db/campaigns/draft-holds.ts";
import { loadPreview, type PreviewContext } from "#db/campaigns/step-preview.ts";
import { chooseText } from "#src/domain/campaigns/choose-text.ts";
import {
  leadIdentityFingerprint,
  stepConfigFingerprint,
} from "#src/domain/research/personalization/fingerprints.ts";
import type { Tenant, TestApi } from "./api.ts";

export interface DraftOf {
  campaignId: string;
  campaignLeadId: string;
  step?: number;
}

export interface Text {
  subject: string;
  body: string;
}

/** Texts for AI steps as rows, past the model: what is arranged is that they are there. */
export function createDrafts(api: TestApi, tenant: Tenant) {
  const contextOf = async ({ campaignId, campaignLeadId, step = 1 }: DraftOf) =>
    (await loadPreview(api.deps.db, {
      workspaceId: tenant.workspaceId,
      campaignId,
      step,
      target: { campaignLeadId },
      sendId: randomUUID(),
    }))!;
  const fingerprintsOf = async (context: PreviewContext) => {
    const chosen = chooseText(context);
    if (!chosen.ok) throw new Error(chosen.reason);
    const { variant, template, profile } = chosen;
    return {
      identity: await leadIdentityFingerprint(context.lead.fields),
      config: await stepConfigFingerprint(context.step, variant, template, profile),
    };
  };
  const endWait = (draft: DraftOf, holds?: ["awaiting_draft"]) =>
    endDraftHoldStatement(api.deps.db, {
      campaignLeadIds: [draft.campaignLeadId],
      step: draft.step ?? 1,
      now: api.deps.clock.now(),
      ...(holds === undefined ? {} : { holds }),
    });
  return {
    /** Makes the steps ones that a model writes, for leads that wait already. */
    async personalize(campaignId: string, policy = "launch_default"): Promise<void> {
      const hold = policy === "hold" ? "personalization_review_pending" : "awaiting_draft";
      await api.sql.query(
        `update campaigns set unreviewed_launch_policy = $2, steps = (
           select jsonb_agg(s || '{"ai_personalization_enabled": true}' order by n) from jsonb_array_elements(steps) with ordinality x(s, n))
         where id = $1`,
        [campaignId, policy],
      );
      await api.sql.query("update campaign_leads set hold_reason = $2 where campaign_id = $1", [
        campaignId,
        hold,
      ]);
    },
    async approve(draft: DraftOf, { subject, body }: Text): Promise<void> {
      const { identity, config } = await fingerprintsOf(await contextOf(draft));
      const entry = {
        subject,
        body,
        approved_at: api.deps.clock.now().toISOString(),
        lead_identity_fingerprint: identity,
        step_config_fingerprint: config,
      };
      await api.sql.query(
        `update campaign_leads set metadata = metadata || jsonb_build_object('approved_emails',
           coalesce(metadata -> 'approved_emails', '{}') || jsonb_build_object($2::text, $3::jsonb)) where id = $1`,
        [draft.campaignLeadId, String(draft.step ?? 1), JSON.stringify(entry)],
      );
      await endWait(draft);
    },
    /** A text of the model, written to be sent or to be looked at. */
    async write(
      draft: DraftOf,
      { subject, body }: Text,
      kind: "send_time" | "playground" = "send_time",
    ): Promise<string> {
      const { identity, config } = await fingerprintsOf(await contextOf(draft));
      const id = randomUUID();
      await api.sql.query(
        `insert into generations (id, workspace_id, user_id, created_at, updated_at, kind, campaign_id, campaign_lead_id, step, dataset_id, lead_id, row_index, lead_index,
           status, prompt_version_hash, attempts, due_at, subject, body, lead_identity_fingerprint, step_config_fingerprint, generated_at,
           prompt_snapshot, model, latency_ms, draft_hash)
         select $1, $2, $3, $4, $4, $5, campaign_id, id, $6, dataset_id, lead_id, row_index, 0, 'generated', 'hash', 1, $4, $7, $8, $9, $10, $4, 'Write.', 'model', 1, 'hash'
         from campaign_leads where id = $11`,
        [
          id,
          tenant.workspaceId,
          tenant.userId,
          api.deps.clock.now(),
          kind,
          draft.step ?? 1,
          subject,
          body,
          identity,
          config,
          draft.campaignLeadId,
        ],
      );
      if (kind === "send_time") await endWait(draft, ["awaiting_draft"]);
      return id;
    },
  };
}
