import * as z from "zod";
import { readApprovableBatch } from "#src/domain/messages/drafts/approve-batch.ts";
import { readApprovable } from "#src/domain/messages/drafts/approve.ts";
import { emailKey } from "#src/mime/email-key.ts";
import { Refusal } from "../api.ts";
import { confirmed } from "../confirm.ts";
import { type Answer, type Asker, tool } from "../tool.ts";
import { at, confirmToken, id, SENDS } from "./fields.ts";

interface Given {
  campaign_id: string;
  batch_id?: string | undefined;
  campaign_lead_id?: string | undefined;
  step_index?: number | undefined;
  subject?: string | undefined;
  body?: string | undefined;
  expected_draft_hash?: string | undefined;
}

const reviewDrafts = tool({
  name: "review_drafts",
  title: "Review drafts",
  description:
    "list: batches of drafts, or with batch_id its texts. approve: a lead's text as it is or edited, or with batch_id alone all of the batch; needs confirmation, as approved is what is sent: the first call answers a preview. unapprove takes it back.",
  input: z.object({
    campaign_id: id("the campaign"),
    action: z.enum(["list", "approve", "unapprove"]),
    batch_id: z.string().max(36).optional(),
    campaign_lead_id: z.string().max(36).optional(),
    step_index: z.number().min(1).max(10).optional(),
    subject: z.string().max(998).optional(),
    body: z.string().max(50_000).optional(),
    expected_draft_hash: z.string().max(200).optional().describe("draft_hash of what you read."),
    confirm_token: confirmToken,
  }),
  scopes: ["campaigns:write"],
  hints: SENDS,
  run: async (asker, { action, confirm_token, ...given }) => {
    const { campaign_id, batch_id, campaign_lead_id, step_index } = given;
    const campaign = `/campaigns/${at(campaign_id)}`;
    if (action === "list")
      return batch_id === undefined
        ? asker.api.get(`${campaign}/playground/batches`, { limit: 20 })
        : asker.api.get(`${campaign}/playground/drafts`, { batch_id });
    if (action === "unapprove") {
      const lead = required(campaign_lead_id, "campaign_lead_id");
      return asker.api.post(`${campaign}/leads/${at(lead)}/unapprove`, { step_index });
    }
    const order =
      campaign_lead_id === undefined
        ? await ofBatch(asker, given)
        : await ofLead(asker, given, campaign_lead_id);
    return confirmed(asker, { tool: "review_drafts", args: given, ...order }, confirm_token, order);
  },
});

function required<T>(value: T | undefined, name: string): T {
  if (value !== undefined) return value;
  throw new Refusal({ code: "VALIDATION_ERROR", message: `Give ${name}.` });
}

function requireUuid(value: string | undefined, name: string): string {
  const found = required(value, name);
  if (z.uuid().safeParse(found).success) return found;
  throw new Refusal({ code: "VALIDATION_ERROR", message: `${name} is no id.` });
}

/** One text: exactly that of that draft, in the place of what is approved now. */
async function ofLead({ api, deps, principal }: Asker, given: Given, leadId: string) {
  const { campaign_id, batch_id, subject, body, expected_draft_hash } = given;
  const campaign = `/campaigns/${at(campaign_id)}`;
  const step = required(given.step_index, "step_index");
  const batchId = batch_id === undefined ? undefined : requireUuid(batch_id, "batch_id");
  const [{ name, status }, { email }] = await Promise.all([
    api.get(campaign),
    api.get(`${campaign}/leads/${at(leadId)}`),
  ]);
  const { draft, text } = await readApprovable(
    deps,
    principal!,
    { campaignId: campaign_id, campaignLeadId: leadId },
    { step, batchId, subject, body, expectedDraftHash: expected_draft_hash },
  );
  if (draft.heldReason !== null)
    throw new Refusal({
      code: "DRAFT_HELD",
      message:
        "The draft may follow a stranger's order. A person approves or edits it in the console; an agent cannot.",
    });
  const replaces = draft.entry?.approved_at ?? null;
  return {
    title: `Approve a text of “${name}” to ${email ?? "a lead"}`,
    preview: { campaign_id, name, status, to_email: email, step_index: step, ...text } as Answer,
    plan: { status, hash: draft.draftHash, text, replaces },
    ...(email === null ? {} : { emailKey: emailKey(email) ?? email }),
    path: `${campaign}/leads/${at(leadId)}/approve`,
    body: {
      ...{ step_index: step, ...text, expected_draft_hash: draft.draftHash },
      ...(batchId === undefined ? {} : { batch_id: batchId }),
      replaces_approved_at: replaces,
    },
  };
}

/** All of a batch as they are, but for held ones and where a person approved other words, and no others than there are now. */
async function ofBatch({ api, deps, principal }: Asker, { campaign_id, batch_id }: Given) {
  const batchId = requireUuid(batch_id, "campaign_lead_id or batch_id");
  const campaign = `/campaigns/${at(campaign_id)}`;
  const { name, status } = await api.get(campaign);
  const found = await readApprovableBatch(deps, principal!, campaign_id, { batchId });
  const { step, drafts, fresh, unheld, passed } = found;
  const texts = passed.length;
  const preview = {
    ...{ campaign_id, name, status, batch_id: batchId, step_index: step, texts },
    ...{ held: fresh.length - unheld.length, changed: drafts.length - fresh.length },
    edited: unheld.length - texts,
  };
  const all = passed.map(({ campaignLeadId, draftHash, entry }) => [
    campaignLeadId,
    draftHash,
    entry?.approved_at ?? null,
  ]);
  return {
    title: `Approve ${texts} texts of “${name}” as they are`,
    preview: preview as Answer,
    plan: { status, step, all },
    path: `${campaign}/playground/approve`,
    body: { batch_id: batchId, campaign_lead_ids: passed.map((draft) => draft.campaignLeadId) },
  };
}

export const reviewTools = [reviewDrafts];
