import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { NetworkEvent } from "#src/providers/network/index.ts";
import { type HttpProvider, says, startProvider } from "../mail/http-provider.ts";
import { API_KEY } from "../stack/network-setting.ts";
import { type OpenPart, openPart, unipileAt } from "./setting.ts";

let stack: OpenPart;
let receiver: HttpProvider;
let network: ReturnType<typeof unipileAt>;
beforeAll(async () => {
  receiver = await startProvider(says(200, {}));
});
beforeEach(async () => {
  stack = await openPart();
  receiver.requests.length = 0;
  network = unipileAt(stack.part.url, { apiKey: API_KEY });
});
afterEach(() => stack.close());
afterAll(() => receiver.close());

const callback = () => `${receiver.url}/api/v1/socialnet/webhook`;
const webhooks = async () => (await stack.call("GET", "webhooks")).body.items;
const created = async (from = network) => {
  const answer = await from.events.ensureRegistered(callback());
  return answer.ok ? answer.value.created : answer.failure;
};

describe("registering", () => {
  test("makes what is not there, once", async () => {
    expect([await created(), await created()]).toEqual([3, 0]);
    expect(await webhooks()).toHaveLength(3);
  });

  test("leaves others' webhooks alone, those of another address too", async () => {
    const others = { source: "messaging", request_url: "https://other.zz/hook", name: "theirs" };
    await stack.call("POST", "webhooks", others);
    await network.events.ensureRegistered("https://staging.zz/hook");
    expect(await created()).toBe(3);
    expect(await webhooks()).toHaveLength(7);
  });

  test("makes one anew that is switched off or carries another secret, and takes the old one away", async () => {
    await created();
    const rotated = unipileAt(stack.part.url, {
      apiKey: API_KEY,
      webhookSecret: "another-secret-of-the-tests",
    });
    expect([await created(rotated), await created(rotated)]).toEqual([3, 0]);
    expect(await webhooks()).toHaveLength(3);
  });

  test("takes away what two at once made twice", async () => {
    await Promise.all([created(), created()]);
    expect(await created()).toBe(0);
    expect(await webhooks()).toHaveLength(3);
  });

  test("says what is missing, and what failed", async () => {
    const closed = unipileAt(stack.part.url, { apiKey: API_KEY, webhookSecret: null });
    expect(await created(closed)).toMatchObject({ kind: "configuration" });
    stack.part.faults.order("unavailable", 1);
    expect(await created()).toMatchObject({ kind: "down" });
    stack.part.faults.order("lost_answer", 1);
    expect(await created()).toMatchObject({ kind: "unknown" });
    expect(await created()).toBe(2);
  });
});

describe("what arrives", () => {
  /** Each call that the receiver got, in order: whether it is authentic, and what it says. */
  async function told() {
    await stack.part.idle();
    return Promise.all(
      receiver.requests.map(async ({ headers, body }) => ({
        isAuthentic: await network.events.isAuthentic(
          new Headers(Object.entries(headers).map(([name, value]) => [name, String(value)])),
        ),
        type: headers["content-type"],
        events: network.events.eventsOf(body.toString()),
      })),
    );
  }
  const events = async () => (await told()).flatMap((each): NetworkEvent[] => each.events);

  test("is the provider's, says its type, and is read", async () => {
    await created();
    const accountId = await stack.connect();
    stack.part.control.setStatus(accountId, "CREDENTIALS");
    const calls = await told();
    expect(calls).not.toEqual([]);
    for (const { isAuthentic, type } of calls)
      expect([isAuthentic, type]).toEqual([true, "application/json"]);
    const changed = { kind: "account_changed", accountId };
    expect(await events()).toEqual([changed, changed]);
  });

  test("of a conversation, is what the other side says", async () => {
    await created();
    const accountId = await stack.connect();
    const person = await network.people.profile(accountId, "friend-silent-lea");
    const personId = person.ok ? person.value.id : "";
    await network.chats.start(accountId, personId, "Hello");
    stack.part.control.reply(accountId, "friend-silent-lea", "Yes, gladly");
    await stack.part.idle();
    expect(receiver.requests.length).toBeGreaterThan(2);
    const said = (await events()).filter(({ kind }) => kind === "message");
    expect(said).toEqual([
      expect.objectContaining({ accountId, personId, text: "Yes, gladly", at: expect.any(Date) }),
    ]);
  });

  test("of an acceptance, names the person", async () => {
    await created();
    stack.part.control.setManners("declines-mara", { told_after: 0 });
    const accountId = await stack.connect();
    const person = await network.people.profile(accountId, "declines-mara");
    const personId = person.ok ? person.value.id : "";
    const invited = await network.people.invite(accountId, personId, null);
    stack.part.control.accept(invited.ok ? invited.value.invitationId! : "");
    expect((await events()).filter(({ kind }) => kind === "connected")).toEqual([
      {
        kind: "connected",
        accountId,
        personId,
        publicIdentifier: "declines-mara",
        profileUrl: expect.stringContaining("declines-mara"),
      },
    ]);
  });
});

test.each([{}, { "unipile-auth": "" }, { "unipile-auth": "null" }])(
  "without a secret of ours, a call with %j is from nobody",
  async (headers) => {
    const closed = unipileAt(stack.part.url, { webhookSecret: null });
    const given = new Headers(headers as Record<string, string>);
    expect(await closed.events.isAuthentic(given)).toBe(false);
  },
);
