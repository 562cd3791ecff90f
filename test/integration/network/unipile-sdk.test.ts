import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { UnipileClient } from "unipile-node-sdk";
import { type HttpProvider, says, startProvider } from "../mail/http-provider.ts";
import { API_KEY, credentials } from "../stack/network-setting.ts";
import { type OpenPart, openPart, unipileAt } from "./setting.ts";

/**
 * The vendor's published client is the judge of both sides: its validators of what the part answers, and its requests of
 * those of the adapter. Its types judge the part while it is compiled (`scripts/stack/network/sdk-shapes.ts`).
 */
const clientAt = (url: string) =>
  new UnipileClient(url, API_KEY, {
    validateRequestPayload: true,
    validateRequestPayloadLevel: "error",
  });

const pixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

describe("the client's validators take every answer of the part", () => {
  let stack: OpenPart;
  let client: UnipileClient;
  let account_id: string;
  beforeAll(async () => {
    stack = await openPart();
    client = clientAt(stack.part.url);
    account_id = await stack.connect("premium@sdk.zz");
  });
  afterAll(() => stack.close());

  const login = (username: string) => ({ username, password: "correct horse" });

  test.each(["ok", "otp", "2fa", "inapp", "captcha", "phone"])("a login of %s@", async (word) => {
    const answer = await client.account.connectLinkedin(login(`${word}@sdk.zz`));
    expect(answer.object).toBe(word === "ok" ? "AccountCreated" : "Checkpoint");
  });

  test("checkpoints, reconnecting, removing", async () => {
    const { account } = client;
    const challenged = await account.connectLinkedin(login("twice@sdk.zz"));
    const solution = {
      provider: "LINKEDIN",
      account_id: challenged.account_id,
      code: "123456",
    } as const;
    expect((await account.solveCodeCheckpoint(solution)).object).toBe("Checkpoint");
    expect((await account.solveCodeCheckpoint(solution)).object).toBe("AccountCreated");
    const again = { ...login("twice@sdk.zz"), account_id: challenged.account_id };
    expect((await account.reconnectLinkedin(again)).object).toBe("Checkpoint");
    expect((await account.delete(challenged.account_id)).object).toBe("AccountDeleted");
  });

  test("an account", async () => {
    const one = await client.account.getOne(account_id);
    expect(one).toMatchObject({ id: account_id, type: "LINKEDIN" });
  });

  test("profiles, one's own too", async () => {
    const identifier = "mara-lind";
    const profile = await client.users.getProfile({ account_id, identifier });
    expect(profile).toMatchObject({ public_identifier: identifier });
    const own = await client.users.getOwnProfile(account_id);
    expect(own).toMatchObject({ premium: true });
  });

  test("invitations and relations", async () => {
    const { users } = client;
    const { provider_id } = await personOf("declines-mara");
    const sent = await users.sendInvitation({ account_id, provider_id, message: "Hello" });
    const profile = await users.getProfile({ account_id, identifier: "declines-mara" });
    expect(profile).toMatchObject({ invitation: { type: "SENT", status: "PENDING" } });
    const listed = await users.getAllInvitationsSent({ account_id, limit: 5 });
    expect(listed.items.map(({ id }) => id)).toEqual([sent.invitation_id]);
    const { invitation_id } = sent;
    await users.cancelInvitationSent({ account_id, invitation_id });

    const accepted = await users.sendInvitation({
      account_id,
      provider_id: (await personOf("declines-ben")).provider_id,
    });
    stack.part.control.accept(accepted.invitation_id);
    const relations = await users.getAllRelations({ account_id });
    expect(relations.items.map(({ public_identifier }) => public_identifier)).toEqual([
      "declines-ben",
    ]);
  });

  test("chats, messages, attendees", async () => {
    const { messaging } = client;
    const { provider_id } = await personOf("friend-silent-lea");
    const attendees_ids = [provider_id];
    const started = await messaging.startNewChat({ account_id, attendees_ids, text: "Hello" });
    const chat_id = started.chat_id!;
    await messaging.sendMessage({ chat_id, text: "Again" });
    stack.part.control.reply(account_id, "friend-silent-lea", "Yes");
    const chats = [
      (await messaging.getAllChats({ account_id, limit: 10 })).items,
      (await messaging.getAllChatsFromAttendee({ attendee_id: provider_id, account_id })).items,
      [await messaging.getChat(chat_id)],
    ];
    expect(chats.map(([first]) => first?.id)).toEqual([chat_id, chat_id, chat_id]);
    const messages = [
      (await messaging.getAllMessagesFromChat({ chat_id })).items,
      (await messaging.getAllMessages({ account_id })).items,
    ];
    for (const each of messages)
      expect(each.map(({ text }) => text)).toEqual(["Yes", "Again", "Hello"]);
    const attendees = [
      (await messaging.getAllAttendeesFromChat(chat_id)).items,
      (await messaging.getAllAttendees({ account_id })).items,
    ];
    for (const each of attendees)
      expect(each.map((person) => person.provider_id)).toContain(provider_id);
  });

  test("posts", async () => {
    const { users } = client;
    const { public_identifier: identifier } = (await users.getOwnProfile(account_id)) as {
      public_identifier: string;
    };
    const created = await users.createPost({ account_id, text: "Plain" });
    expect(created.object).toBe("PostCreated");
    await users.createPost({ account_id, text: "Pictured", attachments: [["pixel.png", pixel]] });
    const { items } = await users.getAllPosts({ account_id, identifier });
    expect(items.map(({ text }) => text)).toEqual(["Pictured", "Plain"]);
    const post = await users.getPost({ account_id, post_id: items[0]!.social_id });
    expect(post.attachments).toHaveLength(1);
  });

  test("webhooks", async () => {
    const request_url = "https://overture.zz/api/v1/socialnet/webhook";
    const headers = [{ key: "Unipile-Auth", value: "a-webhook-secret-of-the-tests" }];
    const common = { request_url, headers, name: "of the test" };
    const { webhook_id } = await client.webhook.create({ source: "account_status", ...common });
    await client.webhook.create({ source: "messaging", events: ["message_received"], ...common });
    expect((await client.webhook.getAll()).items).toHaveLength(2);
    expect((await client.webhook.delete(webhook_id)).object).toBe("WebhookDeleted");
  });

  test("a refusal is what the client takes for one", async () => {
    const refused = client.users.getProfile({ account_id, identifier: "nobody-here" });
    await expect(refused).rejects.toMatchObject({
      body: { status: 404, type: "errors/resource_not_found" },
    });
  });

  async function personOf(identifier: string) {
    const profile = await client.users.getProfile({ account_id, identifier });
    return profile as typeof profile & { provider_id: string };
  }
});

