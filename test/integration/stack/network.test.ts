import { beforeEach, describe, expect, test } from "vitest";
import {
  API_KEY,
  ask,
  DAY,
  form,
  HOUR,
  MINUTE,
  networkSetting,
  refusal,
} from "./network-setting.ts";

const setting = networkSetting();
let account: string;
beforeEach(async () => {
  account = await setting.connect();
});

const get = (path: string) => setting.call("GET", path);
const profile = (identifier: string, more = "") =>
  get(`users/${encodeURIComponent(identifier)}?account_id=${account}${more}`);
const relations = async () =>
  (await get(`users/relations?account_id=${account}`)).body.items.map(
    ({ public_identifier: slug }) => slug,
  );
const limit = (limits: object) => setting.page("POST", `accounts/${account}/limits`, limits);

describe("a key", () => {
  test("is asked for before anything else", async () => {
    const refused = await ask(`${setting.part.url}/api/v1/nowhere`, "GET", undefined, {});
    expect(refusal(refused)).toBe("401 missing_credentials");
  });
});

describe("a profile", () => {
  test("knows letters of every script", async () => {
    expect((await profile("jürgen-grün")).body).toMatchObject({ first_name: "Jürgen" });
    expect((await profile("田中-太郎")).status).toBe(200);
  });

  test.each(["nobody-at-all", "nobody", "a b", "a/b", "x".repeat(101), "ACoAAx", "<script>"])(
    "%j is nobody's",
    async (slug) => {
      expect(refusal(await profile(slug))).toBe("404 resource_not_found");
    },
  );
});

describe("an invitation", () => {
  test("is listed until it is accepted, and then is a relation", async () => {
    const { body } = await setting.invite(account, "accepts-mara-lind", "Hello");
    const sent = () => get(`users/invite/sent?account_id=${account}`);
    expect((await sent()).body.items).toMatchObject([
      {
        id: body.invitation_id,
        invited_user_public_id: "accepts-mara-lind",
        invitation_text: "Hello",
      },
    ]);
    await setting.advance(6 * HOUR - MINUTE);
    expect(await relations()).toEqual([]);
    await setting.advance(MINUTE);
    expect(await relations()).toEqual(["accepts-mara-lind"]);
    expect((await sent()).body.items).toEqual([]);
  });

  test("that is declined looks like one that waits", async () => {
    const { body } = await setting.invite(account, "declines-tom-berg");
    await setting.page("POST", `invitations/${body.invitation_id}/decline`);
    await setting.advance(30 * DAY);
    const sent = await get(`users/invite/sent?account_id=${account}`);
    expect(sent.body.items).toMatchObject([{ id: body.invitation_id }]);
    expect(await relations()).toEqual([]);
  });

  test("that is withdrawn is never accepted, and there is none to withdraw again", async () => {
    const { body } = await setting.invite(account, "accepts-mara-lind");
    const withdraw = () =>
      setting.call("DELETE", `users/invite/sent/${body.invitation_id}?account_id=${account}`);
    expect((await withdraw()).body).toEqual({ object: "InvitationCanceled" });
    expect(refusal(await withdraw())).toBe("404 resource_not_found");
    await setting.advance(DAY);
    expect(await relations()).toEqual([]);
  });

  test("to somebody who was invited is refused, for three weeks after it was withdrawn", async () => {
    const again = async () => refusal(await setting.invite(account, "declines-tom-berg"));
    const { body } = await setting.invite(account, "declines-tom-berg");
    expect(await again()).toBe("422 already_invited_recently");
    await setting.call("DELETE", `users/invite/sent/${body.invitation_id}?account_id=${account}`);
    expect(await again()).toBe("422 already_invited_recently");
    await setting.advance(21 * DAY);
    expect((await setting.invite(account, "declines-tom-berg")).status).toBe(201);
  });

  test("cannot go to a friend, to somebody unreachable, to oneself or to nobody", async () => {
    const own = (await get(`users/me?account_id=${account}`)).body.public_identifier;
    const refusals = [];
    for (const slug of ["friend-tom-berg", "unreachable-eva-roth", own])
      refusals.push(refusal(await setting.invite(account, slug)));
    const body = { account_id: account, provider_id: "mara-lind" };
    refusals.push(refusal(await setting.call("POST", "users/invite", body)));
    expect(refusals).toEqual([
      "422 already_connected",
      "422 user_unreachable",
      "422 cannot_invite_attendee",
      "422 invalid_recipient",
    ]);
    expect(setting.part.acts("invite")).toEqual([]);
  });

  test.each([
    ["ok@free.zz", 200],
    ["premium@paid.zz", 300],
  ])("of %s has a note of %i characters at most", async (username, longest) => {
    account = await setting.connect(username);
    const tooLong = await setting.invite(account, "mara-lind", "ü".repeat(longest + 1));
    expect(refusal(tooLong)).toBe("400 too_many_characters");
    expect((await setting.invite(account, "mara-lind", "ü".repeat(longest))).status).toBe(201);
  });

  test("has no note left after five in a month, unless the account pays", async () => {
    const premium = await setting.connect("premium@paid.zz");
    for (let at = 0; at < 5; at++) await setting.invite(account, `p-${at}`, "Hello");
    expect(refusal(await setting.invite(account, "p-5", "Hello"))).toBe("422 insufficient_credits");
    expect((await setting.invite(account, "p-5")).status).toBe(201);
    for (let at = 0; at < 6; at++)
      expect((await setting.invite(premium, `p-${at}`, "Hello")).status).toBe(201);
    await setting.advance(30 * DAY);
    expect((await setting.invite(account, "p-6", "Hello")).status).toBe(201);
  });

  test("too many of a day or a week is refused as cannot_resend_yet, until the window has passed", async () => {
    await limit({ invitations_per_day: 2, invitations_per_week: 3 });
    const tries = [];
    for (let at = 0; at < 6; at++) {
      tries.push(refusal(await setting.invite(account, `p-${at}`)).slice(0, 3));
      if (at === 2) await setting.advance(DAY);
    }
    expect(tries).toEqual(["201", "201", "422", "201", "422", "422"]);
    const refused = await setting.invite(account, "p-9");
    expect(refusal(refused)).toBe("422 cannot_resend_yet");
    await setting.advance(7 * DAY);
    expect((await setting.invite(account, "p-9")).status).toBe(201);
  });

  test("counts for the member, whichever session it is sent by", async () => {
    await limit({ invitations_per_day: 1 });
    await setting.invite(account, "p-1");
    const again = await setting.connect();
    expect(refusal(await setting.invite(again, "p-2"))).toBe("422 cannot_resend_yet");
  });
});

