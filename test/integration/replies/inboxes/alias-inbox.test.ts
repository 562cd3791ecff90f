import { describe, expect, test } from "vitest";
import { claimInboxes, recordFailure } from "#db/replies/inbox-reads.ts";
import { meetAtRow } from "../../../support/locks.ts";
import {
  connectInbox,
  PASSWORD,
  provider,
  read,
  rowOf,
  sending,
  sentOne,
  tenant,
  useReading,
} from "./reading-setting.ts";

useReading();

const patch = (id: string, inbox: unknown) =>
  tenant.call("PATCH", `/api/v1/mailer/aliases/${id}`, { inbox });
const get = async (id: string) => (await tenant.call("GET", `/api/v1/mailer/aliases/${id}`)).body;

describe("the inbox of an alias", () => {
  const smtp = { kind: "smtp", host: "127.0.0.1", port: 2525, security: "none" };

  test("comes with it, is shown without its password, sealed, and goes with it", async () => {
    const inbox = { kind: "imap", host: "imap.sender.zz", password: PASSWORD };
    const made = await tenant.call("POST", "/api/v1/mailer/aliases", {
      email: "ann@sender.zz",
      display_name: "Ann",
      transport: smtp,
      inbox,
    });
    expect(made.status).toBe(201);
    expect(made.body.inbox).toEqual({
      kind: "imap",
      host: "imap.sender.zz",
      port: 993,
      security: "tls",
      username: null,
      folder: "INBOX",
      status: "pending",
      last_read_at: null,
      last_error: null,
    });
    expect(made.text).not.toContain(PASSWORD);
    const row = await rowOf(made.body.id);
    expect(row.workspace_id).toBe(tenant.workspaceId);
    expect(row.secret).not.toContain(PASSWORD);
    const [listed] = (await tenant.call("GET", "/api/v1/mailer/aliases")).body;
    expect(listed.inbox).toEqual(made.body.inbox);
    await tenant.call("DELETE", `/api/v1/mailer/aliases/${made.body.id}`);
    expect(await rowOf(made.body.id)).toBeUndefined();
  });

  test("is changed as a whole: the password is kept for the very account it was given for", async () => {
    const { aliasId } = await sentOne();
    const { host, port } = provider.imap;
    const same = { kind: "imap", host, port };
    const before = await rowOf(aliasId);
    expect((await patch(aliasId, { ...same, folder: "Answers" })).status).toBe(200);
    expect((await rowOf(aliasId)).secret).toBe(before.secret);
    const refused = await patch(aliasId, { ...same, username: "else@sender.zz" });
    expect([refused.status, refused.text]).toEqual([
      422,
      expect.stringContaining("Give the password again"),
    ]);
    expect((await rowOf(aliasId)).username).toBeNull();
    // Said out loud: none, as for a login by OAuth.
    expect((await patch(aliasId, { ...same, password: null })).status).toBe(200);
    expect((await rowOf(aliasId)).secret).toBeNull();
    expect((await patch(aliasId, null)).body.inbox).toBeNull();
    expect(await rowOf(aliasId)).toBeUndefined();
  });

  test("another folder is read from its beginning, the same account goes on where it was", async () => {
    const { aliasId, email } = await sentOne();
    await read();
    const before = await rowOf(aliasId);
    expect(before.last_uid).not.toBeNull();
    await connectInbox(aliasId, { password: `${PASSWORD} ` });
    expect((await rowOf(aliasId)).last_uid).toBe(before.last_uid);
    provider.boxes.put(email, "Subject: x\r\n\r\nx", { folder: "Answers" });
    await connectInbox(aliasId, { folder: "Answers" });
    expect(await rowOf(aliasId)).toMatchObject({ last_uid: null, uid_validity: null });
    expect(await read()).toMatchObject({ headers: 1 });
  });

  test("another login at the same host is read from its beginning", async () => {
    const { aliasId } = await sentOne();
    await read();
    expect((await rowOf(aliasId)).last_uid).not.toBeNull();
    await connectInbox(aliasId, { username: "else@sender.zz" });
    expect(await rowOf(aliasId)).toMatchObject({ last_uid: null, uid_validity: null });
  });

  test.each([
    ["a private address", { host: "10.0.0.1" }, 422],
    ["a metadata service", { host: "169.254.169.254" }, 422],
    ["a private name", { host: "imap.internal" }, 422],
    ["a port of another service", { port: 25 }, 422],
    ["no TLS", { security: "none" }, 422],
    ["a folder of two lines", { folder: "a\r\nA1 LOGOUT" }, 422],
    ["a folder of half a letter", { folder: "\ud800" }, 422],
    ["a username of two lines", { username: "a\nb" }, 422],
    ["a password with a NUL", { password: "a\u0000b" }, 422],
  ])("%s is refused", async (_name, more, status) => {
    const { aliasIds } = await sending.campaign(tenant, { leads: 1 });
    const inbox = { kind: "imap", host: "imap.sender.zz", password: PASSWORD, ...more };
    expect((await patch(aliasIds[0]!, inbox)).status).toBe(status);
    expect(await rowOf(aliasIds[0]!)).toBeUndefined();
  });

  test("a name that leads to a private address is not dialled, and its owner is told why", async () => {
    const { aliasIds } = await sending.campaign(tenant, { leads: 1 });
    const [aliasId] = aliasIds as [string];
    sending.api.dns.zones.put("rebound.zz", "imap.rebound.zz A 10.0.0.7");
    await patch(aliasId, { kind: "imap", host: "imap.rebound.zz", password: PASSWORD });
    expect(await read()).toMatchObject({ failed: 1 });
    const { inbox } = await get(aliasId);
    expect(inbox.status).toBe("error");
    expect(inbox.last_error).toContain("this service connects to public hosts only");
  });
});

