import { describe, expect, test } from "vitest";
import type { HttpAccount, MailgunAccount, SesAccount } from "#src/providers/mail/index.ts";
import { createHttpTransports } from "#src/providers/mail/http-transport.ts";
import { awsRefusal } from "../../support/aws-verifier.ts";
import {
  type Answer,
  breaksOff,
  cuts,
  drips,
  floods,
  hangs,
  type HttpProvider,
  inTurn,
  says,
  openProvider,
  useProviders,
} from "./http-provider.ts";
import { patience } from "../../support/patience.ts";

useProviders();

const now = new Date("2026-03-04T05:06:07Z");
const transports = (timeoutMs = 5_000) =>
  createHttpTransports({ fetch: globalThis.fetch, now: () => now, timeoutMs });

const sesKey = { accessKeyId: "AKIAEXAMPLEEXAMPLE01", secretAccessKey: "s3cret/Key+Of/Sender" };
const sesAt = ({ url }: Pick<HttpProvider, "url">): SesAccount => ({
  kind: "ses",
  region: "eu-west-1",
  ...sesKey,
  endpoint: url,
});
const mailgunAt = ({ url }: Pick<HttpProvider, "url">): MailgunAccount => ({
  kind: "mailgun",
  domain: "mg.sender.zz",
  region: "eu",
  apiKey: "key-0123456789abcdef",
  endpoint: url,
});
const accounts = [
  ["Amazon SES", sesAt],
  ["Mailgun", mailgunAt],
] as const;

const letter = (changes: Partial<{ from: string; to: string; raw: Uint8Array }> = {}) => ({
  id: "message-1",
  from: "me@sender.zz",
  to: "lead@example.zz",
  raw: new TextEncoder().encode("To: lead@example.zz\r\nSubject: x\r\n\r\nHello\r\n"),
  ...changes,
});

/** Every byte there is, and what a careless multipart or text step would change. */
const trickyBytes = new Uint8Array([
  ...new TextEncoder().encode("To: a@b.zz\r\nCc: c@d.zz\r\nSubject: =?utf-8?Q?=C3=A9?=\r\n\r\n"),
  ...Array.from({ length: 256 }, (_, byte) => byte),
  ...new TextEncoder().encode("\r\n.\r\n--boundary--\r\n\ufeff\r\nno newline at the end"),
]);

async function sendTo(answer: Answer, accountAt: (at: HttpProvider) => HttpAccount) {
  const at = await openProvider(answer);
  return { at, result: await transports().send(accountAt(at), letter()) };
}

async function checkAt(answer: Answer, accountAt: (at: HttpProvider) => HttpAccount) {
  const at = await openProvider(answer);
  return { at, report: await transports().check(accountAt(at)) };
}

const unknown = { state: "unknown" };
const limited = { state: "deferred", scope: "sender" };
const down = { state: "deferred", scope: "connection" };
const rejected = (scope: "message" | "recipient") => ({ state: "rejected", scope });
const owner = (words: string) => ({ ...limited, accountError: expect.stringContaining(words) });

