import { describe, expect, test } from "vitest";
import {
  type Answer,
  breaksOff,
  cuts,
  drips,
  floods,
  hangs,
  says,
  startProvider,
  openProvider,
  useProviders,
} from "../mail/http-provider.ts";
import type { UnipileSettings } from "#src/providers/network/unipile.ts";
import { problem, SECRETS, unipileAt } from "./setting.ts";

useProviders();

const credentials = { username: "anna@acme.zz", password: "secret-of-the-test" };
/** For what never ends; whatever does has as long as it takes. */
const impatient = { timeoutsMs: { read: 300, act: 300, login: 300 } };

/** One of each purpose; and all of what is told of its failure. */
async function failuresOf(answer: Answer, more: Partial<UnipileSettings> = {}) {
  const { url } = await openProvider(answer);
  const network = unipileAt(url, more);
  const [read, act, login] = await Promise.all([
    network.people.relations("account-1"),
    network.people.invite("account-1", "person-1", "secret-of-the-test"),
    network.accounts.connect(credentials),
  ]);
  const failures = [read, act, login].map((each) => (each.ok ? null : each.failure));
  expect(JSON.stringify([failures, network.noted])).not.toMatch(/secret-of-the-test|an-api-key/);
  return { failures, ...network.noted };
}

/** The kinds that a read, an act and a login fail with, each with what narrows it. */
async function kindsOf(answer: Answer, more: Partial<UnipileSettings> = {}) {
  const { failures } = await failuresOf(answer, more);
  return failures.map((failure) => {
    if (failure === null) return "done";
    const { kind } = failure;
    const narrower =
      "scope" in failure ? failure.scope : "reason" in failure ? failure.reason : undefined;
    return narrower === undefined ? kind : `${kind} ${narrower}`;
  });
}

const all = (kind: string) => [kind, kind, kind];
const doubtful = ["down", "unknown", "unknown"];

