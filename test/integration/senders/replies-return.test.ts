import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { receiveMail } from "#src/domain/replies/inbound/receive.ts";
import { createReturnTestTokens } from "#src/domain/senders/return-test-token.ts";
import { holdWarp, releaseWarp } from "../../../scripts/stack/warp.ts";
import { postMail, rawMail } from "../../support/incoming.ts";
import { sending, tenant, useSending } from "../../support/sending.ts";

useSending();
beforeAll(() => {
  holdWarp();
  // When it was asked for is kept in whole seconds.
  wait(1000 - (Date.now() % 1000));
});
afterAll(releaseWarp);
const PATH = "/api/v1/mailer/aliases";
const MINUTE_MS = 60_000;

/** An alias that sends through the mailbox. */
async function makeAlias(change: Record<string, unknown> = {}): Promise<string> {
  const { host, port, username, password } = sending.mailbox.smtp;
  const { status, body } = await tenant.call("POST", PATH, {
    email: `ann-${randomUUID().slice(0, 8)}@sender.zz`,
    display_name: "Ann",
    transport: { kind: "smtp", host, port, security: "none", username, password },
    ...change,
  });
  expect(status).toBe(201);
  return body.id;
}
const read = async (id: string) => (await tenant.call("GET", `${PATH}/${id}`)).body;
const verdict = async (id: string): Promise<string> => (await read(id)).replies_return;
const runTest = async (id: string) => (await tenant.call("POST", `${PATH}/${id}/test`)).body;
const wait = (ms: number) => sending.api.advance(ms / 1000);
const inboundCount = async () =>
  Number((await sending.api.sql.query("select count(*) from conversation_messages")).rows[0].count);

/** The mail that the test sent, as it stood on the wire. */
async function tokenMail(): Promise<{ raw: string; to: string; token: string }> {
  const message = (await sending.mailbox.messages()).at(-1);
  if (message === undefined) throw new Error("no mail went out");
  const raw = await (await fetch(message.raw_url)).text();
  return { raw, to: message.to[0]!, token: message.headers["x-overture-return-test"] as string };
}
const returns = async (raw: string, to: string) => (await postMail(sending.api, raw, to)).body;