describe("an inbox that cannot be read", () => {
  const owed = async () =>
    (
      await sending.api.sql.query(
        "select payload from outbox where workspace_id = $1 and kind = 'inbox_failing'",
        [tenant.workspaceId],
      )
    ).rows.map(({ payload }) => payload);
  const due = () => sending.api.sql.query("update inboxes set next_read_at = $1", [new Date()]);

  test("with a refused login is an error in plain words, told once per trouble; sending goes on", async () => {
    const { aliasId, email } = await sentOne(1);
    await connectInbox(aliasId, { password: "wrong" });
    await read();
    await due();
    await read();
    const { inbox, status } = await get(aliasId);
    expect(status).toBe("active");
    expect(inbox).toMatchObject({ status: "error" });
    expect(inbox.last_error).toContain(`refused the login of ${email}`);
    expect(inbox.last_error).not.toContain("wrong");
    expect(await owed()).toEqual([
      { alias_id: aliasId, alias_email: email, why: inbox.last_error },
    ]);
    // It backs off: half an hour, then an hour.
    const row = await rowOf(aliasId);
    expect(new Date(row.next_read_at).getTime() - Date.now()).toBeGreaterThan(50 * 60_000);
    expect(row.failures).toBe(2);

    await connectInbox(aliasId);
    await read();
    expect((await get(aliasId)).inbox).toMatchObject({ status: "ok", last_error: null });
    await connectInbox(aliasId, { password: "wrong" });
    await read();
    expect(await owed()).toHaveLength(2);
  });

  test("because its server is away is tried again, less and less often, and nobody is told", async () => {
    const { aliasId } = await sentOne();
    provider.faults.order("imap_unavailable", 2);
    const waits: number[] = [];
    for (let failures = 0; failures < 2; failures++) {
      await due();
      await read();
      const row = await rowOf(aliasId);
      waits.push(new Date(row.next_read_at).getTime() - Date.now());
    }
    expect(waits[0]).toBeLessThanOrEqual(300_000);
    expect(waits[1]).toBeGreaterThan(290_000);
    expect((await get(aliasId)).inbox.status).toBe("error");
    await due();
    expect(await read()).toMatchObject({ failed: 0 });
    expect((await get(aliasId)).inbox.status).toBe("ok");
    expect(await owed()).toEqual([]);
  });

  test("is counted once, however often one claim of it ends", async () => {
    const { aliasId } = await sentOne();
    const { db, clock } = sending.api.deps;
    const now = clock.now();
    const leaseUntil = new Date(now.getTime() + 60_000);
    const [claim] = (await claimInboxes(db, { now, leaseUntil, limit: 1 })).claims;
    const failed = { position: null, reading: null, error: "away", broken: true };
    const fail = () => recordFailure(db, claim!, { ...failed, nextReadAt: now }, now);
    const lock = "select from inboxes where alias_id = $1 for update";
    await meetAtRow(sending.api.sql, lock, [aliasId], [fail, fail]);
    expect((await rowOf(aliasId)).failures).toBe(1);
  });

  test("because its folder is gone says so", async () => {
    const { aliasId } = await sentOne();
    provider.faults.order("imap_folder_gone", 1);
    await read();
    expect((await get(aliasId)).inbox.last_error).toContain("The folder “INBOX” cannot be opened");
    expect(await owed()).toHaveLength(1);
  });

  test("without a password and a consent says what is lacking", async () => {
    const { aliasId } = await sentOne();
    await connectInbox(aliasId, { password: null });
    await read();
    expect((await get(aliasId)).inbox.last_error).toContain("Nobody has connected this mailbox");
  });
});

describe("the account test", () => {
  const testAlias = async (id: string) =>
    (await tenant.call("POST", `/api/v1/mailer/aliases/${id}/test`)).body;

  test("opens the inbox too, and a good one is read at once", async () => {
    const { aliasId } = await sentOne();
    expect((await testAlias(aliasId)).inbox).toEqual({
      ok: true,
      message: expect.stringContaining("accepted the login"),
    });
    await connectInbox(aliasId, { password: "wrong" });
    await read();
    const answer = await testAlias(aliasId);
    expect(answer).toMatchObject({ ok: true, inbox: { ok: false } });
    expect(answer.inbox.message).toContain("refused the login");
    await connectInbox(aliasId);
    expect((await testAlias(aliasId)).inbox.ok).toBe(true);
    expect((await get(aliasId)).inbox.last_error).toBeNull();
  });
});
