import { randomUUID } from "node:crypto";
import { afterAll, describe, expect, test } from "vitest";
import { beginSheetImport } from "#db/people/sheet-imports.ts";
import { callbacks } from "#functions/index.ts";
import { type ModelPart, startModel } from "../../../scripts/stack/model/model.ts";
import { type NetworkPart, startNetwork } from "../../../scripts/stack/network/network.ts";
import { sign } from "../../../scripts/stack/qstash/signature.ts";
import { PUBLIC_BASE_URL } from "../../support/api.ts";
import {
  activeCampaign,
  createCampaign,
  forceStatus,
  launchable,
} from "../../support/campaigns.ts";
import { createDrafts } from "../../support/drafts.ts";
import { owe } from "../../support/notices.ts";
import { connectTenant, formOf, newLogin, POSTS } from "../../support/posts.ts";
import { sending, tenant, useSending } from "../../support/sending.ts";

let model: ModelPart;
let network: NetworkPart;
useSending(async () => {
  model = await startModel();
  network = await startNetwork({ apiKey: "network-key-of-the-tests" });
  const there = { UNIPILE_API_URL: network.url, UNIPILE_API_KEY: "network-key-of-the-tests" };
  return { ...model.env, ...there };
});
afterAll(() => Promise.all([model.close(), network.close()]));

interface Delivery {
  path?: string;
  /** What the signature is for, where it is not what is sent. */
  signed?: { url?: string; body?: string; key?: string; at?: Date };
  body: string;
}

const signatureOf = (name: string, { signed = {}, body }: Delivery) => {
  const { url = `${PUBLIC_BASE_URL}/functions/${name}`, key = "sig_current" } = signed;
  return sign({ url, body: Buffer.from(signed.body ?? body) }, key, signed.at ?? new Date());
};

async function post(name: string, signature: string, body: string) {
  const reply = await sending.api.request(`/functions/${name}`, {
    method: "POST",
    body,
    headers: { "upstash-signature": signature, "content-type": "application/json" },
  });
  await sending.api.settled();
  return { status: reply.status, body: (await reply.json()) as { detail?: string } };
}
const deliver = (name: string, delivery: Delivery) =>
  post(name, signatureOf(name, delivery), delivery.body);

