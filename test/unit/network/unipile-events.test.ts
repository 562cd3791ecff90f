import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { NetworkEventFault } from "#src/providers/network/index.ts";
import { readEvents } from "#src/providers/network/unipile/events.ts";

const NOW = new Date("2026-11-22T12:00:00Z");
const eventsOf = (body: unknown) =>
  readEvents(typeof body === "string" ? body : JSON.stringify(body), () => NOW);

const message = {
  event: "message_received",
  account_id: "account-1",
  account_type: "LINKEDIN",
  account_info: { type: "LINKEDIN", feature: "classic", user_id: "ACoAAowner" },
  chat_id: "chat-1",
  message_id: "message-1",
  timestamp: "2026-11-22T11:59:00.000Z",
  webhook_name: "overture messages",
  message: "Yes, let us talk",
  sender: {
    attendee_id: "attendee-1",
    attendee_name: "Bea Person",
    attendee_provider_id: "ACoAAperson",
    attendee_profile_url: "https://www.linkedin.com/in/bea-person",
  },
  attendees: [],
};
const read = {
  kind: "message",
  accountId: "account-1",
  chatId: "chat-1",
  messageId: "message-1",
  personId: "ACoAAperson",
  name: "Bea Person",
  profileUrl: "https://www.linkedin.com/in/bea-person",
  text: "Yes, let us talk",
  at: new Date("2026-11-22T11:59:00Z"),
};

describe("a message", () => {
  test("of the other side is told", () => {
    expect(eventsOf(message)).toEqual([read]);
  });

  test.each([
    ["by who is who", { sender: { ...message.sender, attendee_provider_id: "ACoAAowner" } }],
    ["by its mark", { is_sender: true }],
    ["by its mark as a number", { is_sender: 1 }],
  ])("of our own is not, known %s", (_, more) => {
    expect(eventsOf({ ...message, ...more })).toEqual([]);
  });

  test("whose sender and account are both not named is no own one", () => {
    const { sender: _, account_info: __, ...rest } = message;
    expect(eventsOf(rest)).toEqual([{ ...read, personId: null, name: null, profileUrl: null }]);
  });

  test("without words, such as a picture, is a message still", () => {
    expect(eventsOf({ ...message, message: null })).toEqual([{ ...read, text: "" }]);
  });

  test("without an instant that can be read came now", () => {
    expect(eventsOf({ ...message, timestamp: "soon" })).toEqual([{ ...read, at: NOW }]);
  });

  test("loses what no database takes", () => {
    expect(eventsOf({ ...message, message: "a\0b\ud83d" })).toEqual([
      { ...read, text: "ab\ufffd" },
    ]);
  });
});

test("a new relation is told", () => {
  const relation = {
    event: "new_relation",
    account_id: "account-1",
    account_type: "LINKEDIN",
    webhook_name: "overture relations",
    user_full_name: "Bea Person",
    user_provider_id: "ACoAAperson",
    user_public_identifier: "bea-person",
    user_profile_url: "https://www.linkedin.com/in/bea-person/",
  };
  expect(eventsOf(relation)).toEqual([
    {
      kind: "connected",
      accountId: "account-1",
      personId: "ACoAAperson",
      publicIdentifier: "bea-person",
      profileUrl: "https://www.linkedin.com/in/bea-person/",
    },
  ]);
});

test.each(["OK", "CREDENTIALS", "DELETED", "a word that is new"])(
  "a change of an account is told without what it says: %s",
  (word) => {
    const body = {
      AccountStatus: { account_id: "account-1", account_type: "LINKEDIN", message: word },
    };
    expect(eventsOf(body)).toEqual([{ kind: "account_changed", accountId: "account-1" }]);
  },
);

test.each([
  [{ event: "message_read", account_id: "account-1" }],
  [{ event: "message_reaction" }],
  [{ event: 17 }],
  [{ event: { message_received: true } }],
  [{}],
  [{ hello: "world" }],
])("%j is none of ours", (body) => {
  expect(eventsOf(body)).toEqual([]);
});

describe("what cannot be read", () => {
  test.each([
    ["nothing", ""],
    ["no JSON", "hello"],
    ["null", "null"],
    ["a list", "[]"],
    ["a number", "17"],
    ["a text", `"${"x".repeat(100)}"`],
    ["what opens and never closes", "[".repeat(200_000)],
    ["a deep list", `${"[".repeat(200_000)}${"]".repeat(200_000)}`],
    ["two megabytes", JSON.stringify({ ...message, pad: "x".repeat(2_000_000) })],
    ["an account that is a number", JSON.stringify({ ...message, account_id: 17 })],
    ["an id with a space", JSON.stringify({ ...message, chat_id: "a b" })],
    ["words that are an object", JSON.stringify({ ...message, message: { deep: [] } })],
    ["a message without anything", JSON.stringify({ event: "message_received" })],
    ["a relation with nobody", JSON.stringify({ event: "new_relation", account_id: "a" })],
    ["a status that is a text", JSON.stringify({ AccountStatus: "OK" })],
    ["no status", JSON.stringify({ AccountStatus: null })],
  ])("%s", (_, body) => {
    expect(() => eventsOf(body)).toThrow(NetworkEventFault);
  });

  test("a deep field that nobody reads does not matter", () => {
    const deep = `${'{"a":'.repeat(5_000)}1${"}".repeat(5_000)}`;
    const body = `${JSON.stringify(message).slice(0, -1)},"deep":${deep}}`;
    expect(eventsOf(body)).toEqual([read]);
  });

  test("what is told of it repeats nothing of it", () => {
    const secret = "words-of-a-person";
    expect(() => eventsOf({ ...message, chat_id: `${secret} ${secret}` })).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining(secret) }),
    );
  });

  test("whatever it is: events, or that fault", () => {
    const field = fc.oneof(fc.anything(), fc.constantFrom("account-1", null, 1, true, ""));
    const body = fc.record(
      Object.fromEntries(
        [...Object.keys(message), "AccountStatus", "user_provider_id", "is_sender"].map((key) => [
          key,
          key === "event" ? fc.constantFrom("message_received", "new_relation", "x") : field,
        ]),
      ),
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(body, (given) => {
        let text: string;
        try {
          text = JSON.stringify(given);
        } catch {
          return;
        }
        try {
          expect(Array.isArray(readEvents(text, () => NOW))).toBe(true);
        } catch (error) {
          expect(error).toBeInstanceOf(NetworkEventFault);
        }
      }),
    );
  });
});
