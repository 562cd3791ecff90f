import fc from "fast-check";
import { beforeAll, expect, test, vi } from "vitest";
import { api, tenant, useApi } from "../support/use-api.ts";
import { arbitraryOf, type Knowledge } from "../support/arbitrary.ts";
import { requestFaultOf } from "../support/json-schema.ts";
import { document, fill, operations } from "./operations.ts";
import { oneOfEach } from "./setting.ts";
import { startWholeApi } from "./upstreams.ts";
import { patience } from "../support/patience.ts";
import { inFull } from "../support/full.ts";

vi.setConfig({ testTimeout: patience(120_000) });

const { schemas } = document.components;

const EMAIL = fc.emailAddress().filter((email) => /^[\w.]+@/.test(email));
const DOMAIN = fc.domain().filter((domain) => /^[a-z][a-z0-9-]*[.][a-z]+$/.test(domain));
const SHEET = fc
  .stringMatching(/^[A-Za-z0-9_-]{20,44}$/)
  .map((id) => `https://docs.google.com/spreadsheets/d/${id}/edit`);

const IMMEDIATE = { launch_type: fc.constant("immediate") };
const STEPS = fc.constant([
  { step: 1, variants: [{ type: "INLINE", subject: "S", body: "B" }] },
  { step: 2, delay_days: 3, variants: [{ template_id: "01a1fc0c-6921-718e-aa4a-ab45df202f29" }] },
]);
const FILE_STEPS = fc.constant([
  { step: 1, variants: [{ type: "INLINE", subject: "S", body: "B" }] },
  { step: 2, delay_days: 3, variants: [{ template: "Spring" }] },
]);
const OAUTH = fc.constantFrom(
  null,
  { provider: "google" },
  { provider: "other", client_id: "x", client_secret: "y", token_url: "https://login.example.com" },
);
const INBOX = fc.constantFrom(
  null,
  { kind: "imap", host: "imap.example.com" },
  { kind: "imap", host: "imap.example.com", port: 993, folder: "Entwürfe", password: "p" },
);
const TRANSPORT = fc.constantFrom(
  { kind: "smtp", host: "smtp.example.com", port: 465, security: "tls" },
  { kind: "resend", api_key: "k" },
  { kind: "postmark", message_stream: "outbound", server_token: "t" },
);

/** What a schema can only say in words: names of the world, and fields that go with others. */
const KNOWLEDGE: Record<string, Knowledge> = {
  everywhere: {
    email: EMAIL,
    to_email: EMAIL,
    reply_to: EMAIL,
    personal_email: EMAIL,
    timezone: fc.constantFrom("UTC", "Europe/Berlin", "Asia/Kolkata", "America/New_York"),
    send_at: fc.constantFrom("2027-01-31T09:00", "2027-01-31T09:00:00Z", "2027-01-31T09:00+02:00"),
    send_at_timezone: fc.constantFrom("UTC", "Europe/Berlin"),
    sheet_url: SHEET,
    domain: DOMAIN,
    profile_url: fc.constant("https://www.linkedin.com/in/ada-lovelace"),
    website: fc.webUrl({ validSchemes: ["https"] }),
    country: fc.constantFrom("DE", "Germany", "gb"),
    mapping: fc.dictionary(
      fc.stringMatching(/^[A-Za-z ]{1,20}$/).filter((column) => column.trim() !== ""),
      fc.option(fc.constantFrom("email", "first_name", "custom.deal")),
      { maxKeys: 3 },
    ),
  },
  connectAccount: { country: fc.constantFrom("DE", "GB") },
  reconnectAccount: { country: fc.constantFrom("DE", "GB") },
  createCampaign: { type: fc.constant("email"), ...IMMEDIATE, steps: STEPS },
  changeCampaign: { type: fc.constant("email"), ...IMMEDIATE, steps: STEPS },
  planCampaign: {
    type: fc.constant("email"),
    ...IMMEDIATE,
    steps: FILE_STEPS,
  },
  renderCampaignStep: { steps: STEPS },
  createMailAlias: { transport: TRANSPORT, inbox: INBOX, oauth: OAUTH },
  changeMailAlias: { transport: TRANSPORT, inbox: INBOX, oauth: OAUTH },
  beginPlacementTest: { seeds: fc.array(EMAIL, { minLength: 1, maxLength: 20 }) },
  createSuppression: { kind: fc.constant("email"), value: EMAIL },
  createTemplate: { channel: fc.constant("email") },
  changeTemplate: { channel: fc.constant("email") },
  findEmail: { domain: fc.constant("corp.zz"), email: fc.constant("ada@corp.zz") },
  previewPersonalization: {
    dataset_id: fc.constant(null),
    sender_data: fc.constant({ full_name: "Ada" }),
  },
  answerConversation: {
    send_at: fc.constant("2027-01-31T09:00:00Z"),
  },
};