describe("a message", () => {
  test("opens a chat, goes on in it, and is answered once", async () => {
    const started = await setting.say(account, "friend-answers-tom-berg", "Hello Tom");
    expect(started).toMatchObject({ status: 201, body: { object: "ChatStarted" } });
    const { chat_id: chat } = started.body;
    const more = await setting.call("POST", `chats/${chat}/messages`, form({ text: "And this" }));
    expect(more).toMatchObject({ status: 201, body: { object: "MessageSent" } });
    await setting.advance(DAY);
    const messages = (await get(`chats/${chat}/messages`)).body.items;
    expect(messages).toMatchObject([
      { is_sender: 0, text: expect.stringMatching(/\w/) },
      { is_sender: 1, text: "And this", id: more.body.message_id },
      { is_sender: 1, text: "Hello Tom", id: started.body.message_id },
    ]);
    expect((await get(`chats?account_id=${account}`)).body.items).toMatchObject([
      { id: chat, unread_count: 1, name: null },
    ]);
    expect((await get(`chats/${chat}`)).body).toMatchObject({
      unread_count: 1,
      lastMessage: { text: messages[0]?.text },
    });
  });

  test("goes to nobody who is not connected, nor by InMail, nor to several", async () => {
    const person = await setting.idOf(account, "friend-tom-berg");
    const start = async (fields: Record<string, string | string[]>) =>
      refusal(
        await setting.call("POST", "chats", form({ account_id: account, text: "x", ...fields })),
      );
    expect([
      refusal(await setting.say(account, "mara-lind", "Hello")),
      refusal(await setting.say(account, "unreachable-friend-eva-roth", "Hello")),
      await start({ attendees_ids: [person], "linkedin[inmail]": "true" }),
      await start({ attendees_ids: [person, person] }),
      await start({ attendees_ids: [person], text: "" }),
      await start({ attendees_ids: [person], text: "x".repeat(8001) }),
      await start({}),
      await start({ attendees_ids: ["tom-berg"] }),
      await start({ attendees_ids: [person], account_id: "none" }),
    ]).toEqual([
      "422 no_connection_with_recipient",
      "422 user_unreachable",
      "422 insufficient_credits",
      "501 missing_feature",
      "400 missing_parameters",
      "400 too_many_characters",
      "400 missing_parameters",
      "422 invalid_recipient",
      "404 resource_not_found",
    ]);
    expect(setting.part.acts("message")).toEqual([]);
  });

  test("is one too many beyond the day's limit, and so is a profile", async () => {
    await limit({ messages_per_day: 1, views_per_day: 3 });
    await setting.say(account, "friend-tom-berg", "One");
    expect(refusal(await setting.say(account, "friend-tom-berg", "Two"))).toBe(
      "422 limit_exceeded",
    );
    await profile("mara-lind");
    expect(refusal(await profile("mara-lind"))).toBe("422 limit_exceeded");
  });
});