describe("the adapter asks as the client asks", () => {
  let provider: HttpProvider;
  beforeAll(async () => {
    provider = await startProvider(says(500, {}));
  });
  afterAll(() => provider.close());

  const { username, password } = credentials("anna@acme.zz");
  const disabled_features: ("linkedin_recruiter" | "linkedin_sales_navigator")[] = [
    "linkedin_recruiter",
    "linkedin_sales_navigator",
  ];
  const account_id = "account-1";
  type Network = ReturnType<typeof unipileAt>;
  const since = new Date("2026-11-01T00:00:00Z");
  const image = {
    bytes: new Uint8Array(pixel),
    contentType: "image/png",
    filename: "pixel.png",
  };

  test.each<
    [string, (network: Network) => Promise<unknown>, (client: UnipileClient) => Promise<unknown>]
  >([
    [
      "a login",
      (our) => our.accounts.connect({ username, password }),
      (sdk) => sdk.account.connectLinkedin({ username, password, disabled_features }),
    ],
    [
      "a reconnection",
      (our) => our.accounts.reconnect(account_id, { username, password }),
      (sdk) => sdk.account.reconnectLinkedin({ account_id, username, password, disabled_features }),
    ],
    [
      "a code",
      (our) => our.accounts.solveCheckpoint(account_id, "123456"),
      (sdk) =>
        sdk.account.solveCodeCheckpoint({ provider: "LINKEDIN", account_id, code: "123456" }),
    ],
    ["an account", (our) => our.accounts.get(account_id), (sdk) => sdk.account.getOne(account_id)],
    [
      "a removal",
      (our) => our.accounts.remove(account_id),
      (sdk) => sdk.account.delete(account_id),
    ],
    [
      "a profile",
      (our) => our.people.profile(account_id, "mara"),
      (sdk) => sdk.users.getProfile({ account_id, identifier: "mara" }),
    ],
    [
      "a visit",
      (our) => our.people.profile(account_id, "mara", { visit: true }),
      (sdk) =>
        sdk.users.getProfile(
          { account_id, identifier: "mara" },
          // The client's own `notify` is left out by it.
          { extra_params: { notify: "true" } },
        ),
    ],
    [
      "an invitation",
      (our) => our.people.invite(account_id, "person-1", null),
      (sdk) => sdk.users.sendInvitation({ account_id, provider_id: "person-1" }),
    ],
    [
      "an invitation with a note",
      (our) => our.people.invite(account_id, "person-1", "Grüße"),
      (sdk) => sdk.users.sendInvitation({ account_id, provider_id: "person-1", message: "Grüße" }),
    ],
    [
      "sent invitations",
      (our) => our.people.sentInvitations(account_id),
      (sdk) => sdk.users.getAllInvitationsSent({ account_id, limit: 100 }),
    ],
    [
      "a withdrawal",
      (our) => our.people.withdrawInvitation(account_id, "invitation-1"),
      (sdk) => sdk.users.cancelInvitationSent({ account_id, invitation_id: "invitation-1" }),
    ],
    [
      "relations",
      (our) => our.people.relations(account_id),
      (sdk) => sdk.users.getAllRelations({ account_id, limit: 100 }),
    ],
    [
      "chats",
      (our) => our.chats.list(account_id, { limit: 20, cursor: null }),
      (sdk) => sdk.messaging.getAllChats({ account_id, limit: 20 }),
    ],
    [
      "what was said last in them",
      (our) => our.chats.list(account_id, { limit: 20, cursor: null }),
      (sdk) => sdk.messaging.getAllMessages({ account_id, limit: 250 }),
    ],
    [
      "with whom they are",
      (our) => our.chats.list(account_id, { limit: 20, cursor: null }),
      (sdk) => sdk.messaging.getAllAttendees({ account_id, limit: 250 }),
    ],
    ["a chat", (our) => our.chats.get("chat-1"), (sdk) => sdk.messaging.getChat("chat-1")],
    [
      "chats with somebody",
      (our) => our.chats.messagesWith(account_id, "person-1", since),
      (sdk) =>
        sdk.messaging.getAllChatsFromAttendee({ attendee_id: "person-1", account_id, limit: 5 }),
    ],
    [
      "a message",
      (our) => our.chats.send("chat-1", "Grüße\n😀"),
      (sdk) => sdk.messaging.sendMessage({ chat_id: "chat-1", text: "Grüße\n😀" }),
    ],
    [
      "a new chat",
      (our) => our.chats.start(account_id, "person-1", "Hello"),
      (sdk) =>
        sdk.messaging.startNewChat({ account_id, attendees_ids: ["person-1"], text: "Hello" }),
    ],
    [
      "a post",
      (our) => our.posts.publish(account_id, "Hello", null),
      (sdk) => sdk.users.createPost({ account_id, text: "Hello" }),
    ],
    [
      "a post with an image",
      (our) => our.posts.publish(account_id, "Hello", image),
      (sdk) =>
        sdk.users.createPost({ account_id, text: "Hello", attachments: [["pixel.png", pixel]] }),
    ],
    [
      "posts",
      (our) => our.posts.list(account_id, "person-1"),
      (sdk) => sdk.users.getAllPosts({ account_id, identifier: "person-1", limit: 20 }),
    ],
    [
      "one post",
      (our) => our.posts.get(account_id, "7000"),
      (sdk) => sdk.users.getPost({ account_id, post_id: "7000" }),
    ],
  ])("%s", async (_, adapter, client) => {
    const ours = await asked(() => adapter(unipileAt(provider.url, { apiKey: API_KEY })));
    const theirs = await asked(() => client(clientAt(provider.url)).catch(() => {}));
    expect(theirs).toHaveLength(1);
    expect(ours).toContainEqual(theirs[0]);
  });

  /** What arrived, without what the two may say as they like: the order of things, and a form's boundary. */
  async function asked(call: () => Promise<unknown>) {
    provider.requests.length = 0;
    await call();
    return Promise.all(
      provider.requests.map(async ({ method, target, headers, body }) => {
        const { pathname, searchParams } = new URL(target, provider.url);
        const header = String(headers["content-type"] ?? "");
        const type = header.replace(/;.*/, "");
        return {
          method,
          pathname,
          query: Object.fromEntries(searchParams),
          key: headers["x-api-key"],
          accept: headers["accept"],
          type,
          body: await readable(type, header, body),
        };
      }),
    );
  }

  async function readable(type: string, header: string, body: Buffer) {
    if (type === "") return body.toString();
    if (type === "application/json") {
      // The client repeats what the path says already.
      const { account_id: said, ...rest } = JSON.parse(body.toString());
      return said === account_id && "username" in rest ? rest : { ...rest, account_id: said };
    }
    const form = await new Response(new Uint8Array(body), {
      headers: { "content-type": header },
    }).formData();
    const fields = await Promise.all(
      [...form].map(async ([name, value]) =>
        typeof value === "string"
          ? [name, value]
          : [name, value.name, Buffer.from(await value.arrayBuffer()).toString("base64")],
      ),
    );
    return fields.toSorted(([a], [b]) => a!.localeCompare(b!));
  }
});
