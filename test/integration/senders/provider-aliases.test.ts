import PostalMime from "postal-mime";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { postMail, rawMail } from "../../support/incoming.ts";
import { zoneFor } from "../../support/publish.ts";
import { sending, tenant, useSending } from "../../support/sending.ts";
import { type Answer, type HttpProvider, says, startProvider } from "../mail/http-provider.ts";

let provider: HttpProvider;
let answer: Answer;
const PATH = "/api/v1/mailer/aliases";
const DAY = 86_400;

afterAll(() => provider.close());
useSending(async () => {
  provider = await startProvider((...call) => answer(...call));
  return { SES_ENDPOINT: provider.url, MAILGUN_ENDPOINT: provider.url };
});
beforeEach(() => void (provider.requests.length = 0));

const ACCOUNTS = {
  ses: {
    kind: "ses",
    region: "eu-west-1",
    access_key_id: "AKIAIOSFODNN7EXAMPLE",
    secret_access_key: "the-secret",
  },
  mailgun: { kind: "mailgun", domain: "mg.sender.zz", region: "eu", api_key: "the-secret" },
  postmark: { kind: "postmark", message_stream: "outreach", server_token: "the-secret" },
  resend: { kind: "resend", api_key: "the-secret" },
};
type Kind = keyof typeof ACCOUNTS;

const create = (transport: object) =>
  tenant.call("POST", PATH, { email: "ann@sender.zz", display_name: "Ann", transport });

/** A campaign of two steps whose sender has such an account. */
async function campaignBy(kind: Kind) {
  const rows = await sending.campaign(tenant, {
    leads: 1,
    steps: [{ delayDays: 0 }, { delayDays: 1 }],
  });
  const reply = await tenant.call("PATCH", `${PATH}/${rows.aliasIds[0]}`, {
    transport: ACCOUNTS[kind],
  });
  expect(reply.status).toBe(200);
  return rows;
}

describe.each(Object.keys(ACCOUNTS) as Kind[])("an alias at %s", (kind) => {
  test("shows its settings and never its key, which is kept while the account is the same", async () => {
    const made = await create(ACCOUNTS[kind]);
    expect(made.status).toBe(201);
    const { transport } = made.body;
    const settings = Object.fromEntries(
      Object.entries(ACCOUNTS[kind]).filter(([, value]) => value !== "the-secret"),
    );
    expect(transport).toEqual(settings);
    const { rows } = await sending.api.sql.query("select * from mail_aliases where id = $1", [
      made.body.id,
    ]);
    expect(JSON.stringify(rows)).not.toContain("the-secret");
    const sealed = rows[0].transport_secret;
    const same = await tenant.call("PATCH", `${PATH}/${made.body.id}`, { transport: settings });
    expect(same.body.transport).toEqual(settings);
    const other =
      kind === "ses" ? { kind: "resend" } : { ...ACCOUNTS.ses, secret_access_key: null };
    const refused = await tenant.call("PATCH", `${PATH}/${made.body.id}`, { transport: other });
    expect([refused.status, refused.body.detail]).toEqual([422, "VALIDATION_ERROR"]);
    const { rows: after } = await sending.api.sql.query(
      "select transport_secret from mail_aliases where id = $1",
      [made.body.id],
    );
    expect(after[0].transport_secret).toBe(sealed);
  });

  test("is not made without its key", async () => {
    const { kind: _kind, ...rest } = ACCOUNTS[kind];
    const keyless = Object.fromEntries(
      Object.entries(rest).filter(([, value]) => value !== "the-secret"),
    );
    const reply = await create({ kind, ...keyless });
    expect(reply.status).toBe(422);
    expect(reply.body.details[0]).toMatchObject({ msg: expect.stringContaining("is missing") });
  });
});

test("a campaign through Amazon SES threads and is answered by the Message-ID that SES gave", async () => {
  answer = says(200, { MessageId: "0102018e-aaaa" });
  const { campaignId, campaignLeadIds } = await campaignBy("ses");
  await sending.tick();
  const [first] = await sending.sendsOf(campaignId);
  expect(first).toMatchObject({
    state: "accepted",
    message_id: "0102018e-aaaa@eu-west-1.amazonses.com",
  });
  answer = says(200, { MessageId: "0102018e-bbbb" });
  sending.api.advance(DAY + 60);
  await sending.tick();
  const mails = await Promise.all(
    provider.requests.map(({ body }) =>
      PostalMime.parse(Buffer.from(JSON.parse(body.toString("utf8")).Content.Raw.Data, "base64")),
    ),
  );
  expect(mails[1]).toMatchObject({
    inReplyTo: "<0102018e-aaaa@eu-west-1.amazonses.com>",
    references: "<0102018e-aaaa@eu-west-1.amazonses.com>",
  });
  const { rows } = await sending.api.sql.query(
    "update campaign_leads set status = 'active' where id = $1 returning email",
    [campaignLeadIds[0]],
  );
  const reply = rawMail({
    from: rows[0].email,
    to: "ann@elsewhere.zz",
    headers: ["In-Reply-To: <0102018e-bbbb@eu-west-1.amazonses.com>"],
    body: "Yes, call me.",
  });
  const taken = await postMail(sending.api, reply, "ann@elsewhere.zz", { from: rows[0].email });
  expect(taken.body).toMatchObject({ class: "reply", matched_by: "message_id" });
  expect((await sending.leadOf(campaignLeadIds[0]!)).status).toBe("replied");
});

