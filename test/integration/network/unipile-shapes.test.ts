import { describe, expect, test } from "vitest";
import { openProvider, says, useProviders } from "../mail/http-provider.ts";
import { problem, unipileAt } from "./setting.ts";

/**
 * Answers that the local stack's part does not give, because the vendor's older and newer ones differ: an answer for
 * each address, and 404 for any other.
 */
useProviders();

async function networkOf(answers: Record<string, unknown>) {
  const provider = await openProvider((response, request, arrived) => {
    const { pathname } = new URL(arrived.target, "http://x");
    const found = answers[`${arrived.method} ${pathname.replace("/api/v1/", "")}`];
    const said =
      found === undefined ? says(404, problem(404, "resource_not_found")) : says(200, found);
    said(response, request, arrived);
  });
  const asked = () =>
    provider.requests.map(
      ({ method, target }) =>
        `${method} ${new URL(target, "http://x").pathname.replace("/api/v1/", "")}`,
    );
  return { ...unipileAt(provider.url), asked };
}

const page = { limit: 20, cursor: null };

describe("an account", () => {
  const account = {
    object: "Account",
    type: "LINKEDIN",
    id: "account-1",
    name: "Anna Owner",
    created_at: "2026-11-01T00:00:00.000Z",
    connection_params: {
      im: { id: "ACoAAowner", username: "Anna Owner", premiumContractId: null },
    },
    sources: [{ id: "account-1_MESSAGING", status: "OK" }],
  };
  const own = {
    object: "AccountOwnerProfile",
    provider: "LINKEDIN",
    provider_id: "ACoAAowner",
    first_name: "Anna",
    last_name: "Owner",
    public_identifier: "anna-owner",
    premium: true,
  };

  test("that says little of its owner is completed by the owner's profile", async () => {
    const { accounts, asked } = await networkOf({
      "GET accounts/account-1": account,
      "GET users/me": own,
    });
    expect(await accounts.get("account-1")).toEqual({
      ok: true,
      value: {
        id: "account-1",
        status: "connected",
        personId: "ACoAAowner",
        displayName: "Anna Owner",
        profileUrl: "https://www.linkedin.com/in/anna-owner",
        publicIdentifier: "anna-owner",
        isPremium: true,
      },
    });
    expect(asked()).toEqual(["GET accounts/account-1", "GET users/me"]);
  });

  test("whose owner's profile cannot be had is told as far as it is known", async () => {
    const { accounts } = await networkOf({ "GET accounts/account-1": account });
    expect(await accounts.get("account-1")).toMatchObject({
      ok: true,
      value: { personId: "ACoAAowner", displayName: "Anna Owner", publicIdentifier: null },
    });
  });

  test.each<[string, string[], string]>([
    ["is as well as the worst of its sources", ["OK", "CREDENTIALS", "ERROR"], "disconnected"],
    ["has an error before it is connecting", ["CONNECTING", "ERROR"], "error"],
    ["with a status that is new to us does not act", ["OK", "SLEEPING"], "error"],
    ["with a status that every object knows does not act", ["constructor"], "error"],
    ["without sources is not ready", [], "connecting"],
  ])("%s", async (_, statuses, status) => {
    const sources = statuses.map((each) => ({ id: "s", status: each }));
    const { accounts, asked } = await networkOf({
      "GET accounts/account-1": { ...account, sources },
    });
    expect(await accounts.get("account-1")).toMatchObject({ value: { status } });
    expect(asked()).toEqual(["GET accounts/account-1"]);
  });

  test.each(["CONTRACT_CHOOSER", "QRCODE", "NEW_KIND", "constructor"])(
    "a challenge that cannot be answered here is refused with advice: %s",
    async (type) => {
      const { accounts } = await networkOf({
        "POST accounts": { object: "Checkpoint", account_id: "account-1", checkpoint: { type } },
      });
      const answer = await accounts.connect({ username: "anna@acme.zz", password: "p" });
      expect(answer).toMatchObject({
        ok: false,
        failure: { kind: "request", code: "unknown_checkpoint" },
      });
    },
  );
});

describe("lists", () => {
  test("what cannot be read is left out and counted, and the rest is told", async () => {
    const good = { id: "i-1", invited_user_id: "p-1", parsed_datetime: 1_795_348_800_000 };
    const items = [good, null, 17, {}, { id: "" }, { id: "i 2" }, { ...good, id: "i-3" }];
    const { people, noted } = await networkOf({
      "GET users/invite/sent": { object: "InvitationList", items, cursor: "" },
    });
    expect(await people.sentInvitations("account-1")).toEqual({
      ok: true,
      value: {
        items: ["i-1", "i-3"].map((id) => ({
          id,
          personId: "p-1",
          publicIdentifier: null,
          sentAt: new Date(1_795_348_800_000),
        })),
        nextCursor: null,
      },
    });
    expect(noted.lines).toEqual([
      { event: "network_items_unreadable", fields: { list: "sent", unreadable: 5 } },
    ]);
  });

  test("a cursor that is a number goes on as one", async () => {
    const { people } = await networkOf({
      "GET users/relations": { object: "UserRelationsList", items: [], cursor: 100 },
    });
    const answer = await people.relations("account-1");
    expect(answer).toMatchObject({ value: { nextCursor: expect.stringMatching(/^\S+\.\S+$/) } });
  });

  test("posts may lack counts, authors and attachments", async () => {
    const { posts } = await networkOf({
      "GET users/person-1/posts": {
        object: "PostList",
        items: [
          {
            id: "7000",
            date: "2w",
            attachments: [null, 4, { id: "a-1", type: "img", size: "wide", html: "<script>" }],
            reaction_counter: "many",
            author: null,
          },
        ],
        cursor: null,
      },
    });
    expect(await posts.list("account-1", "person-1")).toMatchObject({
      value: {
        items: [
          {
            id: "7000",
            text: "",
            publishedAt: null,
            author: { id: null, name: null },
            attachments: [{ id: "a-1", type: "img" }],
            reactions: null,
            impressions: null,
          },
        ],
      },
    });
  });
});

