/** What looks at steps on the network beside the engine: launch, previews, forecast, sending-status, lists. */
import { beforeEach, expect, test } from "vitest";
import {
  type AccountRows,
  insertAccount,
  networked,
  type NetworkStep,
  tenant,
  tickNow,
  useNetwork,
} from "../../support/network.ts";
import { begin, begun } from "./begin.ts";

useNetwork();

let account: AccountRows;
beforeEach(async () => {
  account = await insertAccount();
});

const INVITE_THEN_SAY = [
  { step: 1, action_type: "connection_request", message_template: "Hello {{ first_name }} 🙂" },
  { step: 2, delay_days: 1, action_type: "message", message_template: "Thanks, {{ first_name }}" },
];

/** A draft over the API, for these people. */
async function draft(
  steps: object[],
  rows: object[] = [
    { first_name: "Mara", profile_url: "https://www.linkedin.com/in/accepts-mara-lind" },
  ],
): Promise<string> {
  const dataset = await tenant.call("POST", "/api/v1/datasets", { name: "People" });
  await tenant.call("POST", `/api/v1/datasets/${dataset.body.id}/import`, { rows });
  const created = await tenant.call("POST", "/api/v1/campaigns/", {
    name: "Network",
    type: "socialnet",
    dataset_id: dataset.body.id,
    connected_account_id: account.id,
    sending_window_start: "00:00",
    sending_window_end: "00:00",
    steps,
  });
  expect(created).toMatchObject({ status: 201 });
  return `/api/v1/campaigns/${created.body.campaign_id}`;
}

test("a step is shown as the person will get it", async () => {
  const path = await draft([...INVITE_THEN_SAY, { step: 3, action_type: "profile_view" }]);
  const shown = await tenant.call("POST", `${path}/steps/1/render`, {});
  expect(shown.body).toMatchObject({
    channel: "socialnet",
    text: "Hello Mara 🙂",
    html: "<p>Hello Mara 🙂</p>",
    subject: null,
    alias_id: null,
    connected_account_id: account.id,
    profile_url: "https://www.linkedin.com/in/accepts-mara-lind",
  });
  const written = [{ step: 1, action_type: "message", message_template: "Now {{ first_name }}" }];
  const unstored = await tenant.call("POST", `${path}/steps/1/render`, { steps: written });
  expect(unstored.body).toMatchObject({ channel: "socialnet", text: "Now Mara" });
  const silent = await tenant.call("POST", `${path}/steps/3/render`, {});
  expect(silent.body).toMatchObject({ text: "", html: "", variant_label: null });
});

test("what cannot be written says why, and nothing on the network can be tried out", async () => {
  const path = await draft([
    { step: 1, action_type: "connection_request", message_template: "x".repeat(201) },
    { step: 2, action_type: "message", message_template: "{{ nickname }}" },
  ]);
  const long = await tenant.call("POST", `${path}/steps/1/render`, {});
  expect([long.status, long.body.detail]).toEqual([422, "NOTE_TOO_LONG"]);
  const lacking = await tenant.call("POST", `${path}/steps/2/render`, {});
  expect([lacking.status, lacking.body.detail]).toEqual([422, "MISSING_VARIABLE"]);
  const tried = await tenant.call("POST", `${path}/steps/1/send-test`, {
    to_email: "me@example.com",
  });
  expect([tried.status, tried.body.detail]).toEqual([422, "STEP_NOT_AN_EMAIL"]);
});

test("a model writes no step of the network", async () => {
  const dataset = await tenant.call("POST", "/api/v1/datasets", { name: "People" });
  const refused = await tenant.call("POST", "/api/v1/campaigns/", {
    name: "Network",
    type: "socialnet",
    dataset_id: dataset.body.id,
    connected_account_id: account.id,
    steps: [
      { step: 1, action_type: "message", message_template: "Hi", ai_personalization_enabled: true },
    ],
  });
  expect(refused.status).toBe(422);
  expect(refused.text).toContain("A model writes emails only");
});