/** Per callback a payload about something that waits for it: a genuine delivery changes it. */
const WAITING: Record<string, () => Promise<object>> = {
  "campaign-tick": async () => {
    await sending.campaign(tenant, { leads: 1 });
    return { version: 1 };
  },
  "count-posts": async () => {
    await sending.api.sql.query(
      "update social_posts set status = 'published', provider_post_id = '7', published_at = now(), due_at = now() where id = $1",
      [await newPost()],
    );
    return { version: 1 };
  },
  "deliver-outbox": async () => {
    await owe(sending.api, tenant);
    return { version: 1 };
  },
  // A receiver that is not there.
  "deliver-webhooks": async () => {
    const { sql } = sending.api;
    await sql.query("delete from webhooks");
    await tenant.call("POST", "/api/v1/webhooks", { url: "http://127.0.0.1:9/" });
    const { rows } = await sql.query(
      "insert into events (workspace_id, id, type, at, data) values ($1, gen_random_uuid(), 'email.sent', now(), '{}') returning tx::text",
      [tenant.workspaceId],
    );
    // What other files write beside this one holds the feed up while it lasts.
    const seen = "select $1::xid8 < pg_snapshot_xmin(pg_current_snapshot()) as seen";
    while (!(await sql.query(seen, [rows[0].tx])).rows[0].seen);
    return { version: 1 };
  },
  "drain-campaign": async () => {
    const { campaignId } = await sending.campaign(tenant, { leads: 1 });
    await forceStatus(sending.api.sql, campaignId, "draining");
    return { campaign_id: campaignId, version: 1 };
  },
  // A session that no account has.
  "end-network-session": async () => {
    const { username, password } = newLogin();
    const opened = await sending.api.deps.network!.accounts.connect({ username, password });
    return { session: opened.ok && opened.value.accountId, version: 1 };
  },
  // So old that it ends without Google.
  "import-sheet": async () => {
    const { body: dataset } = await tenant.call("POST", "/api/v1/datasets", { name: "D" });
    const { db, ids, clock } = sending.api.deps;
    const now = new Date(clock.now().getTime() - 3_600_000);
    const owner = { id: ids.uuid(), now, ...tenant };
    const begun = await beginSheetImport(
      db,
      owner,
      {
        datasetId: dataset.id,
        sourceUrl: "https://docs.google.com/spreadsheets/d/x",
        spreadsheetId: "x",
        gid: null,
        mapping: {},
        plan: { title: null, tab: null, labels: ["email"], mapping: {}, header: "" },
        cursor: { nextRow: 2, batchRows: 1, anchor: "", restarts: 0 },
        tally: { total: 0, rejected: 0, rejections: [], samples: [] },
      },
      now,
    );
    return { import_id: begun!.id, version: 1 };
  },
  "launch-campaign": async () => {
    const { campaign_id, launch_job_id: job_id } = await launching();
    return { campaign_id, job_id, version: 1 };
  },
  "launch-check": async () => {
    const { body } = await launchable(sending.api, tenant);
    const soon = new Date(Date.now() + 60_000).toISOString();
    const scheduled = { launch_type: "scheduled", start_date: soon };
    const { campaign_id } = await createCampaign(tenant, { ...body, ...scheduled });
    const reply = await tenant.call("POST", `/api/v1/campaigns/${campaign_id}/launch`);
    expect(reply.body.status).toBe("scheduled");
    const { rows } = await sending.api.sql.query(
      "update campaigns set start_date = now() - interval '1 minute' where id = $1 returning schedule_generation",
      [campaign_id],
    );
    return { campaign_id, generation: Number(rows[0].schedule_generation) };
  },
  "launch-failed": async () => {
    const { campaign_id, launch_job_id: job_id } = await launching();
    const source = JSON.stringify({ campaign_id, job_id, version: 1 });
    return { sourceBody: Buffer.from(source).toString("base64") };
  },
  // Nobody is at the seed's port; the mail to it goes out all the same.
  placement: async () => {
    const { aliasIds } = await sending.campaign(tenant, { leads: 1, aliases: 2 });
    const [sender, seed] = aliasIds;
    const inbox = { kind: "imap", host: "127.0.0.1", port: 9, password: "secret" };
    await tenant.call("PATCH", `/api/v1/mailer/aliases/${seed}`, { inbox });
    const made = await tenant.call("POST", "/api/v1/mailer/placement-tests", {
      alias_ids: [sender],
      seed_alias_ids: [seed],
      subject: "A question",
      body: "Hello",
    });
    expect(made.status).toBeLessThan(300);
    return { test_id: made.body.id, seed_alias_id: seed, version: 1 };
  },
  "prefetch-drafts": async () => {
    const { campaignId } = await sending.campaign(tenant, { leads: 1 });
    await createDrafts(sending.api, tenant).personalize(campaignId);
    return { version: 1 };
  },
  "publish-post": async () => ({ post_id: await newPost(), version: 1 }),
  // Nobody is at that port: the inbox says so.
  "read-inboxes": async () => {
    const { aliasIds } = await sending.campaign(tenant, { leads: 1 });
    const inbox = { kind: "imap", host: "127.0.0.1", port: 9, password: "secret" };
    await tenant.call("PATCH", `/api/v1/mailer/aliases/${aliasIds[0]}`, { inbox });
    return { version: 1 };
  },
  "record-hits": async () => {
    const { campaignId } = await sending.campaign(tenant, { leads: 1 });
    await sending.tick();
    const [send] = await sending.sendsOf(campaignId);
    return { hits: [hitOn(send.id)], version: 1 };
  },
  "send-email": async () => {
    const { aliasIds } = await sending.campaign(tenant, { leads: 1 });
    const { body } = await tenant.call("POST", "/api/v1/mailer/emails", {
      alias_id: aliasIds[0],
      to_email: "ada@example.zz",
      subject: "A question",
      body: "Hello",
    });
    return { email_id: body.id, version: 1 };
  },
  "sync-network": async () => {
    const account = await connectTenant(await sending.api.tenant());
    network.control.setStatus(account.provider_account_id, "CREDENTIALS");
    return { account_id: account.id, version: 1 };
  },
  // DNS alone says that the domain takes no mail.
  "verify-again": async () => ({ address: `ada@d${randomUUID()}.zz`, version: 1 }),
  "verify-dataset": async () => {
    const { body: dataset } = await tenant.call("POST", "/api/v1/datasets", { name: "D" });
    const rows = [{ email: `ada@d${randomUUID()}.zz` }];
    await tenant.call("POST", `/api/v1/datasets/${dataset.id}/import`, { rows });
    const { body } = await tenant.call("POST", `/api/v1/email-verification/dataset/${dataset.id}`);
    return { job_id: body.job_id, version: 1 };
  },
  "verify-email": async () => {
    const email = `ada@d${randomUUID()}.zz`;
    const { body } = await tenant.call("POST", "/api/v1/email-finder/verify", { email });
    return { job_id: body.job_id, version: 1 };
  },
  "write-draft": async () => {
    const { campaignId, campaignLeadIds } = await sending.campaign(tenant, { leads: 1 });
    const drafts = createDrafts(sending.api, tenant);
    await drafts.personalize(campaignId);
    const draft = { campaignId, campaignLeadId: campaignLeadIds[0]! };
    const id = await drafts.write(draft, { subject: "Hi", body: "There" });
    await sending.api.sql.query(
      "update generations set status = 'pending', generated_at = null where id = $1",
      [id],
    );
    return { generation_id: id, version: 1 };
  },
  "write-run": async () => {
    const payer = await sending.api.tenant({ credits: 10 });
    const { body: dataset } = await payer.call("POST", "/api/v1/datasets", { name: "D" });
    const rows = [{ email: `ada@d${randomUUID()}.zz`, first_name: "Ada" }];
    await payer.call("POST", `/api/v1/datasets/${dataset.id}/import`, { rows });
    const { body } = await payer.call("POST", "/api/v1/personalize", {
      dataset_id: dataset.id,
      sender_data: { full_name: "Bo Berg" },
    });
    return { run_id: body.run_id, version: 1 };
  },
};

