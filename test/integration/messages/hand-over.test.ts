import { randomUUID } from "node:crypto";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { getAlias } from "#db/senders/aliases.ts";
import { getDomainKey } from "#db/base/fragments/domain-keys.ts";
import type { Deps } from "#src/deps.ts";
import { runTick } from "#src/domain/jobs/tick.ts";
import { deliverEmail } from "#src/domain/messages/emails/deliver.ts";
import { createHandOver } from "#src/domain/messages/deliver.ts";
import { sendTest } from "#src/domain/messages/preview-step.ts";
import type { CampaignRows } from "../../support/engine.ts";
import { bounceMail, postMail } from "../../support/incoming.ts";
import { zoneFor } from "../../support/publish.ts";
import { type Answer, type HttpProvider, says, startProvider } from "../mail/http-provider.ts";
import { queryOf } from "../../support/query.ts";
import { sending, tenant, useSending } from "../../support/sending.ts";

let provider: HttpProvider;
let answer: Answer;
let rows: CampaignRows;

useSending(async () => {
  provider = await startProvider((...call) => answer(...call));
  return { SES_ENDPOINT: provider.url };
});
afterAll(() => provider.close());
const query = queryOf(() => sending.api.sql);
/** A campaign of one lead, whose sender has a domain with keys and a return path. */
beforeEach(async () => {
  provider.requests.length = 0;
  answer = says(200, { MessageId: "x-1" });
  rows = await sending.campaign(tenant, { leads: 1 });
  const { body: domain } = await tenant.call("POST", "/api/v1/mailer/domains", {
    domain: "sender.zz",
  });
  sending.api.dns.zones.put("sender.zz", zoneFor(domain));
  await tenant.call("POST", `/api/v1/mailer/domains/${domain.id}/verify`);
  await query`update mail_aliases set domain_id = ${domain.id} where id = any(${rows.aliasIds})`;
});

async function changeToSes() {
  const transport = {
    kind: "ses",
    region: "eu-west-1",
    access_key_id: "AKIAIOSFODNN7EXAMPLE",
    secret_access_key: "the-secret",
  };
  const path = `/api/v1/mailer/aliases/${rows.aliasIds[0]}`;
  return (await tenant.call("PATCH", path, { transport })).body;
}

const testSend = (deps: Deps) => {
  const { workspaceId, userId } = tenant;
  const principal = {
    workspaceId,
    userId,
    plan: "paid",
    role: "owner",
    via: "key",
    actor: "key:of a test",
    scopes: null,
    confirm: "human",
  } as const;
  const order = { to: "me@inbox.zz", target: null };
  return sendTest(deps, principal, rows.campaignId, 1, order);
};

/** How a message leaves; each answers what became of it. */
const WAYS: Record<string, (deps: Deps) => Promise<string>> = {
  async "a campaign's message"(deps) {
    await runTick(deps);
    const [send] = await sending.sendsOf(rows.campaignId);
    return `${send.state}: ${send.reason}`;
  },
  async "a single email"(deps) {
    const wish = {
      alias_id: rows.aliasIds[0],
      to_email: "ada@example.zz",
      subject: "s",
      body: "b",
    };
    const { body } = await tenant.call("POST", "/api/v1/mailer/emails", wish);
    await deliverEmail(deps, body.id);
    const stored = await query`select state, error from emails where id = ${body.id}`;
    return `${stored[0].state}: ${stored[0].error}`;
  },
  async "a test"(deps) {
    const { accepted, reply } = await testSend(deps);
    return `${accepted ? "accepted" : "not accepted"}: ${reply}`;
  },
};

