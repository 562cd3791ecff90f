/** What the feed tells of opens and opt-outs. */
import { expect, test } from "vitest";
import { deliverEmail } from "#src/domain/messages/emails/deliver.ts";
import { createTrackTokens, type TrackToken } from "#src/domain/messages/tracking/track-token.ts";
import { postMail, rawMail } from "../../../support/incoming.ts";
import { queryOf } from "../../../support/query.ts";
import { sending, tenant, useSending } from "../../../support/sending.ts";

useSending();
const query = queryOf(() => sending.api.sql);

const PATHS = { open: "/o/", click: "/c/", unsubscribe: "/u/" };

async function hit(token: TrackToken, agent: string, method = "GET") {
  const { trackingSecrets } = sending.api.deps.settings;
  const text = await createTrackTokens(trackingSecrets).sign(token);
  await sending.api.request(PATHS[token.kind] + text, { method, headers: { "user-agent": agent } });
  await sending.api.settled();
}
const told = async (type: string) =>
  (
    await query`select data from events where workspace_id = ${tenant.workspaceId} and type = ${type}`
  ).map(({ data }) => data);

async function sentOne() {
  const { campaignId, aliasIds, campaignLeadIds } = await sending.campaign(tenant, { leads: 1 });
  await sending.tick();
  const [send] = await sending.sendsOf(campaignId);
  return { send, aliasId: aliasIds[0]!, campaignLeadId: campaignLeadIds[0]! };
}

/** An answer that asks for no more mail. */
async function optOutInWords(aliasId: string, messageId: string, from: string) {
  const [{ email }] = await query`select email from mail_aliases where id = ${aliasId}`;
  const headers = [`In-Reply-To: <${messageId}>`, `References: <${messageId}>`];
  const body = "Please remove me from your list.\r\n";
  const raw = rawMail({ from, to: email, headers, body });
  await postMail(sending.api, raw, email, { from: "someone@elsewhere.zz" });
}

test.each([
  ["Mozilla/5.0 (Windows NT 5.1) Firefox/11.0 (via ggpht.com GoogleImageProxy)", false],
  ["YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html", false],
  ["Mozilla/5.0", true],
  ["Barracuda Sentinel", true],
])("that %s loaded the picture is told by whom", async (agent, machine) => {
  const { send, campaignLeadId } = await sentOne();
  sending.api.advance(10);
  await hit({ kind: "open", sendId: send.id }, agent);
  expect(await told("email.opened")).toMatchObject([{ send_id: send.id, machine }]);
  const [{ lead_id: id }] =
    await query`select lead_id from campaign_leads where id = ${campaignLeadId}`;
  const { body } = await tenant.call("GET", `/api/v2/leads/${id}/timeline`);
  const opened = body.items.filter(({ kind }: { kind: string }) => kind === "opened");
  expect(opened).toMatchObject([{ machine }]);
});

test("an opt-out of one whose campaign is over is told once, in words and by the link", async () => {
  const { send, aliasId, campaignLeadId } = await sentOne();
  expect(await sending.leadOf(campaignLeadId)).toMatchObject({ status: "completed" });
  await optOutInWords(aliasId, send.message_id, "Ada <lead1@example.zz>");
  const once = [{ send_id: send.id, campaign_lead_id: campaignLeadId }];
  expect(await told("email.unsubscribed")).toMatchObject(once);
  await hit({ kind: "unsubscribe", sendId: send.id }, "Firefox", "POST");
  expect(await told("email.unsubscribed")).toMatchObject(once);
});

test("what somebody said on the network is told of no mail", async () => {
  const { send } = await sentOne();
  await query`update sends set budget = 'message' where id = ${send.id}`;
  await query`update sends set unsubscribed_at = now() where id = ${send.id}`;
  expect(await told("email.unsubscribed")).toEqual([]);
});

test("an opt-out by the link alone is told once", async () => {
  const { send } = await sentOne();
  for (let time = 0; time < 2; time++)
    await hit({ kind: "unsubscribe", sendId: send.id }, "Firefox", "POST");
  expect(await told("email.unsubscribed")).toMatchObject([{ send_id: send.id }]);
});

test.each(["in words", "by the link"])("of a single mail too, first %s", async (first) => {
  const [aliasId] = (await sending.campaign(tenant, { leads: 0 })).aliasIds;
  const { body } = await tenant.call("POST", "/api/v1/mailer/emails", {
    ...{ alias_id: aliasId, to_email: "ada@example.zz", subject: "A question", body: "Well?" },
  });
  expect(await deliverEmail(sending.api.deps, body.id)).toBe("sent");
  const [{ message_id: messageId }] =
    await query`select message_id from emails where id = ${body.id}`;
  const ways = [
    () => optOutInWords(aliasId!, messageId, "Ada <ada@example.zz>"),
    () => hit({ kind: "unsubscribe", sendId: body.id }, "Firefox", "POST"),
  ];
  for (const way of first === "in words" ? ways : ways.toReversed()) {
    await way();
    expect(await told("email.unsubscribed")).toEqual([{ email_id: body.id }]);
  }
});
