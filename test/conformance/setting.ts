import { runGeneration } from "#src/domain/messages/drafts/write-generation.ts";
import type { Tenant, TestApi } from "../support/api.ts";
import { activeCampaign } from "../support/campaigns.ts";
import { formOf, POSTS } from "../support/posts.ts";
import { operations } from "./operations.ts";
import { fileOf } from "./served.ts";

/**
 * A record of the tenant's behind each parameter of a path, by the parameter's name: what hangs on
 * others is arranged here, everything else is made of the docs' example of a body.
 */
export async function oneOfEach(api: TestApi, tenant: Tenant): Promise<Record<string, string>> {
  const ids = await arranged(api, tenant);
  for (const { path } of operations) {
    const [, collection, parameter] = /^(.*)\/\{(\w+)\}$/.exec(path) ?? [];
    if (collection === undefined || parameter === undefined || parameter in ids) continue;
    ids[parameter] = await make(tenant, collection);
  }
  const without = operations.flatMap(({ parameters }) => parameters).find((name) => !(name in ids));
  if (without !== undefined) throw new Error(`There is no record behind {${without}}.`);
  ids["plan_token"] = await planned(tenant, ids);
  return ids;
}

/** A campaign under way, with a lead, and an email of a conversation. */
async function arranged(api: TestApi, tenant: Tenant): Promise<Record<string, string>> {
  const { id: campaignId, aliasId, datasetId } = await activeCampaign(api, tenant);
  const { rows } = await api.sql.query(
    "select id, lead_id from campaign_leads where campaign_id = $1 limit 1",
    [campaignId],
  );
  // Before the draft that speaks for it: another default profile would make that stale.
  const profileId = await make(tenant, "/api/v1/sender-profiles");
  const batchId = await drafted(api, tenant, campaignId);
  const { body: email } = await tenant.call("POST", "/api/v1/mailer/emails", {
    alias_id: aliasId,
    to_email: "ada@example.com",
    subject: "S",
    body: "B",
  });
  const messageId = await received(api, tenant, email.conversation_id);
  const { rows: members } = await api.sql.query(
    `with colleague as (
       insert into users (id, email, created_at, updated_at) values (gen_random_uuid(), 'colleague@example.com', now(), now()) returning id
     )
     insert into workspace_members (workspace_id, user_id, role, joined_at) select $1, id, 'member', now() from colleague
     returning user_id`,
    [tenant.workspaceId],
  );
  const challenged = await connectedAccounts(tenant);
  const { body: verification } = await tenant.call("POST", "/api/v1/email-finder/verify", {
    email: "anna@corp.zz",
  });
  return {
    key: tenant.key,
    user_id: members[0].user_id,
    token: await invited(api, tenant),
    job_id: verification.job_id,
    campaign_id: campaignId,
    step: "1",
    sender_profile_id: profileId,
    batch_id: batchId,
    run_id: batchId,
    campaign_lead_id: rows[0].id,
    lead_id: rows[0].lead_id,
    dataset_id: datasetId,
    alias_id: aliasId,
    account_id: challenged.account.id,
    checkpoint_token: challenged.checkpoint_token,
    email_id: email.id,
    conversation_id: email.conversation_id,
    message_id: messageId,
    post_id: await posted(tenant),
    placement_test_id: await placed(api, tenant, aliasId),
    confirmation_id: await waiting(api, tenant),
    ...(await hooked(api, tenant)),
  };
}

/** A plan of a campaign that there is not: made last, for a record more is another plan. */
async function planned(tenant: Tenant, ids: Record<string, string>): Promise<string> {
  const { body } = await tenant.call("POST", "/api/v1/campaigns/plan", {
    campaign: fileOf(ids["dataset_id"]!, ids["alias_id"]!),
  });
  return body.plan_token;
}

/** The link of an invitation of the tenant itself. */
async function invited(api: TestApi, tenant: Tenant): Promise<string> {
  const token = crypto.randomUUID();
  await api.sql.query(
    `insert into workspace_invitations (id, workspace_id, user_id, email, email_key, role, token_hash, expires_at, created_at, updated_at)
     select gen_random_uuid(), $1, $2, email, email, 'viewer', encode(sha256($3::bytea), 'hex'), now() + '20 years', now(), now()
     from users where id = $2`,
    [tenant.workspaceId, tenant.userId, Buffer.from(token)],
  );
  return token;
}

/** What an agent would send, and a person has to confirm. */
async function waiting(api: TestApi, tenant: Tenant): Promise<string> {
  const id = crypto.randomUUID();
  await api.sql.query(
    `insert into agent_confirmations (id, workspace_id, user_id, actor, tool, digest, status, title, preview, created_at, expires_at)
     values ($1, $2, $3, 'key:of a test', 'launch_campaign', 'a digest', 'waiting', 'Launch', '{"recipients":1}', now(), now() + '20 years')`,
    [id, tenant.workspaceId, tenant.userId],
  );
  return id;
}

