import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { AccountRow } from "#db/network/accounts.ts";
import { startApi, type Tenant, type TestApi } from "../../support/api.ts";
import { signIn, startTestNetwork } from "../../support/network-listener.ts";
import { hear, insertAccount } from "../../support/network-talk.ts";

let network: Awaited<ReturnType<typeof startTestNetwork>>;
let api: TestApi;
let tenant: Tenant;
let account: AccountRow;
let turn = 0;

beforeAll(async () => {
  network = await startTestNetwork();
  api = await startApi(network.env);
});
afterAll(async () => {
  await api.close();
  await network.close();
});
beforeEach(async () => {
  network.faults.clear();
  tenant = await api.tenant();
  account = await connect();
  network.log.clear();
});

async function connect(of = tenant, more: { isDefault?: boolean; status?: string } = {}) {
  const providerAccountId = await signIn(network, `ok+${++turn}@example.zz`);
  return insertAccount(api, of, { providerAccountId, ...more });
}
const send = (body: object, as = tenant) => as.call("POST", "/api/v1/socialnet/message", body);
const chats = (query = "", as = tenant) => as.call("GET", `/api/v1/socialnet/chats${query}`);
/** Whom any account can write to, by turns. */
const friend = () => `friend-silent-${++turn}`;
const said = () =>
  network.acts("message").filter(({ account: by }) => by === account.providerAccountId);
const calls = () => network.log.entries().length;
const conversations = async (as = tenant) =>
  (await as.call("GET", "/api/v1/conversations")).body.items;
const threadOf = async (id: string) =>
  (await tenant.call("GET", `/api/v1/conversations/${id}`)).body.messages;
const useOf = async (id: string) =>
  (await api.sql.query("select used, connections_used from sender_lanes where id = $1", [id]))
    .rows[0];

describe("a message", () => {
  test("to a person by their public identifier is said once, answered, kept in a thread of theirs, and counted", async () => {
    const slug = friend();
    const { status, body } = await send({ identifier: slug, text: "Hello there" });
    expect([status, body]).toEqual([
      200,
      {
        success: true,
        data: {
          message_id: expect.any(String),
          chat_id: expect.any(String),
          sent_at: expect.stringMatching(/Z$/),
        },
        error: null,
      },
    ]);
    expect(said()).toMatchObject([{ text: "Hello there" }]);
    const [conversation, ...others] = await conversations();
    expect([conversation, others]).toMatchObject([
      { channel: "socialnet", lead_id: null, unread: false },
      [],
    ]);
    expect(await threadOf(conversation.id)).toMatchObject([
      { direction: "out", class: "sent", text: "Hello there", to: [expect.stringContaining(slug)] },
    ]);
    expect(await useOf(account.id)).toEqual({ used: 1, connections_used: 0 });
  });

  test("asks the provider once by person, twice by identifier and the first time in a chat", async () => {
    const slug = friend();
    const byIdentifier = await send({ identifier: slug, text: "One" });
    expect(calls()).toBe(2);
    const [{ items }] = [(await chats()).body.data];
    network.log.clear();
    await send({ provider_id: items[0].attendee.provider_id, text: "Two" });
    expect(calls()).toBe(1);
    network.log.clear();
    expect(
      (await send({ chat_id: byIdentifier.body.data.chat_id, text: "Three" })).body.success,
    ).toBe(true);
    expect(calls()).toBe(2);
    await api.settled();
    network.log.clear();
    await send({ chat_id: byIdentifier.body.data.chat_id, text: "Four" });
    expect(calls()).toBe(1);
    // One person, one thread, whatever named them.
    const all = await conversations();
    expect(all).toHaveLength(1);
    expect((await threadOf(all[0].id)).map(({ text }: { text: string }) => text)).toEqual([
      "One",
      "Two",
      "Three",
      "Four",
    ]);
  });

  test("goes to the first target that is given; without any it is 422 and nobody is asked", async () => {
    const { body } = await send({ identifier: friend(), text: "Hello" });
    const first = { chat_id: body.data.chat_id, provider_id: "nobody", identifier: "nobody-here" };
    expect((await send({ ...first, text: "Again" })).body.data.chat_id).toBe(body.data.chat_id);
    network.log.clear();
    for (const none of [{}, { chat_id: null, provider_id: null }])
      expect((await send({ ...none, text: "Hello" })).status).toBe(422);
    for (const text of [undefined, "", " ", "x".repeat(8_001), 7, "a\u0000b"])
      expect((await send({ identifier: "friend-x", text })).status).toBe(422);
    expect(calls()).toBe(0);
    expect((await send({ identifier: friend(), text: "x".repeat(8_000) })).body.success).toBe(true);
  });

  test("that the network refuses is 200 without success, in words, and is neither kept nor counted", async () => {
    for (const identifier of [
      "unreachable-ann",
      "nobody-here",
      "declines-not-connected",
      "me",
      "../../accounts",
      "%2e%2e",
    ]) {
      const { status, body } = await send({ identifier, text: "Hello" });
      expect([identifier, status, body]).toEqual([
        identifier,
        200,
        { success: false, data: null, error: expect.stringMatching(/^[A-Z].*\.$/) },
      ]);
    }
    expect((await send({ provider_id: "no-such-person", text: "Hello" })).body.success).toBe(false);
    network.faults.order("limit_exceeded", 1);
    expect((await send({ identifier: friend(), text: "Hello" })).body).toMatchObject({
      success: false,
    });
    expect(said()).toEqual([]);
    expect(await conversations()).toEqual([]);
    expect((await useOf(account.id)).used).toBe(0);
  });

  test("while the provider is away, or knows our key no more, is 502", async () => {
    const slug = friend();
    for (const fault of ["down", "unavailable", "key_refused", "lying", "nonsense"]) {
      network.faults.order(fault, 1);
      const { status, body } = await send({ identifier: slug, text: "Hello" });
      expect([fault, status, body.detail]).toEqual([fault, 502, "UPSTREAM_ERROR"]);
      network.faults.clear();
    }
    expect(said()).toEqual([]);
  });

  test("is counted beyond the day's cap and not held back by it", async () => {
    await api.sql.query("update sender_lanes set used = 70 where id = $1", [account.id]);
    expect((await send({ identifier: friend(), text: "Hello" })).body.success).toBe(true);
    expect((await useOf(account.id)).used).toBe(71);
  });

  test("after the account's day is over wakes its lane, which begins a new day", async () => {
    await api.sql.query(
      "update sender_lanes set day_from = day_from - interval '1 day', day_until = day_until - interval '1 day', used = 9 where id = $1",
      [account.id],
    );
    await send({ identifier: friend(), text: "Hello" });
    const { rows } = await api.sql.query(
      "select used, next_slot_at from sender_lanes where id = $1",
      [account.id],
    );
    expect(rows[0].used).toBe(9);
    expect(rows[0].next_slot_at).not.toBeNull();
  });
});