describe("Amazon SES", () => {
  const sesError = (status: number, type: string, message: string) =>
    says(status, { message }, { "x-amzn-errortype": `${type}:http://internal.amazon.com/` });

  test("gets the message byte for byte, for one recipient, with a signature that holds", async () => {
    const at = await openProvider(says(200, { MessageId: "0102018e-000000" }));
    const result = await transports().send(sesAt(at), letter({ raw: trickyBytes }));
    expect(result).toEqual({
      state: "accepted",
      reply: "200 0102018e-000000",
      providerId: "0102018e-000000",
      messageId: "0102018e-000000@eu-west-1.amazonses.com",
    });
    expect(at.requests).toHaveLength(1);
    const [request] = at.requests;
    expect(request).toMatchObject({ method: "POST", target: "/v2/email/outbound-emails" });
    expect(request!.headers["x-amz-date"]).toBe("20260304T050607Z");
    const scope = { ...sesKey, region: "eu-west-1", service: "ses" };
    expect(awsRefusal(request!, sesKey.secretAccessKey, scope)).toBeNull();
    const { Content, ...envelope } = JSON.parse(request!.body.toString("utf8"));
    expect(envelope).toEqual({
      FromEmailAddress: "me@sender.zz",
      Destination: { ToAddresses: ["lead@example.zz"] },
    });
    expect(Buffer.from(Content.Raw.Data, "base64")).toEqual(Buffer.from(trickyBytes));
  });

  test.each([
    [400, "MessageRejected", "Illegal attachment", rejected("message")],
    [
      400,
      "MessageRejected",
      "Email address is not verified. The following identities failed the check in region EU-WEST-1: me@sender.zz",
      owner("sandbox"),
    ],
    [
      400,
      "MailFromDomainNotVerifiedException",
      "mail from domain not verified",
      owner("MAIL FROM"),
    ],
    [400, "AccountSuspendedException", "suspended", owner("support")],
    [400, "SendingPausedException", "paused", owner("resumed")],
    [400, "LimitExceededException", "too many", limited],
    [429, "TooManyRequestsException", "Too many", limited],
    [400, "ThrottlingException", "Maximum sending rate exceeded.", limited],
    [503, "ThrottlingException", "Rate exceeded", limited],
    [400, "", "Daily message quota exceeded", limited],
    [400, "BadRequestException", "Missing final '@domain'", rejected("recipient")],
    [400, "BadRequestException", "Invalid MIME", rejected("message")],
    [404, "NotFoundException", "no such configuration set", owner("lacks")],
    [403, "UnrecognizedClientException", "The security token is invalid", owner("does not know")],
    [403, "InvalidSignatureException", "The signature does not match", owner("secret access key")],
    [403, "InvalidSignatureException", "Signature expired: 20260304T050607Z is earlier", down],
    [403, "RequestExpired", "too late", down],
    [400, "ExpiredTokenException", "expired", owner("has expired")],
    [
      403,
      "AccessDeniedException",
      "not authorized to perform 'ses:SendRawEmail'",
      owner("ses:SendEmail and"),
    ],
    [403, "", "forbidden by some rule", owner("refused the account's key")],
    [413, "", "too large", rejected("message")],
    [422, "", "unprocessable", rejected("message")],
    [500, "InternalFailure", "internal", unknown],
    [502, "", "bad gateway", unknown],
    [503, "ServiceUnavailable", "try later", down],
    [504, "", "gateway timeout", unknown],
    [520, "", "cloudflare: no sense in the answer", unknown],
    [521, "", "cloudflare: refused", down],
    [522, "", "cloudflare: timed out", unknown],
    [530, "", "cloudflare: no such name", down],
    [302, "", "elsewhere", down],
  ])("an answer of %i %s (%s) is %o", async (status, type, message, expected) => {
    const { at, result } = await sendTo(sesError(status, type, message), sesAt);
    expect(result).toMatchObject(expected);
    expect("accountError" in result).toBe("accountError" in expected);
    if (result.state === "deferred" || result.state === "rejected")
      expect(result).toMatchObject({
        code: status,
        reply: `${status} ${type === "" ? message : `${type}: ${message}`}`,
      });
    expect(JSON.stringify(result)).not.toContain(sesKey.secretAccessKey);
    expect(at.requests).toHaveLength(1);
  });

  test("the name of an error counts where it is in the body only, qualified", async () => {
    const body = { __type: "com.amazonaws.sesv2#SendingPausedException", message: "paused" };
    const { result } = await sendTo(says(400, body), sesAt);
    expect(result).toMatchObject({
      state: "deferred",
      reply: "400 SendingPausedException: paused",
    });
    expect(result).toHaveProperty("accountError");
  });

  test("takes no address beyond ASCII: such a message is refused here", async () => {
    const at = await openProvider(says(200, { MessageId: "1" }));
    expect(await transports().send(sesAt(at), letter({ to: "jö@example.zz" }))).toMatchObject({
      state: "rejected",
      scope: "recipient",
      enhanced: "5.6.7",
      stage: "local",
    });
    expect(at.requests).toHaveLength(0);
  });

  test.each([
    ["region", { region: "evil.example/?" }],
    ["access key", { accessKeyId: "AKIA\r\nx: y" }],
  ])("a malformed %s is the owner's to mend, and nothing is said", async (_, change) => {
    const at = await openProvider(says(200, { MessageId: "1" }));
    const account = { ...sesAt(at), ...change };
    const result = await transports().send(account, letter());
    expect(result).toMatchObject({ state: "deferred", stage: "local" });
    expect(result).toHaveProperty("accountError");
    expect(await transports().check(account)).toMatchObject({ ok: false, stage: "auth" });
    expect(at.requests).toHaveLength(0);
  });

  const healthy = {
    SendingEnabled: true,
    ProductionAccessEnabled: true,
    EnforcementStatus: "HEALTHY",
    SendQuota: { Max24HourSend: 50_000, MaxSendRate: 14, SentLast24Hours: 120 },
  };

  test.each([
    [{}, true, "120 sent in 24 hours of 50000 a day, at most 14 a second"],
    [{ ProductionAccessEnabled: false }, true, "sandbox"],
    [{ EnforcementStatus: "PROBATION" }, true, "review"],
    [{ SendQuota: undefined }, true, "no mail was sent"],
    [{ SendQuota: { ...healthy.SendQuota, Max24HourSend: -1 } }, true, "without a daily limit"],
    [{ SendingEnabled: false }, false, "paused or disabled"],
    [{ EnforcementStatus: "SHUTDOWN" }, false, "shut down"],
  ])("an account that says %o: ok is %s, in plain words", async (state, ok, words) => {
    const { at, report } = await checkAt(says(200, { ...healthy, ...state }), sesAt);
    expect(report).toMatchObject({ ok, stage: ok ? "ready" : "auth" });
    expect(report.message).toContain(words);
    const [request] = at.requests;
    expect(request).toMatchObject({ method: "GET", target: "/v2/email/account" });
    const scope = { ...sesKey, region: "eu-west-1", service: "ses" };
    expect(awsRefusal(request!, sesKey.secretAccessKey, scope)).toBeNull();
  });

  test.each([
    [
      "a key for sending only",
      sesError(403, "AccessDeniedException", "GetAccount"),
      "ready",
      "ses:GetAccount",
    ],
    [
      "an unknown key",
      sesError(403, "UnrecognizedClientException", "invalid"),
      "auth",
      "does not know",
    ],
    [
      "a wrong secret",
      sesError(403, "SignatureDoesNotMatch", "no match"),
      "auth",
      "secret access key",
    ],
    ["an outage", sesError(503, "ServiceUnavailable", "later"), "greeting", "503"],
    ["too many questions", sesError(429, "TooManyRequestsException", "later"), "greeting", "429"],
    ["an answer of another kind", says(200, "<html>welcome</html>"), "greeting", "as expected"],
    ["an answer of another shape", says(200, { SendingEnabled: "yes" }), "greeting", "as expected"],
    ["a cut connection", cuts, "connect", "No answer from"],
    ["Cloudflare's word for a refused connection", says(521, "down"), "connect", "not reached"],
  ])("an account test that meets %s ends at the right stage", async (_, answer, stage, words) => {
    const { report } = await checkAt(answer, sesAt);
    expect(report).toMatchObject({ ok: stage === "ready", stage });
    expect(report.message).toContain(words);
  });
});

