import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { receiveMail } from "#src/domain/replies/inbound/receive.ts";
import { createReturnPathTokens } from "#src/domain/senders/return-path-token.ts";
import { bounceMail } from "../../support/incoming.ts";
import { readNext, sentOne } from "../replies/inboxes/reading-setting.ts";
import {
  alias,
  begin,
  type Box,
  PATH,
  provider,
  read,
  rows,
  seed,
  seen,
  sending,
  tenant,
  TOO_LATE,
  usePlacement,
  work,
} from "./placement-setting.ts";

usePlacement();
beforeEach(async () => void (await rows("delete from inbound_mails")));

const messageIdOf = async (id: string) =>
  (await rows("select message_id from placement_mails where test_id = $1", [id]))[0].message_id;

/** The report that a seed's server refused a mail, as it comes to `to`. */
const returned = (messageId: string, to: string, more: object = {}) =>
  bounceMail({
    to,
    recipient: "seed@drops.zz",
    status: "5.7.1",
    diagnostic: "550 5.7.1 Message rejected as spam",
    originalMessageId: messageId,
    ...more,
  });
const receive = (raw: string, to: string) =>
  receiveMail(sending.api.deps, new TextEncoder().encode(raw), { from: "", to });
const told = async (id: string) =>
  (
    await rows("select * from events where data ->> 'placement_test_id' = $1 order by tx, seq", [
      id,
    ])
  ).map(({ type, data, at }) => ({ type, data, at }));

describe("a test's mail that comes back", () => {
  /** A mail that its relay took, and that no seed has. */
  async function lost(senders?: Box[]) {
    const [sender] = senders ?? [await alias(`ann-${randomUUID()}`, { inbox: false })];
    const where = await seed("drops.zz");
    const { id } = (await begin([sender!], [where])).body;
    await work(id, where);
    return { id, sender: sender!, where, messageId: await messageIdOf(id) };
  }

  test("is bounced with the report's words: by its Message-ID, by its return path, and out of the sender's own inbox", async () => {
    const { id, where, messageId } = await lost();
    const result = await receive(returned(messageId, "ann@sender.zz"), "ann@sender.zz");
    expect(result).toEqual({ duplicate: false, class: "placement_bounce", matchedBy: null });
    expect(await read(id)).toMatchObject({
      status: "done",
      counts: { bounced: 1, missing: 0, unknown: 0, open: 0 },
      results: [
        { status: "bounced", place: null, note: "5.7.1 smtp; 550 5.7.1 Message rejected as spam" },
      ],
    });
    await work(id, where);
    expect((await read(id)).results).toMatchObject([{ status: "bounced" }]);

    const other = await lost();
    const [{ id: mailId }] = await rows("select id from placement_mails where test_id = $1", [
      other.id,
    ]);
    const tokens = createReturnPathTokens(sending.api.deps.settings.trackingSecrets);
    const to = await tokens.address(mailId, "bounces.sender.zz");
    await receive(bounceMail({ ...BARE, to }), to);
    expect((await read(other.id)).results).toMatchObject([{ status: "bounced" }]);

    const bob = await alias("bob");
    const third = await lost([bob]);
    provider.boxes.put(bob.email, returned(third.messageId, bob.email));
    await readNext();
    expect((await read(third.id)).results).toMatchObject([{ status: "bounced" }]);
    expect(await rows("select class, workspace_id from inbound_mails")).toEqual(
      Array.from({ length: 3 }, () => ({ class: "placement_bounce", workspace_id: null })),
    );
  });

  const BARE = {
    recipient: "seed@drops.zz",
    status: "5.1.1",
    diagnostic: "550 5.1.1 User unknown",
  };

  test("suppresses nobody, rests no sender, and is no bounce of a campaign", async () => {
    const { messageId, sender } = await lost();
    const raw = returned(messageId, sender.email, { status: "5.1.1", recipient: "a@drops.zz" });
    await receive(raw, sender.email);
    await receive(returned(messageId, sender.email), sender.email);
    expect(await rows("select 1 from suppressions")).toEqual([]);
    expect(await rows("select 1 from sends where bounced_at is not null")).toEqual([]);
    expect(await rows("select closed_until from sender_lanes where id = $1", [sender.id])).toEqual([
      { closed_until: null },
    ]);
    expect(await rows("select type from events where type = 'email.bounced'")).toEqual([]);
  });

  test("one that was given up as missing is known then; one that was seen stays seen; a delay says nothing", async () => {
    const { id, where, messageId } = await lost();
    await receive(returned(messageId, "a@sender.zz", { action: "delayed" }), "a@sender.zz");
    expect((await read(id)).results).toMatchObject([{ status: "looking" }]);
    for (const seconds of TOO_LATE) {
      sending.api.advance(seconds);
      await work(id, where);
    }
    expect((await read(id)).results).toMatchObject([{ status: "missing" }]);
    await receive(returned(messageId, "a@sender.zz"), "a@sender.zz");
    expect((await read(id)).results).toMatchObject([{ status: "bounced" }]);

    const found = await seen([await alias("bob", { inbox: false })], [await seed("plain.zz")]);
    await receive(returned(await messageIdOf(found.id), "a@sender.zz"), "a@sender.zz");
    expect((await read(found.id)).results).toMatchObject([{ status: "found", note: null }]);
  });

  test("while its worker looks, the look's end changes nothing", async () => {
    const { id, where, messageId } = await lost();
    sending.api.advance(6);
    const open = sending.api.deps.searchMailboxes();
    const slow = {
      ...sending.api.deps,
      searchMailboxes: () => async (account: Parameters<typeof open>[0]) => {
        await receive(returned(messageId, "a@sender.zz"), "a@sender.zz");
        return open(account);
      },
    };
    await work(id, where, slow);
    expect((await read(id)).results).toMatchObject([{ status: "bounced" }]);
  });

  test("out of a mailbox of another workspace, or of a test that was deleted, it changes nothing and leaves no trace", async () => {
    const { id, messageId } = await lost();
    const strangers = await sentOne();
    const other = await sending.api.tenant();
    await rows("update placement_tests set workspace_id = $1 where id = $2", [
      other.workspaceId,
      id,
    ]);
    await rows("update placement_mails set workspace_id = $1 where test_id = $2", [
      other.workspaceId,
      id,
    ]);
    strangers.put(returned(messageId, strangers.email));
    await readNext();
    expect((await other.call("GET", `${PATH}/${id}`)).body.results).toMatchObject([
      { status: "looking" },
    ]);
    expect(await rows("select 1 from inbound_mails")).toEqual([]);
    await other.call("DELETE", `${PATH}/${id}`);
    await receive(returned(messageId, "a@sender.zz"), "a@sender.zz");
    expect(await rows("select state from placement_mails where test_id = $1", [id])).toEqual([
      { state: "unknown" },
    ]);
  });

  test("a hostile report's words are one text of 500 characters", async () => {
    const { id, messageId } = await lost();
    const diagnostic = `550 \0\u202e<script>alert(1)</script> ${"x".repeat(5_000)}`;
    await receive(returned(messageId, "a@sender.zz", { diagnostic }), "a@sender.zz");
    const [{ status, note }] = (await read(id)).results;
    expect([status, note.length <= 500]).toEqual(["bounced", true]);
  });

  test("ten reports of one mail at once are one bounce, and the test is told once", async () => {
    const { id, messageId } = await lost();
    const reports = Array.from({ length: 10 }, (_, index) =>
      receive(returned(messageId, `a${index}@sender.zz`), `a${index}@sender.zz`),
    );
    await Promise.all(reports);
    expect(await told(id)).toMatchObject([
      { type: "placement_test.completed", data: { mails: 1, bounced: 1, inbox: 0 } },
    ]);
  });
});