describe("an answer that is lost", () => {
  test("is looked up: what was said is said, once", async () => {
    const slug = friend();
    await send({ identifier: slug, text: "Hello" });
    network.faults.order("lost_answer", 1);
    const { status, body } = await send({ identifier: slug, text: "Are you there?" });
    expect([status, body]).toMatchObject([
      200,
      { success: true, data: { message_id: expect.any(String) } },
    ]);
    expect(said()).toHaveLength(2);
    expect((await useOf(account.id)).used).toBe(2);
    const [{ id }] = await conversations();
    expect(await threadOf(id)).toHaveLength(2);
  });

  test("is not taken for said because the same was said just before", async () => {
    const slug = friend();
    const { body: first } = await send({ identifier: slug, text: "Hello" });
    // The profile is found; what follows is not done.
    network.faults.order("provider_error", 1);
    const { body } = await send({ chat_id: first.data.chat_id, text: "Hello" });
    expect(body.detail).toBe("UPSTREAM_ERROR");
    const [{ items }] = [(await chats()).body.data];
    network.faults.order("timeout", 1);
    const lost = await send({ provider_id: items[0].attendee.provider_id, text: "Hello" });
    expect([lost.status, lost.body.message]).toEqual([
      502,
      expect.stringContaining("not in the chat"),
    ]);
    expect(said()).toHaveLength(1);
    expect((await useOf(account.id)).used).toBe(1);
  });

  test("of ten equal messages at once, all lost, gives each its own or none", async () => {
    const slug = friend();
    const { body: first } = await send({ identifier: slug, text: "Hi" });
    network.faults.order("lost_answer", 10);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => send({ chat_id: first.data.chat_id, text: "Same" })),
    );
    const ids = answers.flatMap(({ body }) =>
      body.success === true ? [body.data.message_id] : [],
    );
    expect(new Set(ids).size).toBe(ids.length);
    expect(said()).toHaveLength(11);
  });
});