describe("Mailgun", () => {
  test("gets the message byte for byte, for one recipient, under its key", async () => {
    const at = await openProvider(
      says(200, { id: "<m1@sender.zz>", message: "Queued. Thank you." }),
    );
    const result = await transports().send(mailgunAt(at), letter({ raw: trickyBytes }));
    expect(result).toEqual({
      state: "accepted",
      reply: "200 Queued. Thank you.",
      providerId: "m1@sender.zz",
    });
    expect(at.requests).toHaveLength(1);
    const { method, target, headers, body } = at.requests[0]!;
    expect([method, target]).toEqual(["POST", "/v3/mg.sender.zz/messages.mime"]);
    const login = Buffer.from(headers["authorization"]!.slice("Basic ".length) as string, "base64");
    expect(login.toString()).toBe("api:key-0123456789abcdef");
    const contentType = headers["content-type"] as string;
    const form = await new Response(body, {
      headers: { "content-type": contentType },
    }).formData();
    expect([...form.keys()].toSorted()).toEqual(["message", "o:tracking", "to"]);
    expect([form.get("to"), form.get("o:tracking")]).toEqual(["lead@example.zz", "no"]);
    const file = form.get("message") as File;
    expect(Buffer.from(await file.arrayBuffer())).toEqual(Buffer.from(trickyBytes));
  });

  test.each([
    [
      400,
      "'to' parameter is not a valid address. please check documentation",
      rejected("recipient"),
    ],
    [400, "cannot parse the message", rejected("message")],
    [401, "Forbidden", owner("other region")],
    [
      403,
      "Domain sandbox1.mailgun.org is not allowed to send: Sandbox subdomains are for test purposes only.",
      owner("this domain send"),
    ],
    [403, "Domain mg.sender.zz is not allowed to send: recipient limit exceeded", limited],
    [403, "no", owner("does not allow")],
    [402, "plan exhausted", owner("its plan")],
    [404, "Domain not found: mg.sender.zz", owner("does not know")],
    [404, "page not found", down],
    [413, "too large", rejected("message")],
    [420, "recipient limit exceeded, try again after Mon, 25 Aug 2025 07:00:31 UTC", limited],
    [429, "Too many requests", limited],
    [500, "internal", unknown],
    [502, "bad gateway", unknown],
    [503, "busy", down],
    [504, "timeout", unknown],
  ])("an answer of %i (%s) is %o", async (status, message, expected) => {
    const { at, result } = await sendTo(says(status, { message }), mailgunAt);
    expect(result).toMatchObject(expected);
    expect("accountError" in result).toBe("accountError" in expected);
    expect(JSON.stringify(result)).not.toContain("key-0123456789abcdef");
    expect(at.requests).toHaveLength(1);
  });

  test.each([
    ["domain", { domain: "../../v1/keys" }],
    ["domain", { domain: "a..b" }],
    ["key", { apiKey: "key\r\nx: y" }],
  ])("a malformed %s is the owner's to mend, and nothing is said", async (_, change) => {
    const at = await openProvider(says(200, { id: "<1>" }));
    const result = await transports().send({ ...mailgunAt(at), ...change }, letter());
    expect(result).toHaveProperty("accountError");
    expect(at.requests).toHaveLength(0);
  });

  test.each([
    [{ state: "active", is_disabled: false }, "ready", "active"],
    [{ state: "unverified" }, "auth", "DNS"],
    [{ state: "active", is_disabled: true }, "auth", "disabled"],
    [{ state: "disabled" }, "auth", "disabled"],
  ])("a domain that says %o ends at %s", async (domain, stage, words) => {
    const { at, report } = await checkAt(says(200, { domain, message: "ok" }), mailgunAt);
    expect(report).toMatchObject({ ok: stage === "ready", stage });
    expect(report.message).toContain(words);
    expect(at.requests[0]).toMatchObject({ method: "GET", target: "/v4/domains/mg.sender.zz" });
  });

  test("a key for sending only passes, by a message to nobody with nothing in it", async () => {
    const refuses = says(401, "Forbidden");
    const missesTo = says(400, { message: "to parameter is missing" });
    const { at, report } = await checkAt(inTurn(refuses, missesTo), mailgunAt);
    expect(report).toMatchObject({ ok: true, stage: "ready" });
    expect(report.message).toContain("for sending");
    expect(at.requests[1]!.target).toBe("/v3/mg.sender.zz/messages.mime");
    expect(at.requests[1]!.body.toString()).not.toMatch(/name="(to|message)"/);
  });

  test.each([
    ["a wrong key", says(401, "Forbidden"), "auth"],
    ["an unknown domain", says(404, { message: "Domain not found" }), "auth"],
    ["an outage", says(500, "no"), "greeting"],
    ["an answer of another kind", says(200, "<html>"), "greeting"],
    ["a cut connection", cuts, "connect"],
  ])("an account test that meets %s ends at the right stage", async (_, answer, stage) => {
    const { report } = await checkAt(answer, mailgunAt);
    expect(report).toMatchObject({ ok: false, stage });
  });
});