describe("chats", () => {
  const chat = (number: number, more: object = {}) => ({
    object: "Chat",
    id: `chat-${number}`,
    account_id: "account-1",
    attendee_provider_id: `person-${number}`,
    name: null,
    timestamp: `2026-11-20T12:00:${String(59 - number).padStart(2, "0")}.000Z`,
    unread_count: 0,
    ...more,
  });
  const message = (number: number, more: object = {}) => ({
    object: "Message",
    id: `message-${number}`,
    chat_id: `chat-${number}`,
    text: `Word ${number}`,
    timestamp: `2026-11-20T12:00:${String(59 - number).padStart(2, "0")}.000Z`,
    is_sender: 0,
    ...more,
  });
  const attendee = (number: number, more: object = {}) => ({
    object: "ChatAttendee",
    provider_id: `person-${number}`,
    name: `Person ${number}`,
    is_self: 0,
    ...more,
  });
  const listed = (object: string, items: unknown[]) => ({ object, items, cursor: null });

  test("of another account are left out, whatever the provider lists", async () => {
    const { chats } = await networkOf({
      "GET chats": listed("ChatList", [chat(1), chat(2, { account_id: "account-2" })]),
    });
    const answer = await chats.list("account-1", page);
    expect(answer).toMatchObject({ value: { items: [{ id: "chat-1" }] } });
    expect(answer.ok && answer.value.items).toHaveLength(1);
  });

  test("what the two lists of the account lack is looked up chat by chat", async () => {
    const { chats, asked } = await networkOf({
      "GET chats": listed("ChatList", [chat(1), chat(2)]),
      "GET messages": listed("MessageList", [message(1), message(1, { id: "event", is_event: 1 })]),
      "GET chat_attendees": listed("ChatAttendeeList", [attendee(1)]),
      "GET chats/chat-2/messages": listed("MessageList", [message(2)]),
      "GET chats/chat-2/attendees": listed("ChatAttendeeList", [
        attendee(0, { is_self: 1 }),
        attendee(2),
      ]),
    });
    expect(await chats.list("account-1", page)).toMatchObject({
      value: {
        items: [
          { attendee: { name: "Person 1" }, lastMessage: { id: "message-1", text: "Word 1" } },
          { attendee: { name: "Person 2" }, lastMessage: { id: "message-2", text: "Word 2" } },
        ],
      },
    });
    expect(asked().toSorted()).toEqual([
      "GET chat_attendees",
      "GET chats",
      "GET chats/chat-2/attendees",
      "GET chats/chat-2/messages",
      // The latest of the account, then those of the time of what is missing.
      "GET messages",
      "GET messages",
    ]);
  });

  test("where nothing more can be had, the chats are told without it, after a limited number of looks", async () => {
    const many = Array.from({ length: 100 }, (_, number) =>
      chat(number % 59, { id: `c-${number}` }),
    );
    const { chats, asked } = await networkOf({ "GET chats": listed("ChatList", many) });
    const answer = await chats.list("account-1", { limit: 100, cursor: null });
    expect(answer.ok && answer.value.items).toHaveLength(100);
    expect(answer.ok && answer.value.items[0]!.lastMessage).toBeNull();
    expect(asked().length).toBeLessThanOrEqual(4 + 30);
  });

  test("the last message may come with the chat, and a name too", async () => {
    const { chats } = await networkOf({
      "GET chats": listed("ChatList", [chat(1, { name: "Bea", lastMessage: message(1) })]),
    });
    expect(await chats.list("account-1", page)).toMatchObject({
      value: { items: [{ attendee: { name: "Bea" }, lastMessage: { id: "message-1" } }] },
    });
  });

  test("with a person are told as one, and none of another account", async () => {
    const { chats } = await networkOf({
      "GET chat_attendees/person-1/chats": listed("ChatList", [
        chat(1),
        chat(2),
        chat(3, { account_id: "account-2" }),
      ]),
      "GET chats/chat-1/messages": listed("MessageList", [message(1), message(9)]),
      "GET chats/chat-2/messages": listed("MessageList", [message(5), { id: "broken" }]),
      "GET chats/chat-3/messages": listed("MessageList", [message(3)]),
    });
    const answer = await chats.messagesWith("account-1", "person-1", new Date(0));
    expect(answer.ok && answer.value.map(({ text }) => text)).toEqual([
      "Word 1",
      "Word 5",
      "Word 9",
    ]);
  });

  test("one of whose chats cannot be read are not told in part", async () => {
    const { chats } = await networkOf({
      "GET chat_attendees/person-1/chats": listed("ChatList", [chat(1), chat(2)]),
      "GET chats/chat-1/messages": listed("MessageList", [message(1)]),
      "GET chats/chat-2/messages": "no list",
    });
    const answer = await chats.messagesWith("account-1", "person-1", new Date(0));
    expect(answer).toMatchObject({ ok: false, failure: { kind: "down" } });
  });

  // The clock of these tests stands at noon of 22 November 2026.
  const justNow = "2026-11-22T11:59:59.000Z";
  const unnamed = {
    "POST chats/chat-1/messages": { object: "MessageSent", message_id: null },
    "POST chats": { object: "ChatStarted", chat_id: null, message_id: null },
    "GET chat_attendees/person-1/chats": listed("ChatList", [chat(1)]),
  };
  const sayings = (items: unknown[]) => ({
    ...unnamed,
    "GET chats/chat-1/messages": listed("MessageList", items),
  });

  test("a message that was taken without a name is the latest of its words", async () => {
    const own = { text: "Hello\r\nyou", timestamp: justNow, is_sender: 1 };
    const { chats } = await networkOf(
      sayings([
        message(7, { ...own, chat_id: "chat-1", text: "Other" }),
        message(8, { ...own, chat_id: "chat-1", is_sender: 0 }),
        message(9, { ...own, chat_id: "chat-1" }),
      ]),
    );
    const named = { ok: true, value: { messageId: "message-9", chatId: "chat-1" } };
    expect(await chats.send("chat-1", "Hello\nyou")).toEqual(named);
    expect(await chats.start("account-1", "person-1", "Hello\r\nyou")).toEqual(named);
  });

  test("one that is not found then is in doubt, and so is one that was said long ago", async () => {
    const long = message(9, { text: "Hello", is_sender: 1, chat_id: "chat-1" });
    for (const items of [[], [long]]) {
      const { chats } = await networkOf(sayings(items));
      for (const answer of [
        await chats.send("chat-1", "Hello"),
        await chats.start("account-1", "person-1", "Hello"),
      ])
        expect(answer).toMatchObject({ ok: false, failure: { kind: "unknown" } });
    }
  });
});

