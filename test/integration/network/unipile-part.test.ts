import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Answer, Chat, Page } from "#src/providers/network/index.ts";
import { API_KEY } from "../stack/network-setting.ts";
import { type OpenPart, openPart, unipileAt } from "./setting.ts";

let stack: OpenPart;
let network: ReturnType<typeof unipileAt>;
beforeAll(async () => {
  stack = await openPart();
});
beforeEach(() => {
  network = unipileAt(stack.part.url, { apiKey: API_KEY });
});
afterEach(() => stack.part.faults.clear());
afterAll(() => stack.close());

function valueOf<Value>(answer: Answer<Value>): Value {
  if (answer.ok) return answer.value;
  throw new Error(JSON.stringify(answer.failure));
}
const failureOf = (answer: Answer<unknown>) => (answer.ok ? "done" : answer.failure);

let number = 0;
const unique = (word: string) => `${word}+${number++}@acme.zz`;
const credentials = (word: string) => ({ username: unique(word), password: "correct horse" });

async function connected(word = "ok"): Promise<string> {
  const connection = valueOf(await network.accounts.connect(credentials(word)));
  expect(connection.state).toBe("connected");
  return connection.accountId;
}

/** The id of somebody whom nobody else in these tests deals with. */
async function person(accountId: string, manners: string): Promise<string> {
  return valueOf(await network.people.profile(accountId, `${manners}-${number++}`)).id;
}

describe("accounts", () => {
  test("one that connects is told with its owner", async () => {
    const accountId = await connected("premium");
    const account = valueOf(await network.accounts.get(accountId))!;
    expect(account).toMatchObject({ id: accountId, status: "connected", isPremium: true });
    expect(account.profileUrl).toContain(account.publicIdentifier);
    expect(account.displayName).toMatch(/^\S+ \S+/);
    expect(valueOf(await network.accounts.get(await connected()))?.isPremium).toBe(false);
  });

  test("connected again, the owner is the same and the account another", async () => {
    const given = credentials("ok");
    const first = valueOf(await network.accounts.connect(given)).accountId;
    const second = valueOf(await network.accounts.connect({ ...given, country: "DE" })).accountId;
    const [one, two] = [await network.accounts.get(first), await network.accounts.get(second)];
    expect(first).not.toBe(second);
    expect(valueOf(one)!.personId).toBe(valueOf(two)!.personId);
    expect(failureOf(await network.accounts.reconnect(first, credentials("ok")))).toMatchObject({
      kind: "refused_login",
      reason: "credentials",
    });
    expect(valueOf(await network.accounts.reconnect(first, given))).toEqual({
      state: "connected",
      accountId: first,
    });
  });

  test("after five wrong codes the challenge is over", async () => {
    const { accountId } = valueOf(await network.accounts.connect(credentials("otp")));
    for (let tries = 0; tries < 5; tries++)
      await network.accounts.solveCheckpoint(accountId, "000000");
    const sixth = await network.accounts.solveCheckpoint(accountId, "123456");
    expect(failureOf(sixth)).toMatchObject({ kind: "refused_login", reason: "expired" });
    expect(valueOf(await network.accounts.get(accountId))).toBeNull();
  });

  test("removed, and removed again", async () => {
    const accountId = await connected();
    expect(await network.accounts.remove(accountId)).toEqual({ ok: true, value: null });
    expect(await network.accounts.remove(accountId)).toEqual({ ok: true, value: null });
    expect(await network.accounts.get(accountId)).toEqual({ ok: true, value: null });
    const lists = [
      await network.people.relations(accountId),
      await network.people.sentInvitations(accountId),
      await network.people.profile(accountId, "anna-lind"),
      await network.people.invite(accountId, "person", null),
      await network.chats.list(accountId, { limit: 20, cursor: null }),
      await network.chats.messagesWith(accountId, "person", new Date(0)),
      await network.chats.start(accountId, "person", "Hello"),
      await network.posts.publish(accountId, "Hello", null),
      await network.posts.list(accountId, "person"),
      await network.posts.get(accountId, "7000"),
      await network.people.withdrawInvitation(accountId, "invitation"),
      await network.accounts.reconnect(accountId, credentials("ok")),
    ];
    expect(lists.map((each) => (each.ok ? "done" : each.failure.kind))).toEqual(
      Array(lists.length).fill("account"),
    );
  });
});