describe("what the API answers to a failure", () => {
  test.each<[status: number, type: string, kinds: string[]]>([
    [422, "cannot_resend_yet", all("limited action")],
    [422, "limit_exceeded", all("limited action")],
    // Of an invitation with a note.
    [422, "insufficient_credits", ["limited action", "limited notes", "limited action"]],
    [429, "too_many_requests", all("limited calls")],
    [401, "missing_credentials", all("configuration")],
    [403, "feature_not_subscribed", all("configuration")],
    [403, "insufficient_privileges", all("configuration")],
    [401, "disconnected_account", ["account", "account", "refused_login expired"]],
    [401, "expired_credentials", ["account", "account", "refused_login credentials"]],
    [401, "invalid_credentials", ["account", "account", "refused_login credentials"]],
    [401, "multiple_sessions", all("account")],
    [403, "account_restricted", all("account")],
    [401, "invalid_checkpoint_solution", ["configuration", "configuration", "refused_login code"]],
    [401, "checkpoint_error", ["account", "account", "refused_login expired"]],
    [422, "already_invited_recently", all("person already_invited")],
    [422, "already_connected", all("person already_connected")],
    [422, "no_connection_with_recipient", all("person not_connected")],
    [422, "user_unreachable", all("person unreachable")],
    [422, "invalid_recipient", all("person not_found")],
    [400, "invalid_parameters", all("request")],
    [400, "too_many_characters", all("request")],
    [501, "not_implemented", all("request")],
    [503, "no_client_session", all("down")],
    [503, "service_unavailable", all("down")],
    [500, "provider_error", doubtful],
    [500, "unexpected_error", doubtful],
    [408, "request_timeout", doubtful],
    [504, "request_timeout", doubtful],
    // Words that we do not know, by their status.
    [400, "new_word", all("request")],
    [401, "new_word", all("configuration")],
    [402, "new_word", all("configuration")],
    [403, "new_word", all("request")],
    [413, "new_word", all("request")],
    [422, "new_word", all("request")],
    [429, "new_word", all("limited calls")],
    [500, "new_word", doubtful],
    [503, "new_word", all("down")],
    [504, "new_word", doubtful],
    // What an object knows of itself is no word of the API.
    [422, "constructor", all("request")],
  ])("%i %s", async (status, type, kinds) => {
    expect(await kindsOf(says(status, problem(status, type)))).toEqual(kinds);
  });

  test("of an account that the provider does not know, the account is to be connected again", async () => {
    const missing = says(404, problem(404, "resource_not_found"));
    expect(await kindsOf(missing)).toEqual(["account", "account", "refused_login expired"]);
  });

  test("says in words when to come back, within a day", async () => {
    const busy = (seconds: string) =>
      failuresOf(says(429, problem(429, "too_many_requests"), { "retry-after": seconds }));
    expect((await busy("60")).failures[0]).toMatchObject({ retryAfterSeconds: 60 });
    expect((await busy("999999999")).failures[0]).toMatchObject({ retryAfterSeconds: 86_400 });
    expect((await busy("soon")).failures[0]).not.toHaveProperty("retryAfterSeconds");
  });

  test("a word that is new is in the log once for each call, and is the code", async () => {
    const { failures, lines } = await failuresOf(says(422, problem(422, "new_word")));
    expect(failures[0]).toMatchObject({ code: "new_word" });
    expect(lines).toEqual(
      Array.from({ length: 2 }, () => ({
        event: "network_failure_of_unknown_type",
        fields: { type: "new_word", status: 422 },
      })),
    );
  });

  test("what somebody types at a login is no code, whatever the provider repeats", async () => {
    const { failures, lines } = await failuresOf(says(422, problem(422, "hunter_two")));
    expect(failures[2]).toMatchObject({ code: "http_422" });
    expect(lines).toHaveLength(2);
  });

  test.each([
    ["of another type", { type: 17 }],
    ["too long", { type: `errors/${"x".repeat(5_000)}` }],
    ["with a key in it", { type: `errors/${SECRETS.apiKey}` }],
    ["no object", "null"],
  ])("a word that is %s is none", async (_, body) => {
    const { failures } = await failuresOf(says(422, body));
    expect(failures.map((each) => each?.code)).toEqual(all("http_422"));
  });
});

describe("what is not the API's answer", () => {
  const html: (status: number) => Answer = (status) => (response) => {
    response.writeHead(status, { "content-type": "text/html" });
    response.end("<!doctype html><title>Just a moment</title>");
  };

  test.each<[string, Answer, string[]]>([
    ["a cut connection", cuts, doubtful],
    ["an answer that breaks off", breaksOff(200), doubtful],
    ["ten megabytes", floods(200, () => {}), doubtful],
    ["a page of HTML", html(200), doubtful],
    ["JSON of another shape", says(200, { object: "Weather" }), doubtful],
    ["JSON of wrong types", says(200, { items: "none", object: 4, account_id: {} }), doubtful],
    ["JSON that is nested without end", says(200, "[".repeat(100_000)), doubtful],
    ["nothing", says(200, ""), doubtful],
    ["a gateway's 502", html(502), doubtful],
    ["a gateway's 504", html(504), doubtful],
    ["a gateway's 503", html(503), all("down")],
    ["a 521 from in front of it", html(521), all("down")],
    ["a 404 of another server", html(404), all("down")],
    ["a wall's 403", html(403), all("configuration")],
    ["a wall's 401", html(401), all("configuration")],
    ["a wall's 429", html(429), all("limited calls")],
    ["a 413 of what stands before it", html(413), all("request")],
    ["a redirect", html(301), all("configuration")],
  ])("%s", async (_, answer, kinds) => {
    expect(await kindsOf(answer)).toEqual(kinds);
  });

  test.each<[string, Answer]>([
    ["no answer", hangs],
    ["an answer that drips", drips(200)],
  ])("%s in time", async (_, answer) => {
    expect(await kindsOf(answer, impatient)).toEqual(doubtful);
  });

  test("of ten megabytes a part is read, and the line is closed", async () => {
    const { promise, resolve } = Promise.withResolvers<number>();
    const { url } = await openProvider(floods(200, resolve));
    await unipileAt(url).people.relations("account-1");
    expect(await promise).toBeLessThan(10 * 1024 * 1024);
  });

  test("nobody there: nothing was done", async () => {
    const { url, close } = await startProvider(hangs);
    await close();
    const { people, noted } = unipileAt(url);
    const answer = await people.invite("account-1", "person-1", null);
    expect(answer).toMatchObject({ ok: false, failure: { kind: "down", code: "unreachable" } });
    expect(noted.troubles).toHaveLength(1);
  });

  test("a look costs nothing, a visit shows: of one whose answer is lost nobody knows", async () => {
    const { url } = await openProvider(cuts);
    const { profile } = unipileAt(url).people;
    const kinds = await Promise.all(
      [false, true].map((visit) => profile("account-1", "mara", { visit })),
    );
    expect(kinds).toMatchObject([{ failure: { kind: "down" } }, { failure: { kind: "unknown" } }]);
  });

  test("a redirect is not followed: the key goes nowhere else", async () => {
    const other = await openProvider(says(200, {}));
    const { url } = await openProvider(says(302, {}, { location: `${other.url}/elsewhere` }));
    await unipileAt(url).people.relations("account-1");
    expect(other.requests).toEqual([]);
  });
});

