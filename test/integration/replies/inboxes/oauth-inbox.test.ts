import * as tls from "node:tls";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { readDueInboxes } from "#src/domain/replies/inbound/inbox/read-due.ts";
import { createLocalCertificate } from "../../../../scripts/stack/certificate.ts";
import { type Mailbox, startMailbox } from "../../../../scripts/stack/mailbox/mailbox.ts";
import {
  aliasNow,
  at,
  connect,
  connectedAlias,
  oauthAlias,
  tokenCalls,
  useMailOauth,
} from "../../../support/oauth.ts";
import { statements } from "../../../support/statements.ts";

useMailOauth();

let provider: Mailbox;
beforeAll(async () => {
  const certificate = createLocalCertificate();
  tls.setDefaultCACertificates([...tls.rootCertificates, certificate.ca]);
  const { acceptsToken } = at.oauth;
  provider = await startMailbox({ username: "r", password: "p", tls: certificate, acceptsToken });
});
afterAll(() => provider.close());
beforeEach(async () => {
  await at.api.sql.query("delete from inboxes");
});

const inbox = () => ({ kind: "imap", host: provider.imap.host, port: provider.imap.port });
const read = async () => {
  await at.api.sql.query("update inboxes set next_read_at = $1", [new Date()]);
  return readDueInboxes(at.api.deps);
};

const owed = async () =>
  (await at.api.sql.query("select kind from outbox where kind = 'inbox_failing'")).rowCount;

test("an inbox without a password is left alone until its owner consents, and is read at once then", async () => {
  const { body: alias } = await oauthAlias({ inbox: inbox() });
  expect(await read()).toMatchObject({ inboxes: 0 });
  expect((await aliasNow(alias.id)).inbox).toMatchObject({ status: "pending", last_error: null });
  expect(await owed()).toBe(0);
  await at.api.sql.query("update inboxes set next_read_at = 'infinity'");
  provider.boxes.open(alias.email);
  provider.boxes.put(alias.email, "Subject: x\r\n\r\nx");
  at.api.qstash.clear();
  await connect(alias.id, alias.email);
  const asked = at.api.qstash.waiting().filter(({ url }) => url.endsWith("read-inboxes"));
  const named = JSON.stringify({ version: 1, alias_id: alias.id });
  expect(asked.map(({ body }) => body)).toEqual([named]);
  expect(await readDueInboxes(at.api.deps)).toMatchObject({ failed: 0, headers: 1 });
  expect((await aliasNow(alias.id)).inbox).toMatchObject({ status: "ok", last_error: null });
  expect(at.lines.join("\n")).not.toMatch(/Bearer|auth=/);
});

test("an inbox by password waits for nobody's consent, and none heals it", async () => {
  const { body: alias } = await oauthAlias({ inbox: { ...inbox(), password: "another" } });
  expect(await read()).toMatchObject({ inboxes: 1, failed: 1 });
  await connect(alias.id, alias.email);
  expect((await aliasNow(alias.id)).inbox.status).toBe("error");
});

test("without oauth and without a password nobody can be let in, which its owner is told", async () => {
  const { body: alias } = await oauthAlias({ oauth: undefined, inbox: inbox() });
  expect(await read()).toMatchObject({ inboxes: 1, failed: 1 });
  expect((await aliasNow(alias.id)).inbox.last_error).toContain("Nobody has connected");
});

test("a token that the provider does not take any more is renewed once", async () => {
  const alias = await connectedAlias("google", { inbox: inbox() });
  expect(await read()).toMatchObject({ failed: 0 });
  provider.faults.order("imap_auth_refused", 1);
  tokenCalls();
  expect(await read()).toMatchObject({ failed: 0 });
  expect(tokenCalls()).toBe(1);
  provider.faults.order("imap_auth_refused", 2);
  expect(await read()).toMatchObject({ failed: 1 });
  expect(tokenCalls()).toBe(1);
  expect((await aliasNow(alias.id)).inbox.last_error).toContain("Connect the alias by OAuth again");
});

test("an idle inbox costs two statements at most: its login's, and its share of the batch's two", async () => {
  for (let count = 0; count < 3; count++) await connectedAlias("google", { inbox: inbox() });
  await read();
  await at.api.sql.query("update inboxes set next_read_at = $1", [new Date()]);
  const asked = await statements(at.api);
  expect(await readDueInboxes(at.api.deps)).toMatchObject({ inboxes: 3, failed: 0, headers: 0 });
  expect(asked()).toBe(2 + 3);
});

test("a token endpoint that is away is nobody's fault, a consent that ended is its owner's", async () => {
  const alias = await connectedAlias("google", { inbox: inbox() });
  at.api.advance(3_600);
  at.oauth.faults.order("unavailable", 3);
  expect(await read()).toMatchObject({ failed: 1 });
  const broken = async () =>
    (await at.api.sql.query("select broken from inboxes where alias_id = $1", [alias.id])).rows[0]
      .broken;
  expect(await broken()).toBe(false);
  at.oauth.faults.clear();
  at.oauth.faults.order("invalid_grant", 1);
  expect(await read()).toMatchObject({ failed: 1 });
  expect(await broken()).toBe(true);
  expect((await aliasNow(alias.id)).inbox.last_error).toContain(
    "The consent for this mailbox has ended",
  );
});