describe.each(Object.entries(WAYS))("%s", (_way, send) => {
  test("is signed and has a return path of its own where the transport leaves it that", async () => {
    expect(await send(sending.api.deps)).toMatch(/^(accepted|sent): /);
    const [entry] = sending.mailbox.wireLog();
    expect(entry!.envelope.from).toMatch(/^b\+[a-z2-7]{34}@bounce\.sender\.zz$/);
    const [message] = await sending.mailbox.messages();
    expect(message!.headers).toHaveProperty("dkim-signature");
  });

  test("has neither where the provider signs and takes bounces by itself", async () => {
    const { email } = await changeToSes();
    expect(await send(sending.api.deps)).toMatch(/^(accepted|sent): /);
    const request = JSON.parse(provider.requests[0]!.body.toString("utf8"));
    expect(request.FromEmailAddress).toBe(email);
    const raw = Buffer.from(request.Content.Raw.Data, "base64").toString("utf8");
    expect(raw).not.toContain("DKIM-Signature:");
  });

  test("whose account is refused says so in words for its owner, with the provider's behind them", async () => {
    answer = says(
      403,
      { message: "The security token is invalid." },
      { "x-amzn-errortype": "UnrecognizedClientException" },
    );
    await changeToSes();
    expect(await send(sending.api.deps)).toMatch(
      /^(retry_wait|failed|not accepted): .*access key.*\(.*The security token is invalid\.\)$/,
    );
  });

  test("whose transport throws may have left: that is its verdict, and nothing else", async () => {
    const { deps } = sending.api;
    const openMail = () => {
      const mail = deps.openMail();
      const throws: typeof mail.send = async (account, message) => {
        await mail.send(account, message);
        throw new Error("no word of it");
      };
      return { ...mail, send: throws };
    };
    expect(await send({ ...deps, openMail })).toMatch(
      /^(unknown|not accepted): The handover broke off: Error: no word of it$/,
    );
    expect(sending.mailbox.wireLog()).toHaveLength(1);
  });
});

test("messages of one sender open its account and its keys once", async () => {
  const { deps } = sending.api;
  const { workspaceId } = tenant;
  const opened: string[] = [];
  const open: typeof deps.vault.open = (sealed, context) => {
    opened.push(context.split(":").at(-1)!);
    return deps.vault.open(sealed, context);
  };
  const handOver = createHandOver({ ...deps, vault: { ...deps.vault, open } });
  const alias = (await getAlias(deps.db, workspaceId, rows.aliasIds[0]!))!;
  const domain = (await getDomainKey(deps.db, workspaceId, alias.domainId!))!;
  const letter = {
    sendId: randomUUID(),
    messageId: "a@sender.zz",
    to: "ada@example.zz",
    date: deps.clock.now(),
    subject: "s",
    html: "b",
    tracking: { opens: false, clicks: false, patterns: [] },
    feedbackId: null,
  };
  const sender = { alias, domain };
  await Promise.all([handOver.prepare(sender, letter), handOver.prepare(sender, letter)]);
  await handOver.close();
  expect(opened.sort()).toEqual(["dkim_private_key", "ed25519_private_key", "transport_secret"]);
});

test("a single email whose account cannot be opened has not left: it failed", async () => {
  await query`update mail_aliases set transport_secret = 'v1.x' where id = ${rows.aliasIds[0]}`;
  expect(await WAYS["a single email"]!(sending.api.deps)).toMatch(
    /^failed: The message could not be written/,
  );
  expect(sending.mailbox.wireLog()).toEqual([]);
});

test("a test that bounces is about no message of ours, and changes nothing", async () => {
  await testSend(sending.api.deps);
  const to = sending.mailbox.wireLog()[0]!.envelope.from;
  const report = bounceMail({
    to,
    recipient: "me@inbox.zz",
    status: "5.1.1",
    diagnostic: "550 No",
  });
  expect((await postMail(sending.api, report, to)).body).toMatchObject({
    class: "bounce",
    matched_by: null,
  });
  const suppressed =
    await query`select 1 from suppressions where workspace_id = ${tenant.workspaceId}`;
  expect(suppressed).toEqual([]);
});