describe("what is told of trouble", () => {
  test.each([
    ["our key", 401, "missing_credentials", 3],
    ["the provider", 500, "provider_error", 3],
    ["a limit", 422, "cannot_resend_yet", 0],
    ["a person", 422, "user_unreachable", 0],
    ["an account", 401, "multiple_sessions", 0],
  ])("%s", async (_, status, type, count) => {
    const { troubles } = await failuresOf(says(status, problem(status, type)));
    expect(troubles).toHaveLength(count);
  });
});

describe("what leads elsewhere is not asked", () => {
  test.each([
    ["..", "person up"],
    [".", "here"],
    ["", "nobody"],
    ["a/../../accounts", "with a path"],
    ["a\\b", "with a backslash"],
    ["a\u0000b", "with a NUL"],
    ["\ud800", "half of a character"],
    ["x".repeat(501), "without end"],
  ])("%j", async (identifier) => {
    const provider = await openProvider(says(200, {}));
    const { people, chats, accounts, posts } = unipileAt(provider.url);
    const answers = await Promise.all([
      people.profile("account-1", identifier),
      people.withdrawInvitation("account-1", identifier),
      chats.send(identifier, "Hello"),
      chats.messagesWith("account-1", identifier, new Date(0)),
      accounts.get(identifier),
      accounts.remove(identifier),
      posts.get("account-1", identifier),
      posts.list("account-1", identifier),
    ]);
    expect(answers.map((each) => !each.ok && each.failure.kind)).toEqual(Array(8).fill("request"));
    expect(provider.requests).toEqual([]);
  });

  test.each(["me", "relations", "invite"])(
    "%s is an address of the API and nobody",
    async (word) => {
      const provider = await openProvider(says(200, { object: "UserRelationsList", items: [] }));
      const answer = await unipileAt(provider.url).people.profile("account-1", word);
      expect(answer).toMatchObject({ ok: false, failure: { kind: "person", reason: "not_found" } });
      expect(provider.requests).toEqual([]);
    },
  );

  test("what is odd in an id stays one segment of the path", async () => {
    const provider = await openProvider(says(404, problem(404, "resource_not_found")));
    await unipileAt(provider.url).people.profile("account-1", "zoë?account_id=other#x%2e%2e");
    expect(provider.requests[0]!.target).toBe(
      "/api/v1/users/zo%C3%AB%3Faccount_id%3Dother%23x%252e%252e?account_id=account-1",
    );
  });
});