/** Fields that another field of the same body makes necessary. */
const COMPLETED: Record<string, object> = {
  createCampaign: { alias_ids: ["01a1fc0c-6921-718e-aa4a-ab45df202f29"] },
  changeCampaign: { alias_ids: ["01a1fc0c-6921-718e-aa4a-ab45df202f29"] },
  createMailAlias: {
    transport: { kind: "smtp", host: "127.0.0.1", port: 25, security: "none" },
  },
  // Seeds by id or by address, a step or a text: undefined is absent in JSON.
  beginPlacementTest: {
    ...{ seed_alias_ids: ["01a1fc0c-6921-718e-aa4a-ab45df202f29"], seeds: undefined },
    ...{ campaign_id: undefined, step: undefined, campaign_lead_id: undefined, lead_id: undefined },
    ...{ subject: "S", body: "B" },
  },
  sendNetworkMessage: { identifier: "ada-lovelace" },
  replaceNotificationPreferences: { whatsapp_number: "+491701234567" },
  changeConversation: { state: "snoozed", snooze_until: "2027-01-31T09:00:00Z" },
};

/** The same, one floor deeper. */
const OF_A_FILE = { aliases: ["ada@example.com"] };

const knowledgeOf = (id: string): Knowledge => ({ ...KNOWLEDGE["everywhere"], ...KNOWLEDGE[id] });

const RUNS = inFull(25, 6);

let ids: Record<string, string>;
useApi({ start: startWholeApi });
beforeAll(async () => {
  ids = await oneOfEach(api, tenant);
});

const cases = operations
  .filter(({ bodySchema, access, isSigned }) => bodySchema && access !== "wallet" && !isSigned)
  .map((operation) => [operation.name, operation] as const);

test.each(cases)("%s takes every body that its schema takes", async (_name, operation) => {
  const call = operation.access === "jwt" ? tenant.callAsUser : tenant.call;
  const bodies = fc.sample(arbitraryOf(operation.bodySchema!, schemas, knowledgeOf(operation.id)), {
    numRuns: RUNS,
    seed: 16,
  });
  const refused = new Set<string>();
  for (const made of bodies) {
    const body =
      operation.id in COMPLETED
        ? JSON.parse(JSON.stringify({ ...(made as object), ...COMPLETED[operation.id] }))
        : made;
    if (operation.id === "planCampaign")
      Object.assign((body as { campaign: object }).campaign, OF_A_FILE);
    expect(requestFaultOf(body, operation.bodySchema!, schemas)).toBe(null);
    api.forgetQuotas();
    const reply = await call(
      operation.method,
      fill(operation.path, (name) => ids[name]!),
      body,
    );
    if (reply.status === 422 && reply.body.error === "Validation Error")
      for (const { loc, msg } of reply.body.details as { loc: string[]; msg: string }[])
        refused.add(`${loc.join(".")}: ${msg}`);
  }
  expect([...refused]).toEqual([]);
});