describe("a person", () => {
  const profile = {
    object: "UserProfile",
    provider: "LINKEDIN",
    provider_id: "person-1",
    public_identifier: "zoë-müller",
    first_name: "Zoë",
    last_name: null,
    headline: "Head of Heads",
  };
  const connected = { isConnected: true, isInvited: false };
  const neither = { isConnected: false, isInvited: false };

  test.each<[string, object, object]>([
    ["is connected by degree", { network_distance: "FIRST_DEGREE" }, connected],
    ["is connected by distance", { network_distance: "DISTANCE_1" }, connected],
    ["is connected by the relationship", { is_relationship: true }, connected],
    ["is not in the second degree", { network_distance: "SECOND_DEGREE" }, neither],
    [
      "is invited while that is pending",
      { invitation: { type: "SENT", status: "PENDING" } },
      { isConnected: false, isInvited: true },
    ],
    [
      "is not invited once withdrawn",
      { invitation: { type: "SENT", status: "WITHDRAWN" } },
      neither,
    ],
    [
      "who invites us is not invited",
      { invitation: { type: "RECEIVED", status: "PENDING" } },
      neither,
    ],
    ["with an odd invitation is not invited", { invitation: 4 }, neither],
  ])("%s", async (_, more, is) => {
    const { people } = await networkOf({
      "GET users/zo%C3%AB-m%C3%BCller": { ...profile, ...more },
    });
    expect(await people.profile("account-1", "zoë-müller")).toEqual({
      ok: true,
      value: {
        id: "person-1",
        publicIdentifier: "zoë-müller",
        name: "Zoë",
        profileUrl: "https://www.linkedin.com/in/zo%C3%AB-m%C3%BCller",
        headline: "Head of Heads",
        ...is,
      },
    });
  });

  test("is not there while the account is", async () => {
    const { people } = await networkOf({ "GET accounts/account-1": { id: "account-1" } });
    const nobody = { failure: { kind: "person", reason: "not_found" } };
    expect(await people.profile("account-1", "gone")).toMatchObject(nobody);
    expect(await people.invite("account-1", "gone", null)).toMatchObject(nobody);
    expect((await people.withdrawInvitation("account-1", "gone")).ok).toBe(true);
  });

  test("an invitation that was taken without an id is taken", async () => {
    const { people } = await networkOf({ "POST users/invite": { object: "UserInvitationSent" } });
    expect(await people.invite("account-1", "person-1", null)).toEqual({
      ok: true,
      value: { invitationId: null },
    });
  });
});
