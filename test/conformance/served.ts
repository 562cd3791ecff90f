import { randomUUID } from "node:crypto";
import type { Operation } from "./operations.ts";

/** A campaign's file, for a campaign that there is not. */
export const fileOf = (dataset: string, alias: string) => ({
  external_id: `file-${randomUUID()}`,
  name: "C",
  dataset,
  aliases: [alias],
  steps: [{ step: 1, variants: [{ type: "INLINE", subject: "S", body: "B" }] }],
});

/** Where the schema alone does not lead past validation: a body that is served, with the ids of the setting. */
export const SERVED: Record<string, (ids: Record<string, string>) => object> = {
  beginSession: ({ key }) => ({ credential: key }),
  createCampaign: ({ dataset_id, alias_id, sender_profile_id }) => ({
    name: "C",
    dataset_id,
    alias_ids: [alias_id],
    steps: [
      { step: 1, variants: [{ type: "INLINE", subject: "S", body: "B", sender_profile_id }] },
    ],
  }),
  planCampaign: ({ dataset_id, alias_id }) => ({ campaign: fileOf(dataset_id!, alias_id!) }),
  applyPlan: ({ plan_token }) => ({ plan_token }),
  renderCampaignStep: ({ campaign_lead_id }) => ({ campaign_lead_id }),
  addCampaignLeads: ({ lead_id }) => ({ lead_ids: [lead_id] }),
  actOnCampaignLeads: ({ campaign_lead_id }) => ({
    action: "stop",
    campaign_lead_ids: [campaign_lead_id],
  }),
  createLead: () => ({ email: `${randomUUID()}@example.com` }),
  importLeads: () => ({ rows: [{ email: "a@example.com", company: "A" }] }),
  createMailAlias: () => ({
    email: `${randomUUID()}@example.com`,
    display_name: "A",
    transport: { kind: "smtp", host: "127.0.0.1", port: 25, security: "none" },
  }),
  createMailDomain: () => ({ domain: `${randomUUID()}.com` }),
  sendEmail: ({ alias_id }) => ({
    alias_id,
    to_email: "a@example.com",
    subject: "S",
    body: "B",
    send_at: "2030-01-01T00:00:00Z",
  }),
  sendEmails: ({ alias_id }) => ({
    emails: [
      {
        alias_id,
        to_email: "a@example.com",
        subject: "S",
        body: "B",
        send_at: "2030-01-01T00:00:00Z",
      },
    ],
  }),
  beginPlacementTest: ({ alias_id, seed_alias_id }) => ({
    ...{ alias_ids: [alias_id], seed_alias_ids: [seed_alias_id ?? alias_id] },
    ...{ subject: "S", body: "B" },
  }),
  approvePlaygroundBatch: ({ batch_id }) => ({ batch_id }),
  beginPersonalizeRun: ({ dataset_id }) => ({ dataset_id, sender_data: { full_name: "Ada" } }),
  answerCheckpoint: ({ checkpoint_token }) => ({ checkpoint_token, code: "123456" }),
  sendNetworkMessage: () => ({ identifier: "friend-silent-ada", text: "Hello" }),
  answerConversation: () => ({ body: "B" }),
  createWebhook: () => ({ url: "http://127.0.0.1:9/events" }),
  changeWebhook: () => ({ description: "Ours" }),
  createSuppression: () => ({ value: `${randomUUID()}@example.com` }),
};

/** A body that leads past validation to the work. */
export const servedBody = ({ id, example }: Operation, ids: Record<string, string>): unknown =>
  SERVED[id]?.(ids) ?? example;