test("what Amazon SES tells by mail is about the message that it names", async () => {
  answer = says(200, { MessageId: "0102018e-cccc" });
  const { campaignId, campaignLeadIds } = await campaignBy("ses");
  await sending.tick();
  const [send] = await sending.sendsOf(campaignId);
  const told = (messageId: string) =>
    rawMail({
      from: "AWS Notifications <no-reply@sns.amazonaws.com>",
      to: "reports@elsewhere.zz",
      subject: "AWS Notification Message",
      body: `${JSON.stringify({
        notificationType: "Complaint",
        complaint: { complainedRecipients: [{ emailAddress: send.email_key }] },
        mail: {
          sourceArn: "arn:aws:ses:eu-west-1:123456789012:identity/sender.zz",
          messageId,
          commonHeaders: { messageId: "<what-was-sent@sender.zz>" },
        },
      })}\r\n\r\n--\r\nIf you wish to stop receiving notifications from this topic, visit AWS.\r\n`,
    });
  const post = (raw: string) => postMail(sending.api, raw, "reports@elsewhere.zz");
  const forged = await post(told("0102018e-xxxx"));
  expect(forged.body).toMatchObject({ class: "complaint", matched_by: null });
  expect((await sending.leadOf(campaignLeadIds[0]!)).status).toBe("active");
  const taken = await post(told("0102018e-cccc"));
  expect(taken.body).toMatchObject({ class: "complaint", matched_by: "message_id" });
  expect((await sending.leadOf(campaignLeadIds[0]!)).status).toBe("complained");
});

test("mail is signed where the provider leaves it as it is, and not where it writes it anew", async () => {
  const domain = (await tenant.call("POST", "/api/v1/mailer/domains", { domain: "sender.zz" }))
    .body;
  sending.api.dns.zones.put("sender.zz", zoneFor(domain));
  await tenant.call("POST", `/api/v1/mailer/domains/${domain.id}/verify`);
  const signatures: Record<string, boolean> = {};
  for (const kind of ["ses", "mailgun"] as const) {
    provider.requests.length = 0;
    answer = says(200, kind === "ses" ? { MessageId: "x-1" } : { id: "<x-1@mg.sender.zz>" });
    await sending.reset();
    const { aliasIds } = await campaignBy(kind);
    await sending.api.sql.query("update mail_aliases set domain_id = $2 where id = any($1)", [
      aliasIds,
      domain.id,
    ]);
    expect(await sending.tick()).toMatchObject({ accepted: 1 });
    const body = provider.requests[0]!.body.toString("utf8");
    const raw =
      kind === "ses" ? Buffer.from(JSON.parse(body).Content.Raw.Data, "base64").toString() : body;
    signatures[kind] = raw.includes("DKIM-Signature:");
    // The address of its own that takes unsubscriptions is named in any case.
    expect(raw).toMatch(/mailto:b\+[a-z2-7]{34}@bounce\.sender\.zz/);
    await sending.api.sql.query("delete from leads where workspace_id = $1", [tenant.workspaceId]);
    sending.api.advance(2 * DAY);
  }
  expect(signatures).toEqual({ ses: false, mailgun: true });
});

test("an account that the provider refuses puts the alias in error with its words, and the lead waits", async () => {
  answer = says(
    403,
    { message: "The security token included in the request is invalid." },
    {
      "x-amzn-errortype": "UnrecognizedClientException",
    },
  );
  const { campaignLeadIds, aliasIds } = await campaignBy("ses");
  await sending.tick();
  const alias = (await tenant.call("GET", `${PATH}/${aliasIds[0]}`)).body;
  expect(alias.status).toBe("error");
  expect(alias.last_error).toMatch(/key|token/i);
  expect((await sending.leadOf(campaignLeadIds[0]!)).status).toBe("pending");
});

test("a send whose answer is lost is unknown, and never sent again", async () => {
  answer = (_response, request) => request.socket.destroy();
  const { campaignId } = await campaignBy("mailgun");
  await sending.tick();
  expect((await sending.sendsOf(campaignId)).map(({ state }) => state)).toEqual(["unknown"]);
  sending.api.advance(3600);
  await sending.tick();
  expect(provider.requests.filter(({ method }) => method === "POST")).toHaveLength(1);
});

test("the account test asks the provider, and says what it found", async () => {
  answer = says(200, {
    SendingEnabled: true,
    ProductionAccessEnabled: false,
    SendQuota: { Max24HourSend: 200, MaxSendRate: 1, SentLast24Hours: 3 },
  });
  const { body } = await create(ACCOUNTS.ses);
  const report = await tenant.call("POST", `${PATH}/${body.id}/test`);
  expect(report.body).toMatchObject({ ok: true, stage: "ready" });
  expect(report.body.message).toContain("sandbox");
});