describe("the test of an alias", () => {
  test("mails a token from the alias to itself, in plain words, and answers at once", async () => {
    const id = await makeAlias();
    const { email } = await read(id);
    expect(await verdict(id)).toBe("unknown");
    expect(await runTest(id)).toMatchObject({
      ok: true,
      token_mailed_to: email,
      replies_return: "unknown",
    });
    const [message] = await sending.mailbox.messages();
    expect(message).toMatchObject({ from: email, to: [email] });
    expect(message?.text).toContain(
      `checks that replies to ${email} reach Overture. You can delete it.`,
    );
    const { token } = await tokenMail();
    expect(message?.subject).toBe(`Do replies reach Overture? [${token}]`);
    expect(message?.headers["message-id"]).toBe(`<return-test.${token}@sender.zz>`);
    expect(message?.headers["auto-submitted"]).toBe("auto-generated");
    const rows = await sending.api.sql.query("select 1 from emails where alias_id = $1", [id]);
    expect(rows.rowCount).toBe(0);
  });

  test("notes whether it came by TLS, of a mailbox that is read and not of what others forward", async () => {
    const HOP = "Received: from out.relay.zz by mx.office.zz with ESMTPS id 1\r\n";
    const scope = { workspaceId: tenant.workspaceId };
    const tlsOf = async (id: string) =>
      (await sending.api.sql.query("select return_test_tls from mail_aliases where id = $1", [id]))
        .rows[0].return_test_tls;
    for (const [hop, mailbox, tls] of [
      [HOP, scope, true],
      [HOP.replace("ESMTPS", "ESMTP"), scope, false],
      ["", scope, null],
      [HOP, null, null],
    ] as const) {
      const id = await makeAlias();
      await runTest(id);
      const { raw, to } = await tokenMail();
      const bytes = new Uint8Array(Buffer.from(hop + raw));
      await receiveMail(sending.api.deps, bytes, { to }, mailbox);
      expect([await verdict(id), await tlsOf(id)]).toEqual(["yes", tls]);
      // A new test forgets what the last one saw.
      wait(6 * MINUTE_MS);
      await runTest(id);
      expect(await tlsOf(id)).toBeNull();
    }
  });

  test("says yes when the mail has come back, and counts it once", async () => {
    const id = await makeAlias({ reply_to: "team@office.zz" });
    expect((await runTest(id)).token_mailed_to).toBe("team@office.zz");
    const { raw, to } = await tokenMail();
    const messages = await inboundCount();
    expect(await returns(raw, to)).toEqual({
      duplicate: false,
      class: "return_test",
      matched_by: null,
    });
    expect(await verdict(id)).toBe("yes");
    expect((await returns(raw, to)).duplicate).toBe(true);
    wait(60 * MINUTE_MS);
    expect(await verdict(id)).toBe("yes");
    expect(await inboundCount()).toBe(messages);
  });

  test("says no a quarter of an hour later, and yes when it comes later still", async () => {
    const id = await makeAlias();
    await runTest(id);
    wait(15 * MINUTE_MS - 1);
    expect(await verdict(id)).toBe("unknown");
    wait(1);
    expect(await verdict(id)).toBe("no");
    const { raw, to } = await tokenMail();
    await returns(raw, to);
    expect(await verdict(id)).toBe("yes");
  });

  test("mails once in five minutes, whoever asks at once", async () => {
    const id = await makeAlias();
    const reports = await Promise.all([1, 2, 3, 4].map(() => runTest(id)));
    expect(reports.filter(({ token_mailed_to: to }) => to !== null)).toHaveLength(1);
    expect(reports.every(({ ok }) => ok)).toBe(true);
    wait(5 * MINUTE_MS - 1);
    expect((await runTest(id)).token_mailed_to).toBeNull();
    expect(sending.mailbox.transactions).toBe(1);
    wait(1);
    expect((await runTest(id)).token_mailed_to).not.toBeNull();
  });

  test("of another address says nothing of the one to which replies go now", async () => {
    const id = await makeAlias();
    await runTest(id);
    const { raw, to } = await tokenMail();
    await returns(raw, to);
    await tenant.call("PATCH", `${PATH}/${id}`, { reply_to: "other@office.zz" });
    expect(await verdict(id)).toBe("unknown");
    wait(6 * MINUTE_MS);
    await runTest(id);
    // The first mail again, by another way: it is about the address of before.
    await returns(`Received: from elsewhere\r\n${raw}`, to);
    expect(await verdict(id)).toBe("unknown");
  });

  test("waits for nothing where the mail did not go out, and is said no where the address takes none", async () => {
    const deferred = await makeAlias();
    sending.mailbox.faults.order("data_deferred", 1);
    expect(await runTest(deferred)).toMatchObject({ ok: true, token_mailed_to: null });
    const broken = await makeAlias();
    sending.mailbox.faults.order("auth_refused", 1);
    expect(await runTest(broken)).toMatchObject({ ok: false, token_mailed_to: null });
    const refused = await makeAlias({ reply_to: "bounce@office.zz" });
    expect((await runTest(refused)).token_mailed_to).toBe("bounce@office.zz");
    wait(16 * MINUTE_MS);
    expect(await Promise.all([deferred, broken, refused].map(verdict))).toEqual([
      "unknown",
      "unknown",
      "no",
    ]);
  });
});