describe("lists", () => {
  const said = (items: { text: string }[]) => items.map(({ text }) => text);

  test("of messages go by instants, which the vendor leaves out themselves", async () => {
    const { body } = await setting.say(account, "friend-tom-berg", "First");
    await setting.advance(HOUR);
    const between = new Date().toISOString();
    await setting.advance(HOUR);
    await setting.call("POST", `chats/${body.chat_id}/messages`, form({ text: "Second" }));
    const after = await get(`chats/${body.chat_id}/messages?after=${between}`);
    const before = await get(`messages?account_id=${account}&before=${between}`);
    expect([said(after.body.items), said(before.body.items)]).toEqual([["Second"], ["First"]]);
    const [{ timestamp } = { timestamp: "" }] = after.body.items as unknown as [
      { timestamp: string },
    ];
    const exactly = await get(`messages?account_id=${account}&after=${timestamp}`);
    expect(exactly.body.items).toEqual([]);
  });

  test("have pages whose cursor says itself whose list it is", async () => {
    for (const slug of ["a", "b", "c"]) await setting.say(account, `friend-${slug}`, slug);
    const other = await setting.connect("ok@other.zz");
    const first = (await get(`chats?account_id=${account}&limit=2`)).body;
    const second = (await get(`chats?account_id=${other}&cursor=${first.cursor}`)).body;
    expect(second.items).toMatchObject([{ account_id: account }]);
    expect(second.cursor).toBeNull();
  });

  test("of relations lose and repeat nobody while more are made", async () => {
    for (let at = 0; at < 5; at++) {
      const { body } = await setting.invite(account, `p-${at}`);
      setting.part.control.accept(body.invitation_id);
    }
    const first = (await get(`users/relations?account_id=${account}&limit=3`)).body;
    const { body } = await setting.invite(account, "p-new");
    setting.part.control.accept(body.invitation_id);
    const rest = (await get(`users/relations?account_id=${account}&cursor=${first.cursor}`)).body;
    expect([...first.items, ...rest.items].map((each) => each.public_identifier)).toEqual([
      "p-4",
      "p-3",
      "p-2",
      "p-1",
      "p-0",
    ]);
  });

  test.each([
    "limit=0",
    "limit=251",
    "limit=x",
    "cursor=%%%",
    "cursor=e30=",
    `cursor=${"A".repeat(2000)}`,
    "after=yesterday",
    "before=2026-99-01T00:00:00.000Z",
  ])("refuse %s", async (query) => {
    expect(refusal(await get(`chats?account_id=${account}&${query}`))).toBe(
      "400 invalid_parameters",
    );
  });
});

describe("hostile requests", () => {
  const raw = (body: string, type = "application/json", path = "users/invite") =>
    ask(`${setting.part.url}/api/v1/${path}`, "POST", body, {
      "x-api-key": API_KEY,
      "content-type": type,
    });

  test.each([
    ["no JSON", "{", undefined, "400 malformed_request"],
    ["null", "null", undefined, "400 invalid_parameters"],
    ["a number", "12", undefined, "400 invalid_parameters"],
    ["deep nesting", `${"[".repeat(200_000)}${"]".repeat(200_000)}`, undefined, "400"],
    ["another type", "<x/>", "application/xml", "415 unsupported_media_type"],
    ["a form that is none", "--x", "multipart/form-data; boundary=y", "400 malformed_request"],
    ["a form without boundary", "--x", "multipart/form-data", "400 malformed_request"],
  ])("%s is answered", async (_, body, type, error) => {
    expect(refusal(await raw(body, type))).toContain(error);
    expect((await get(`accounts/${account}`)).status).toBe(200);
  });

  test("with more than the network takes is answered 413", async () => {
    expect(refusal(await raw("x".repeat(31 * 1024 * 1024)))).toBe("413 content_too_large");
  });

  test("with a path that is none is answered, and an unknown account is 404", async () => {
    expect(refusal(await get(`users/%E0%A4%A?account_id=${account}`))).toBe(
      "400 malformed_request",
    );
    expect(refusal(await get("nowhere"))).toBe("404 resource_not_found");
    expect(refusal(await get("users/mara-lind?account_id=none"))).toBe("404 resource_not_found");
    expect(refusal(await get("users/mara-lind"))).toBe("400 missing_parameters");
    const unknown = await setting.call("PUT", "accounts", {});
    expect(refusal(unknown)).toBe("404 resource_not_found");
    expect(unknown.body.detail).toContain("PUT /api/v1/accounts");
  });

  test("in parallel invite somebody once, and never more than the day's", async () => {
    await limit({ invitations_per_day: 5 });
    const same = await Promise.all(
      Array.from({ length: 10 }, () => setting.invite(account, "declines-tom-berg")),
    );
    expect(same.filter(({ status }) => status === 201)).toHaveLength(1);
    await Promise.all(Array.from({ length: 20 }, (_, at) => setting.invite(account, `p-${at}`)));
    expect(setting.part.acts("invite")).toHaveLength(5);
  });
});