describe("the end of a test is told", () => {
  test("once, with how many lie where, when the last of its mails has ended", async () => {
    const senders = [await alias("ann", { inbox: false }), await alias("bob", { inbox: false })];
    const [plain, spam] = [await seed("plain.zz"), await seed("spams.zz")];
    const { id } = (await begin(senders, [plain, spam])).body;
    for (const each of [plain, spam]) await work(id, each);
    sending.api.advance(6);
    await work(id, plain);
    expect(await told(id)).toEqual([]);
    await work(id, spam);
    const counts = { mails: 4, inbox: 2, spam: 2, other: 0, missing: 0, bounced: 0 };
    expect(await told(id)).toEqual([
      {
        type: "placement_test.completed",
        data: { placement_test_id: id, ...counts },
        at: expect.toSatisfy((at: Date) => at <= sending.api.deps.clock.now()),
      },
    ]);
    // The feed tells an event once no older transaction of the server runs, other tests' among them.
    await expect
      .poll(async () => {
        const path = "/api/v1/events?types=placement_test.completed";
        return (await tenant.call("GET", path)).body.items;
      })
      .toMatchObject([{ data: counts, actor: { type: "system" } }]);
  });

  test("once where one statement ends several, and not where the test was deleted", async () => {
    const senders = [await alias("ann", { inbox: false }), await alias("bob", { inbox: false })];
    const where = await seed("plain.zz");
    const { id } = (await begin(senders, [where])).body;
    await tenant.call("POST", "/api/v1/leads/erase", { email: where.email });
    expect(await told(id)).toMatchObject([{ data: { mails: 2, inbox: 0 } }]);
    const another = await seed("plain.zz");
    const second = (await begin(senders, [another])).body;
    await work(second.id, another);
    await tenant.call("DELETE", `${PATH}/${second.id}`);
    expect(await told(second.id)).toEqual([]);
  });

  test("of the last two that end at the very same time one tells", async () => {
    const senders = [await alias("ann", { inbox: false }), await alias("bob", { inbox: false })];
    const { id } = (await begin(senders, [await seed("plain.zz")])).body;
    const mails = await rows("select id from placement_mails where test_id = $1", [id]);
    const [first, second] = await Promise.all([
      sending.api.sql.connect(),
      sending.api.sql.connect(),
    ]);
    await Promise.all([first.query("begin"), second.query("begin")]);
    const end = "update placement_mails set state = 'missing', ended_at = now() where id = $1";
    await first.query(end, [mails[0].id]);
    let isDone = false;
    const later = second.query(end, [mails[1].id]).then(() => (isDone = true));
    const waiting = async () =>
      (await rows("select count(*)::int as n from pg_locks where not granted"))[0].n;
    await expect.poll(async () => isDone || (await waiting()) > 0, { timeout: 10_000 }).toBe(true);
    await first.query("commit");
    await later;
    await second.query("commit");
    first.release();
    second.release();
    expect(await told(id)).toHaveLength(1);
  });
});