describe("what comes back", () => {
  /** A test under way: what its mail said. */
  async function underWay() {
    const id = await makeAlias();
    await runTest(id);
    return { id, ...(await tokenMail()) };
  }

  test.each([
    ["all but the subject", /^X-Overture.*\r\n|^Message-ID.*\r\n/gm],
    ["all but its own field", /^Message-ID.*\r\n|^Subject.*\r\n( .*\r\n)*/gm],
    ["all but the Message-ID", /^X-Overture.*\r\n|^Subject.*\r\n( .*\r\n)*/gm],
  ])("counts where forwarding took away %s", async (_, lost) => {
    const { id, raw, to } = await underWay();
    const left = raw.replace(lost, "");
    expect(left).not.toBe(raw);
    expect((await returns(left, to)).class).toBe("return_test");
    expect(await verdict(id)).toBe("yes");
  });

  test("counts by whatever way and case it comes", async () => {
    const { id, token } = await underWay();
    const forwarded = rawMail({
      from: "team@office.zz",
      to: "in@overture.zz",
      subject: `Fwd: Do replies reach Overture? [${token.toUpperCase()}]`,
      body: "FYI",
    });
    await returns(forwarded, "in@overture.zz");
    expect(await verdict(id)).toBe("yes");
  });

  test("is no proof when it is a report or an answer of a machine about it", async () => {
    const { id, token, to } = await underWay();
    const subject = `Undeliverable: Do replies reach Overture? [${token}]`;
    const bounce = rawMail({
      from: "MAILER-DAEMON@office.zz",
      to,
      subject,
      headers: ["Auto-Submitted: auto-replied", "X-Failed-Recipients: ann@sender.zz"],
      body: "550 5.1.1 User unknown",
    });
    const away = rawMail({
      from: "ann@sender.zz",
      to,
      subject: `Automatic reply: Do replies reach Overture? [${token}]`,
      headers: ["Auto-Submitted: auto-replied"],
      body: "I am out of the office.",
    });
    expect((await returns(bounce, to)).class).toBe("bounce");
    expect((await returns(away, to)).class).not.toBe("return_test");
    expect(await verdict(id)).toBe("unknown");
  });

  test("counts out of its workspace's mailbox, also where another workspace has read that mailbox before", async () => {
    const { id, raw, to } = await underWay();
    const other = await sending.api.tenant();
    const readBy = ({ workspaceId }: { workspaceId: string }) =>
      receiveMail(sending.api.deps, new Uint8Array(Buffer.from(raw)), { to }, { workspaceId });
    expect((await readBy(other)).class).not.toBe("return_test");
    expect(await verdict(id)).toBe("unknown");
    expect(await readBy(tenant)).toMatchObject({ class: "return_test", duplicate: false });
    expect(await verdict(id)).toBe("yes");
    expect((await readBy(tenant)).duplicate).toBe(true);
  });

  test("does nothing when the token is forged, changed, of another purpose or of nobody", async () => {
    const { id, token, to } = await underWay();
    const askedAt = new Date(sending.api.deps.clock.now().getTime());
    const changed = `${token.slice(0, 20)}${token[20] === "a" ? "b" : "a"}${token.slice(21)}`;
    const forged = [
      changed,
      "a".repeat(45),
      token.slice(0, 44),
      `${token}a`,
      await createReturnTestTokens(["another secret"]).sign({ aliasId: id, askedAt }),
      await createReturnTestTokens(["tracking-secret-for-tests"]).sign({
        aliasId: randomUUID(),
        askedAt,
      }),
      await createReturnTestTokens(["tracking-secret-for-tests"]).sign({
        aliasId: id,
        askedAt: new Date(0),
      }),
    ];
    for (const each of forged) {
      const mail = rawMail({
        from: "eve@elsewhere.zz",
        to,
        subject: `[${each}]`,
        headers: [`X-Overture-Return-Test: ${each}`],
        body: "Hello",
      });
      expect((await postMail(sending.api, mail, to)).status).toBe(200);
    }
    expect(await verdict(id)).toBe("unknown");
  });
});

test("another tenant's alias is not found, and a new one asks nobody", async () => {
  const id = await makeAlias();
  const other = await sending.api.tenant();
  expect((await other.call("POST", `${PATH}/${id}/test`)).status).toBe(404);
  expect(sending.mailbox.transactions).toBe(0);
});