async function newPost(): Promise<string> {
  const author = await sending.api.tenant();
  await connectTenant(author);
  return (await author.call("POST", POSTS, formOf({ text: "Hello" }))).body.id;
}

const hitOn = (sendId: string) => ({
  id: randomUUID(),
  sendId,
  kind: "open",
  at: new Date().toISOString(),
  linkIndex: 0,
  url: null,
  userAgent: "Mozilla/5.0 (X11; Linux x64) Firefox/140.0",
  prefetch: false,
  asn: null,
});

async function launching() {
  const { body } = await launchable(sending.api, tenant);
  const { campaign_id } = await createCampaign(tenant, body);
  return (await tenant.call("POST", `/api/v1/campaigns/${campaign_id}/launch`)).body;
}

const STATE = [
  ...["campaigns", "campaign_leads", "sends", "sender_lanes", "emails", "outbox"],
  ...["sheet_imports", "verification_jobs", "dataset_verifications", "webhooks"],
  ...["generations", "generation_batches", "social_posts", "connected_accounts"],
  "placement_mails",
];

/** Everything that a callback could have changed. */
async function state(): Promise<string> {
  const tables = STATE.map(
    (table) => `(select jsonb_agg(to_jsonb(t) order by t.id) from ${table} t)`,
  );
  const { rows } = await sending.api.sql.query(
    `select jsonb_build_array(${tables.join(", ")}, (select last_tick_at from engine_state), (select count(*) from verified_addresses), (select jsonb_agg(to_jsonb(i) order by i.alias_id) from inboxes i)) as state`,
  );
  return JSON.stringify([
    rows[0].state,
    await sending.api.deps.cache.get("engine:wakes"),
    sending.mailbox.wireLog().length,
    network.accounts().length,
  ]);
}

const names = callbacks.map(({ name }) => name);