describe("whose account", () => {
  test("none: 409; not connected: 409; another workspace's or none at all: 404", async () => {
    const other = await api.tenant();
    for (const ask of [
      () => send({ identifier: "friend-x", text: "Hi" }, other),
      () => chats("", other),
    ])
      expect([(await ask()).status, (await ask()).body.detail]).toEqual([
        409,
        "NO_CONNECTED_ACCOUNT",
      ]);
    for (const id of [account.id, crypto.randomUUID()])
      for (const ask of [
        () => send({ account_id: id, identifier: "friend-x", text: "Hi" }, other),
        () => chats(`?account_id=${id}`, other),
      ])
        expect((await ask()).status).toBe(404);
    const asleep = await connect(tenant, { isDefault: false, status: "disconnected" });
    network.log.clear();
    for (const ask of [
      () => send({ account_id: asleep.id, identifier: "friend-x", text: "Hi" }),
      () => chats(`?account_id=${asleep.id}`),
    ])
      expect([(await ask()).status, (await ask()).body.detail]).toEqual([
        409,
        "ACCOUNT_NOT_CONNECTED",
      ]);
    expect(calls()).toBe(0);
  });

  test("a session that turns out to be gone is 409, and the account is known to be disconnected", async () => {
    network.faults.order("session_lost", 1);
    const { status, body } = await send({ identifier: friend(), text: "Hi" });
    expect([status, body.detail]).toEqual([409, "ACCOUNT_NOT_CONNECTED"]);
    await api.settled();
    const { rows } = await api.sql.query("select status from connected_accounts where id = $1", [
      account.id,
    ]);
    expect(rows).toEqual([{ status: "disconnected" }]);
  });

  test("a chat of another account is not found, whoever's it is, and nothing is said in it", async () => {
    const { body } = await send({ identifier: friend(), text: "Not for you" });
    const { chat_id } = body.data;
    // By now it is known whose it is, and with whom.
    expect((await send({ chat_id, text: "Nor for you" })).body.success).toBe(true);
    await api.settled();
    const second = await connect(tenant, { isDefault: false });
    const other = await api.tenant();
    await connect(other);
    expect((await send({ account_id: second.id, chat_id, text: "Not for you" })).status).toBe(404);
    expect((await send({ chat_id, text: "Not for you" }, other)).status).toBe(404);
    expect((await send({ chat_id: "../messages", text: "Not for you" })).body.success).not.toBe(
      true,
    );
    expect(network.acts("message").filter(({ text }) => text === "Not for you")).toHaveLength(1);
  });
});

describe("chats", () => {
  test("come a page at a time, the latest first, each with who it is and what was said last", async () => {
    const people = [friend(), friend(), friend()];
    for (const identifier of people) {
      await send({ identifier, text: `To ${identifier}` });
      api.advance(60);
    }
    const page = await chats("?limit=2");
    expect(page.status).toBe(200);
    expect(page.body.data.items).toMatchObject(
      people
        .toReversed()
        .slice(0, 2)
        .map((slug) => ({
          account_id: account.id,
          attendee: {
            name: expect.stringMatching(/./),
            profile_url: expect.stringContaining(slug),
            provider_id: expect.any(String),
          },
          last_message: { text: `To ${slug}`, direction: "out" },
          unread_count: 0,
        })),
    );
    const rest = await chats(`?limit=2&cursor=${encodeURIComponent(page.body.data.next_cursor)}`);
    expect(rest.body.data).toMatchObject({
      items: [{ last_message: { text: `To ${people[0]}` } }],
      next_cursor: null,
    });
  });

  test("cursors of another account, of ours or not, and made-up ones are 422", async () => {
    for (const identifier of [friend(), friend()]) await send({ identifier, text: "Hi" });
    const cursor = encodeURIComponent((await chats("?limit=1")).body.data.next_cursor);
    const second = await connect(tenant, { isDefault: false });
    const other = await api.tenant();
    await connect(other);
    expect((await chats(`?limit=1&cursor=${cursor}`)).status).toBe(200);
    for (const reply of [
      await chats(`?account_id=${second.id}&cursor=${cursor}`),
      await chats(`?cursor=${cursor}`, other),
      await chats("?cursor=made-up"),
    ])
      expect([reply.status, reply.body.detail]).toEqual([422, "VALIDATION_ERROR"]);
  });

  test("while the provider is away are 502", async () => {
    network.faults.order("down", 1);
    expect((await chats()).status).toBe(502);
  });
});

test("an answer to what was said through the API is owed as a notice, once", async () => {
  const { body } = await send({ identifier: friend(), text: "Hello" });
  const [{ items }] = [(await chats()).body.data];
  const personId = items[0].attendee.provider_id;
  const again = {
    personId,
    chatId: body.data.chat_id,
    messageId: "an-answer",
    text: "Hello yourself",
  };
  await hear(api.deps, account, again);
  await hear(api.deps, account, again);
  const [{ id, unread }, ...others] = await conversations();
  expect([unread, others]).toEqual([true, []]);
  expect(await threadOf(id)).toHaveLength(2);
  const { rows } = await api.sql.query("select kind from outbox where workspace_id = $1", [
    tenant.workspaceId,
  ]);
  expect(rows).toEqual([{ kind: "network_reply" }]);
});

test("the 31st message of a minute is 429", async () => {
  const statuses = [];
  for (let count = 0; count < 31; count++) statuses.push((await send({ text: "Hi" })).status);
  expect(statuses.at(-1)).toBe(429);
});