describe("people", () => {
  test("a profile by its public identifier and by its id; a visit is seen, a view is not", async () => {
    const accountId = await connected();
    const slug = `mara-lind-${number++}`;
    const found = valueOf(await network.people.profile(accountId, slug));
    expect(found).toMatchObject({
      publicIdentifier: slug,
      isConnected: false,
      isInvited: false,
      headline: expect.any(String),
      name: expect.any(String),
    });
    const visited = await network.people.profile(accountId, found.id, { visit: true });
    expect(valueOf(visited)).toEqual(found);
    const looks = stack.part.acts().filter((each) => each.person === slug);
    expect(looks.map(({ kind }) => kind)).toEqual(["view", "visit"]);
  });

  test("invited, listed, withdrawn, and withdrawn again", async () => {
    const accountId = await connected();
    const personId = await person(accountId, "declines");
    const { invitationId } = valueOf(await network.people.invite(accountId, personId, "Hello"));
    const { items } = valueOf(await network.people.sentInvitations(accountId));
    expect(items).toEqual([
      {
        id: invitationId,
        personId,
        publicIdentifier: expect.any(String),
        sentAt: expect.any(Date),
      },
    ]);
    const profile = await network.people.profile(accountId, personId);
    expect(valueOf(profile)).toMatchObject({ isInvited: true, isConnected: false });
    expect(failureOf(await network.people.invite(accountId, personId, null))).toMatchObject({
      kind: "person",
      reason: "already_invited",
    });
    const { withdrawInvitation } = network.people;
    expect((await withdrawInvitation(accountId, invitationId!)).ok).toBe(true);
    expect((await withdrawInvitation(accountId, invitationId!)).ok).toBe(true);
    expect(valueOf(await network.people.sentInvitations(accountId)).items).toEqual([]);
    expect(stack.part.acts("withdraw").filter(({ account }) => account === accountId)).toHaveLength(
      1,
    );
  });

  test("who accepts is a relation, and cannot be invited again", async () => {
    const accountId = await connected();
    const personId = await person(accountId, "declines");
    const { invitationId } = valueOf(await network.people.invite(accountId, personId, null));
    stack.part.control.accept(invitationId!);
    const { items } = valueOf(await network.people.relations(accountId));
    expect(items).toEqual([
      { personId, publicIdentifier: expect.any(String), since: expect.any(Date) },
    ]);
    expect(valueOf(await network.people.profile(accountId, personId)).isConnected).toBe(true);
    expect(failureOf(await network.people.invite(accountId, personId, null))).toMatchObject({
      reason: "already_connected",
    });
  });

  test("pages follow each other, each once, and for their own account alone", async () => {
    const accountId = await connected();
    stack.part.control.setLimits(accountId, {
      invitations_per_day: null,
      invitations_per_week: null,
    });
    for (let index = 0; index < 101; index++)
      await network.people.invite(accountId, await person(accountId, "declines"), null);
    const first = valueOf(await network.people.sentInvitations(accountId));
    const second = valueOf(await network.people.sentInvitations(accountId, first.nextCursor));
    expect([first.items.length, second.items.length, second.nextCursor]).toEqual([100, 1, null]);
    const ids = new Set([...first.items, ...second.items].map(({ id }) => id));
    expect(ids.size).toBe(101);

    const other = await connected();
    const stolen = await network.people.sentInvitations(other, first.nextCursor);
    expect(failureOf(stolen)).toMatchObject({ kind: "request", code: "foreign_cursor" });
    const elsewhere = await network.people.relations(accountId, first.nextCursor);
    expect(failureOf(elsewhere)).toMatchObject({ kind: "request", code: "foreign_cursor" });
  });
});