test("a launch looks at the account; a note that is too long for one person stops nobody else", async () => {
  const { sql } = networked.api;
  const path = await draft(INVITE_THEN_SAY, [
    { first_name: "Mara", profile_url: "https://www.linkedin.com/in/accepts-mara-lind" },
    { first_name: "x".repeat(195), profile_url: "https://www.linkedin.com/in/accepts-too-long" },
  ]);
  await sql.query("update connected_accounts set status = 'disconnected' where id = $1", [
    account.id,
  ]);
  const refused = await tenant.call("POST", `${path}/launch`);
  expect([refused.status, refused.body.detail]).toEqual([422, "LAUNCH_PREFLIGHT_FAILED"]);
  const readiness = (checks: { name: string }[]) =>
    checks.find(({ name }) => name === "connected_account_ready");
  expect(readiness(refused.body.checks)).toMatchObject({ ok: false, severity: "error" });
  await sql.query("update connected_accounts set status = 'connected' where id = $1", [account.id]);
  const launched = await tenant.call("POST", `${path}/launch`);
  expect(launched).toMatchObject({ status: 202 });
});

test("a forecast has the account's actions, and takes nobody for connected", async () => {
  const path = await draft(INVITE_THEN_SAY);
  const forecast = await tenant.call("GET", `${path}/forecast?days=30`);
  expect(forecast.body.sends).toMatchObject([
    { step: 1, email: null, alias_id: null, connected_account_id: account.id },
  ]);
  expect(forecast.body.finishes_at).toBeNull();
  expect(forecast.body.assumes).toContainEqual(expect.stringContaining("accepts an invitation"));
});

test("an account that has used up its day says so", async () => {
  const people = ["accepts-a-b", "accepts-c-d"];
  const { campaignId, id } = await begun([{ action: "connection_request" }], people, account);
  await networked.api.sql.query(
    "update sender_lanes set connection_cap = connections_used, day_cap = connections_used + 50 where id = $1",
    [account.id],
  );
  networked.api.advance(300);
  const { body } = await tenant.call("GET", `/api/v1/campaigns/${campaignId}/sending-status`);
  expect(body.senders).toMatchObject([
    {
      connected_account_id: account.id,
      budgets: { connections: { used: 1, cap: 1 }, messages: { used: 0, cap: 50 } },
      reasons: [
        {
          code: "sender_cap_reached",
          message: "Owner has used 1 of its 1 connection requests of today.",
        },
      ],
    },
  ]);
  expect(body.sending).toBe(false);
  const { body: page } = await tenant.call("GET", `/api/v1/campaigns/${campaignId}/leads`);
  expect(page.items.find((each: { id: string }) => each.id === id)).toMatchObject({
    alias_id: null,
    connected_account_id: account.id,
  });
});

test("a lead without an address is skipped at the email, after what came before", async () => {
  const steps: NetworkStep[] = [{ action: "profile_view" }, { action: "send_email" }];
  const { id } = await begin(steps, ["accepts-a-b"], account);
  await networked.api.sql.query(
    "update campaign_leads set email = null, email_key = null where id = $1",
    [id],
  );
  await tickNow();
  networked.api.advance(120);
  await tickNow();
  expect(await networked.leadOf(id)).toMatchObject({
    status: "skipped",
    current_step: 1,
    stop_reason: "no_email",
    last_error: "NO_EMAIL: the lead has no email address.",
  });
});

test("on another day nothing of an account's budgets is used, before the engine has looked as well", async () => {
  const people = ["declines-a-b", "declines-c-d"];
  const { campaignId } = await begun([{ action: "connection_request" }], people, account);
  const sender = async () => {
    const path = `/api/v1/campaigns/${campaignId}/sending-status`;
    return (await tenant.call("GET", path)).body.senders[0];
  };
  expect(await sender()).toMatchObject({ sent_today: 1, budgets: { connections: { used: 1 } } });
  networked.api.advance(2 * 86_400);
  expect(await sender()).toMatchObject({ sent_today: 0, budgets: { connections: { used: 0 } } });
});

test("the mail of a lead that an account has by now is shown from the alias that wrote to them", async () => {
  const { campaignId, id } = await begun(
    [{ action: "send_email" }, { action: "connection_request", days: 1 }],
    ["accepts-mara"],
    account,
  );
  await networked.api.sql.query("update campaign_leads set alias_id = $2 where id = $1", [
    id,
    account.id,
  ]);
  const shown = await tenant.call("POST", `/api/v1/campaigns/${campaignId}/steps/1/render`, {});
  expect(shown).toMatchObject({ status: 200, body: { channel: "email" } });
  const { rows } = await networked.api.sql.query(
    "select lane_id from sends where campaign_lead_id = $1",
    [id],
  );
  expect(rows.map(({ lane_id: lane }) => lane)).toEqual([shown.body.alias_id]);
});