describe.each(accounts)("%s misbehaving", (name, accountAt) => {
  test("no answer within the deadline leaves the message in doubt", async () => {
    const at = await openProvider(hangs);
    const result = await transports(150).send(accountAt(at), letter());
    expect(result).toEqual({ state: "unknown", reason: expect.stringContaining("in time") });
  });

  test(
    "an answer that drips does not extend the deadline",
    { timeout: patience(20_000) },
    async () => {
      const at = await openProvider(drips(200));
      expect(await transports(patience(1_000)).send(accountAt(at), letter())).toMatchObject(
        unknown,
      );
      const refused = await openProvider(drips(400));
      const result = await transports(patience(1_000)).send(accountAt(refused), letter());
      expect(result).toMatchObject({ state: "rejected", scope: "message", code: 400 });
    },
  );

  test("a connection cut after the request leaves the message in doubt", async () => {
    expect((await sendTo(cuts, accountAt)).result).toMatchObject(unknown);
  });

  test("a success that breaks off, or names no message, leaves it in doubt", async () => {
    for (const answer of [breaksOff(200), says(200, "<html>"), says(200, {}), says(204, "")])
      expect((await sendTo(answer, accountAt)).result).toMatchObject(unknown);
    for (const id of ["", "a\r\nb", 7, "x".repeat(300)])
      expect((await sendTo(says(200, { MessageId: id, id }), accountAt)).result).toMatchObject(
        unknown,
      );
  });

  test("of an answer of 10 MB no more than 64 kB is read", async () => {
    for (const [status, state] of [
      [200, "unknown"],
      [400, "rejected"],
    ] as const) {
      let written: (bytes: number) => void;
      const hungUp = new Promise<number>((resolve) => {
        written = resolve;
      });
      const at = await openProvider(floods(status, (bytes) => written(bytes)));
      expect(await transports().send(accountAt(at), letter())).toMatchObject({ state });
      // What lies in the buffers of both sides was written too.
      expect(await hungUp).toBeLessThan(9 * 1024 * 1024);
    }
  });

  test("long words and control characters of an answer are cut and cleaned", async () => {
    const message = `bad\r\n\u0000${"x".repeat(5_000)}`;
    const { result } = await sendTo(says(400, { message }), accountAt);
    expect(result).toMatchObject({ reply: expect.stringMatching(/^400 bad x+$/) });
    expect(JSON.stringify(result).length).toBeLessThan(700);
  });

  test("a port where nobody listens is a connection that never was: nothing was sent", async () => {
    const at = await openProvider(hangs);
    await at.close();
    const result = await transports().send(accountAt(at), letter());
    expect(result).toMatchObject({ state: "deferred", scope: "connection", stage: "open" });
    const report = await transports().check(accountAt(at));
    expect(report).toMatchObject({ ok: false, stage: "connect" });
    expect(report.message).toContain(name);
  });

  test("a redirect is not followed: key and message stay where they were sent", async () => {
    const elsewhere = await openProvider(says(200, { MessageId: "1", id: "<1@x.zz>" }));
    for (const status of [301, 307, 308])
      expect(
        (await sendTo(says(status, "", { location: `${elsewhere.url}/` }), accountAt)).result,
      ).toMatchObject({ state: "deferred", scope: "connection", code: status });
    expect(elsewhere.requests).toHaveLength(0);
  });

  test("after a lost message the next one is only handed over where somebody answers", async () => {
    const at = await openProvider(cuts);
    const transport = transports();
    const account = accountAt(at);
    expect(await transport.send(account, letter())).toMatchObject(unknown);
    const held = { state: "deferred", scope: "connection", stage: "open" };
    expect(await transport.send(account, letter())).toMatchObject(held);
    expect(at.requests.map(({ method }) => method)).toEqual(["POST", "GET"]);
    expect(at.requests[1]!.headers).not.toHaveProperty("authorization");

    await at.close();
    const back = await openProvider(says(200, { MessageId: "1", id: "<1@x.zz>" }), at.port);
    expect(await transport.send(account, letter())).toMatchObject({ state: "accepted" });
    expect(await transport.send(account, letter())).toMatchObject({ state: "accepted" });
    expect(back.requests.map(({ method }) => method)).toEqual(["GET", "POST", "POST"]);
  });

  test.each([
    "a@example.zz,b@example.zz",
    "a@example.zz;b",
    "a,b@example.zz",
    "Ann <a@example.zz>",
    "g:a@x.zz;",
    "a",
  ])("%s is not one address, and nothing is sent", async (to) => {
    const at = await openProvider(says(200, { MessageId: "1", id: "<1@x.zz>" }));
    const local = { state: "rejected", stage: "local" };
    expect(await transports().send(accountAt(at), letter({ to }))).toMatchObject({
      ...local,
      scope: "recipient",
    });
    expect(await transports().send(accountAt(at), letter({ from: to }))).toMatchObject({
      ...local,
      scope: "sender",
    });
    expect(at.requests).toHaveLength(0);
  });

  test("messages sent at once each get their own answer", async () => {
    let count = 0;
    const at = await openProvider((response, request, arrived) => {
      const id = `id-${(count += 1)}`;
      says(200, { MessageId: id, id: `<${id}>` })(response, request, arrived);
    });
    const transport = transports();
    const results = await Promise.all(
      Array.from({ length: 12 }, () => transport.send(accountAt(at), letter())),
    );
    const ids = results.map((result) => (result.state === "accepted" ? result.providerId : null));
    expect(new Set(ids).size).toBe(12);
    expect(ids).not.toContain(null);
  });
});