test("every callback has its payload here", () => {
  expect(Object.keys(WAITING).toSorted()).toEqual(names.toSorted());
});

describe.each(names)("%s", (name) => {
  test("a signature that is another's, old, for another body or another address is 401, and nothing is done", async () => {
    const body = JSON.stringify(await WAITING[name]!());
    const before = await state();
    const refused: Delivery[] = [
      { body, signed: { key: "sig_of_nobody" } },
      { body, signed: { at: new Date(Date.now() - 3_600_000) } },
      { body, signed: { body: "{}" } },
      { body, signed: { url: `${PUBLIC_BASE_URL}/functions/another` } },
      { body, signed: { url: `https://elsewhere.test/functions/${name}` } },
    ];
    for (const delivery of refused) {
      const reply = await deliver(name, delivery);
      expect([reply.status, reply.body.detail]).toEqual([401, "UNAUTHENTICATED"]);
    }
    expect(await state()).toBe(before);
    // What was refused would have done something.
    expect((await deliver(name, { body })).status).toBe(200);
    expect(await state()).not.toBe(before);
  });

  test("a delivery that is replayed with its own signature is 401, and nothing is done", async () => {
    const body = JSON.stringify(await WAITING[name]!());
    const signature = signatureOf(name, { body });
    expect((await post(name, signature, body)).status).toBe(200);
    const before = await state();
    const replay = await post(name, signature, body);
    expect([replay.status, replay.body.detail]).toEqual([401, "UNAUTHENTICATED"]);
    expect(await state()).toBe(before);
  });

  test("a payload of an unknown version, another shape or no JSON is 400, and nothing is done", async () => {
    const payload = await WAITING[name]!();
    const before = await state();
    const bodies = [
      "not json",
      "[]",
      JSON.stringify({ ...payload, version: 99, generation: "x", sourceBody: 5 }),
    ];
    for (const body of bodies) expect((await deliver(name, { body })).status).toBe(400);
    expect(await state()).toBe(before);
  });
});

test.each([
  ["campaign-tick", { version: 1 }],
  ["launch-campaign", { campaign_id: randomUUID(), job_id: randomUUID(), version: 1 }],
  ["launch-check", { campaign_id: randomUUID(), generation: 0 }],
  [
    "launch-failed",
    {
      sourceBody: Buffer.from(
        JSON.stringify({ campaign_id: randomUUID(), job_id: randomUUID(), version: 1 }),
      ).toString("base64"),
    },
  ],
  ["record-hits", { hits: [hitOn(randomUUID())], version: 1 }],
  ["send-email", { email_id: randomUUID(), version: 1 }],
])(
  "%s about something that is gone does nothing, however often it comes; both keys are taken",
  async (name, payload) => {
    const body = JSON.stringify(payload);
    for (const key of ["sig_current", "sig_next", "sig_current"])
      expect((await deliver(name, { body, signed: { key } })).status).toBe(200);
  },
);

test("a delivery that failed may come again with the same signature", async () => {
  const { id, jobId } = await activeCampaign(sending.api, tenant);
  await sending.api.sql.query("update campaigns set status = 'launching' where id = $1", [id]);
  const body = JSON.stringify({ campaign_id: id, job_id: jobId, version: 1 });
  const signature = signatureOf("launch-campaign", { body });
  // A dataset whose rows cannot be read: the job breaks off.
  await sending.api.sql.query("alter table leads rename to leads_away");
  expect((await post("launch-campaign", signature, body)).status).toBe(500);
  await sending.api.sql.query("alter table leads_away rename to leads");
  expect((await post("launch-campaign", signature, body)).status).toBe(200);
});

test("a delivery of events does not wake the engine, which would make a tick, and that a delivery", async () => {
  const body = JSON.stringify(await WAITING["deliver-webhooks"]!());
  const wakes = () => sending.api.deps.cache.get("engine:wakes");
  await sending.api.settled();
  const before = await wakes();
  expect((await deliver("deliver-webhooks", { body })).status).toBe(200);
  await sending.api.settled();
  expect(await wakes()).toBe(before);
});