describe("chats", () => {
  test("started, gone on, answered; listed with names and last words", async () => {
    const accountId = await connected();
    const personId = await person(accountId, "friend-silent-mara");
    const { chatId } = valueOf(await network.chats.start(accountId, personId, "Hello"));
    const { messageId } = valueOf(await network.chats.send(chatId, "Are you there? 😀 äöü"));
    const again = valueOf(await network.chats.start(accountId, personId, "Once\nmore"));
    expect(again.chatId).toBe(chatId);

    const { publicIdentifier } = valueOf(await network.people.profile(accountId, personId));
    stack.part.control.reply(accountId, publicIdentifier!, "Yes");
    const listed = valueOf(await network.chats.list(accountId, { limit: 20, cursor: null }));
    expect(listed).toEqual({
      items: [
        {
          id: chatId,
          accountId,
          attendee: {
            personId,
            name: expect.any(String),
            profileUrl: expect.stringContaining(publicIdentifier!),
          },
          lastMessage: expect.objectContaining({ direction: "in", text: "Yes", chatId }),
          unreadCount: 1,
          updatedAt: expect.any(Date),
        },
      ],
      nextCursor: null,
    });

    const all = valueOf(await network.chats.messagesWith(accountId, personId, new Date(0)));
    expect(all.map(({ direction, text }) => [direction, text])).toEqual([
      ["in", "Yes"],
      ["out", "Once\nmore"],
      ["out", "Are you there? 😀 äöü"],
      ["out", "Hello"],
    ]);
    const since = all.find(({ id }) => id === messageId)!.sentAt;
    const later = valueOf(await network.chats.messagesWith(accountId, personId, since));
    expect(later.map(({ text }) => text)).toContain("Are you there? 😀 äöü");
    expect(valueOf(await network.chats.get(chatId))).toMatchObject({ id: chatId, accountId });
  });

  test("nothing was ever said to somebody, and there is no such chat", async () => {
    const accountId = await connected();
    const personId = await person(accountId, "mara");
    expect(valueOf(await network.chats.messagesWith(accountId, personId, new Date(0)))).toEqual([]);
    expect(valueOf(await network.chats.get("no-such-chat"))).toBeNull();
    const sent = await network.chats.send("no-such-chat", "Hello");
    expect(failureOf(sent)).toMatchObject({ kind: "request" });
  });

  test("a page of twenty costs three calls, and the next page no more", async () => {
    const accountId = await connected();
    for (let index = 0; index < 45; index++)
      await network.chats.start(
        accountId,
        await person(accountId, "friend-silent"),
        `Hello ${index}`,
      );
    const pages: { calls: number; items: Chat[] }[] = [];
    let cursor: string | null = null;
    do {
      stack.part.log.clear();
      const page: Page<Chat> = valueOf(await network.chats.list(accountId, { limit: 20, cursor }));
      pages.push({ calls: stack.part.log.entries().length, items: page.items });
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect(pages.map(({ calls, items }) => [calls, items.length])).toEqual([
      [3, 20],
      [3, 20],
      [3, 5],
    ]);
    const items = pages.flatMap((page) => page.items);
    expect(new Set(items.map(({ id }) => id)).size).toBe(45);
    expect(items.map(({ lastMessage }) => lastMessage?.text)).toEqual(
      Array.from({ length: 45 }, (_, index) => `Hello ${44 - index}`),
    );
    expect(items.every(({ attendee }) => attendee.name !== null)).toBe(true);
  });
});

describe("posts", () => {
  const image = {
    bytes: Uint8Array.from(
      atob(
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
      ),
      (letter) => letter.charCodeAt(0),
    ),
    contentType: "image/png",
    filename: "pixel.png",
  };

  test("published with an image, listed, read by either id, and gone", async () => {
    const accountId = await connected();
    const { personId } = valueOf(await network.accounts.get(accountId))!;
    const text = "Ten years 😀\n\nöf it";
    const { postId } = valueOf(await network.posts.publish(accountId, text, image));
    const post = valueOf(await network.posts.get(accountId, postId!))!;
    expect(post).toMatchObject({
      id: postId,
      text,
      isRepost: false,
      publishedAt: expect.any(Date),
      impressions: expect.any(Number),
      reactions: expect.any(Number),
      comments: expect.any(Number),
      reposts: expect.any(Number),
    });
    expect(post.attachments).toHaveLength(1);
    expect(valueOf(await network.posts.get(accountId, post.socialId!))?.id).toBe(postId);
    const { items } = valueOf(await network.posts.list(accountId, personId!));
    expect(items.map(({ id }) => id)).toEqual([postId]);
    stack.part.control.removePost(postId!);
    expect(valueOf(await network.posts.get(accountId, postId!))).toBeNull();
  });

  test("the id may be missing, and a count", async () => {
    const accountId = await connected();
    const { personId } = valueOf(await network.accounts.get(accountId))!;
    stack.part.faults.order("post_id_missing", 1);
    expect(valueOf(await network.posts.publish(accountId, "Hello", null))).toEqual({
      postId: null,
    });
    stack.part.faults.order("counter_missing", 1);
    const { items } = valueOf(await network.posts.list(accountId, personId!));
    expect(items[0]).toMatchObject({ text: "Hello", impressions: null, reactions: 0 });
  });

  test("3,001 characters and a file that is no image are requests", async () => {
    const accountId = await connected();
    const { publish } = network.posts;
    expect(failureOf(await publish(accountId, "x".repeat(3001), null))).toMatchObject({
      kind: "request",
    });
    const lie = { ...image, bytes: new TextEncoder().encode("no image") };
    expect(failureOf(await publish(accountId, "Hello", lie))).toMatchObject({ kind: "request" });
  });
});

describe("faults", () => {
  test.each([
    ["down", "down", "unknown"],
    ["unavailable", "down", "down"],
    ["lying", "down", "unknown"],
    ["nonsense", "down", "unknown"],
    ["rate_limited", "limited", "limited"],
    ["provider_error", "down", "unknown"],
    ["timeout", "down", "unknown"],
    ["key_refused", "configuration", "configuration"],
    ["session_lost", "account", "account"],
  ])("%s: a read is %s, an act %s", async (fault, read, act) => {
    const accountId = await connected();
    const personId = await person(accountId, "declines");
    stack.part.faults.order(fault, 1);
    const soon = fault === "rate_limited" ? { retryAfterSeconds: 60 } : {};
    const refused = failureOf(await network.people.relations(accountId));
    expect(refused).toMatchObject({ kind: read, ...soon });
    stack.part.control.setStatus(accountId, "OK");
    stack.part.faults.order(fault, 1);
    const invited = await network.people.invite(accountId, personId, null);
    expect(failureOf(invited)).toMatchObject({ kind: act });
    expect(stack.part.acts("invite").filter(({ account }) => account === accountId)).toEqual([]);
  });

  test("an answer that comes too late", async () => {
    const impatient = unipileAt(stack.part.url, {
      apiKey: API_KEY,
      timeoutsMs: { read: 100, act: 100 },
    });
    const accountId = await connected();
    stack.part.faults.order("slow", 2);
    const [read, act] = [
      await impatient.people.relations(accountId),
      await impatient.posts.publish(accountId, "Hello", null),
    ];
    expect([failureOf(read), failureOf(act)]).toMatchObject([
      { kind: "down" },
      { kind: "unknown" },
    ]);
  });

  test("what was done although its answer was lost is found at the provider", async () => {
    const accountId = await connected();
    const { personId: ownId } = valueOf(await network.accounts.get(accountId))!;
    const [friend, stranger] = [
      await person(accountId, "friend-silent"),
      await person(accountId, "declines"),
    ];
    const since = new Date();
    stack.part.faults.order("lost_answer", 4);
    const lost = [
      await network.people.profile(accountId, stranger, { visit: true }),
      await network.chats.start(accountId, friend, "Said once"),
      await network.people.invite(accountId, stranger, null),
      await network.posts.publish(accountId, "Published once", null),
    ];
    expect(lost.map((each) => (each.ok ? "done" : each.failure.kind))).toEqual(
      Array(4).fill("unknown"),
    );
    expect(stack.part.acts("visit").filter(({ account }) => account === accountId)).toHaveLength(1);
    const said = valueOf(await network.chats.messagesWith(accountId, friend, since));
    expect(said.map(({ text }) => text)).toEqual(["Said once"]);
    expect(valueOf(await network.people.profile(accountId, stranger)).isInvited).toBe(true);
    const posts = valueOf(await network.posts.list(accountId, ownId!));
    expect(posts.items.map(({ text }) => text)).toEqual(["Published once"]);
  });

  test("limits of invitations and messages are limits of the account", async () => {
    const accountId = await connected();
    const [friend, stranger] = [
      await person(accountId, "friend-silent"),
      await person(accountId, "declines"),
    ];
    stack.part.faults.order("limit_reached", 1);
    stack.part.faults.order("limit_exceeded", 1);
    const limited = { kind: "limited", scope: "action" };
    expect(failureOf(await network.people.invite(accountId, stranger, null))).toMatchObject(
      limited,
    );
    expect(failureOf(await network.chats.start(accountId, friend, "Hello"))).toMatchObject(limited);
  });

  test("another key is ours to mend", async () => {
    const { accounts } = unipileAt(stack.part.url, { apiKey: "another-key" });
    expect(failureOf(await accounts.get("account"))).toMatchObject({ kind: "configuration" });
  });
});
