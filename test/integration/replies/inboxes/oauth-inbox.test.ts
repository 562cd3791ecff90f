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
  testAlias,
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

test("an inbox without a password is read by the alias's consent, once there is one", async () => {
  const { body: alias } = await oauthAlias({ inbox: inbox() });
  expect(await read()).toMatchObject({ failed: 1 });
  expect((await aliasNow(alias.id)).inbox.last_error).toContain("Nobody has connected");
  await connect(alias.id, alias.email);
  expect((await testAlias(alias.id)).inbox).toMatchObject({ ok: true });
  provider.boxes.put(alias.email, "Subject: x\r\n\r\nx");
  expect(await read()).toMatchObject({ failed: 0, headers: 1 });
  expect((await aliasNow(alias.id)).inbox).toMatchObject({ status: "ok", last_error: null });
  expect(at.lines.join("\n")).not.toMatch(/Bearer|auth=/);
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