/** A receiver of events, and a delivery that it did not take. */
async function hooked(api: TestApi, tenant: Tenant): Promise<Record<string, string>> {
  const { body } = await tenant.call("POST", "/api/v1/webhooks", {
    url: "http://127.0.0.1:9/events",
  });
  const { rows } = await api.sql.query(
    `insert into webhook_deliveries (id, workspace_id, webhook_id, event_id, event_type, tx, seq, state, attempts, created_at, updated_at)
     values (gen_random_uuid(), $1, $2, gen_random_uuid(), 'email.sent', '0', 0, 'dead', 10, now(), now()) returning id`,
    [tenant.workspaceId, body.id],
  );
  return { webhook_id: body.id, delivery_id: rows[0].id };
}

/** A message that came in to a conversation, kept as it was received. */
async function received(api: TestApi, tenant: Tenant, conversationId: string): Promise<string> {
  const id = crypto.randomUUID();
  await api.sql.query(
    `insert into conversation_messages (id, workspace_id, conversation_id, direction, class, from_email, to_emails, text, html, sent_at, dedup_key)
     values ($1, $2, $3, 'in', 'reply', 'ada@example.com', '{}', 'Hi', '<p>Hi</p>', now(), $4)`,
    [id, tenant.workspaceId, conversationId, `test:${id}`],
  );
  await api.sql.query("insert into raw_mails values ($1, 'Hi', now())", [id]);
  return id;
}

/** An alias whose inbox is connected. */
export async function seedOf(tenant: Tenant): Promise<string> {
  const { body } = await tenant.call("POST", "/api/v1/mailer/aliases", {
    email: `${crypto.randomUUID()}@example.com`,
    display_name: "Seed",
    transport: { kind: "smtp", host: "127.0.0.1", port: 25, security: "none" },
    inbox: { kind: "imap", host: "imap.example.com", password: "p" },
  });
  return body.id;
}

/** A test of where mail lands, whose seed is an alias no more. */
async function placed(api: TestApi, tenant: Tenant, aliasId: string): Promise<string> {
  const { rows } = await api.sql.query(
    `with test as (
       insert into placement_tests (id, workspace_id, user_id, created_at, updated_at, subject, delete_after)
       values (gen_random_uuid(), $1, $2, now(), now(), 'S', false) returning id
     )
     insert into placement_mails (id, test_id, workspace_id, alias_id, from_email, seed_alias_id, to_email, email_key, state, message_id, look_until, due_at, attempts, copies, place, spf)
     select gen_random_uuid(), id, $1, $3, 'me@example.com', gen_random_uuid(), 'seed@example.com', 'seed@example.com', 'found', 'm@example.com', now(), now(), 1, 1, 'inbox', 'pass' from test
     returning test_id`,
    [tenant.workspaceId, tenant.userId, aliasId],
  );
  return rows[0].test_id;
}

/** A post that waits for its time. */
async function posted(tenant: Tenant): Promise<string> {
  const scheduled_at = new Date(Date.now() + 86_400_000).toISOString();
  const { body } = await tenant.call("POST", POSTS, formOf({ text: "Hello", scheduled_at }));
  return body.id;
}

/** An account that is connected, and is the default; answers one that waits for its code. */
async function connectedAccounts(tenant: Tenant) {
  const connect = async (kind: string) => {
    const username = `${kind}@${tenant.workspaceId}.zz`;
    const path = "/api/v1/connected-accounts/connect";
    const { status, text, body } = await tenant.call("POST", path, {
      username,
      password: "secret",
    });
    if (status !== 200) throw new Error(text);
    return body;
  };
  await connect("ok");
  return connect("otp");
}

/** A batch of drafts of the campaign's step, which a model writes from now on, with one that is there. */
async function drafted(api: TestApi, tenant: Tenant, campaignId: string): Promise<string> {
  await api.sql.query(
    "update campaigns set steps = jsonb_set(steps, '{0,ai_personalization_enabled}', 'true') where id = $1",
    [campaignId],
  );
  const path = `/api/v1/campaigns/${campaignId}/playground/generate`;
  const { status, text, body } = await tenant.call("POST", path, { step_index: 1 });
  if (status !== 202) throw new Error(text);
  const { rows } = await api.sql.query("select id from generations where batch_id = $1", [
    body.batch_id,
  ]);
  for (const { id } of rows) {
    const outcome = await runGeneration(api.deps, id);
    if (outcome !== "generated") throw new Error(`The draft is ${outcome}.`);
  }
  return body.batch_id;
}

/** A record made of the example of its body. */
export async function make(tenant: Tenant, collection: string): Promise<string> {
  const maker = operations.find(
    ({ method, path }) => method === "POST" && [collection, `${collection}/`].includes(path),
  );
  if (maker === undefined) throw new Error(`Nothing makes one of ${collection}.`);
  const call = maker.access === "jwt" ? tenant.callAsUser : tenant.call;
  const reply = await call("POST", maker.path, maker.example);
  if (reply.status !== 201) throw new Error(`${maker.name}: ${reply.status} ${reply.text}`);
  return reply.body.id as string;
}
