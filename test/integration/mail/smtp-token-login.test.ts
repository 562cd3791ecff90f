/** Logins by access token: SASL XOAUTH2 and OAUTHBEARER (RFC 7628) over SMTP. */
import { afterEach, expect, test } from "vitest";
import type { SmtpCredentials } from "../../../src/providers/mail/index.ts";
import { closeAll, letter, openSession, poolFor, greeting } from "./smtp-setting.ts";

afterEach(closeAll);

const decode = (text: string) => Buffer.from(text, "base64").toString("utf8");
const challenge = (body: unknown) =>
  `334 ${Buffer.from(typeof body === "string" ? body : JSON.stringify(body)).toString("base64")}`;
const token = { username: "ada,b=c@sender.zz", accessToken: "ya29.right" };

/** A server that offers these logins, answers the token so, and takes the login by none. */
async function refusing(offer: string, answers: string[]) {
  return greeting([offer], async (connection) => {
    for (const answer of answers) {
      await connection.line();
      connection.say(answer);
    }
    while ((await connection.line()) !== null) connection.say("250 ok");
  });
}

const refusal = async (offer: string, answers: string[], more: Partial<SmtpCredentials> = {}) => {
  const sink = await refusing(offer, answers);
  const error = await openSession(sink, { ...token, ...more }).then(
    () => null,
    (thrown: unknown) => thrown as Error & Record<string, unknown>,
  );
  return { error: error!, said: sink.connections[0]!.received.slice(1) };
};

test("XOAUTH2 is taken where it is offered, with user and token as Google writes them", async () => {
  const sink = await greeting(["AUTH LOGIN PLAIN OAUTHBEARER XOAUTH2"], async (connection) => {
    await connection.line();
    connection.say("235 2.7.0 Accepted");
    await connection.line();
  });
  await openSession(sink, token);
  const [, method, message] = sink.connections[0]!.received[1]!.split(" ");
  expect(method).toBe("XOAUTH2");
  expect(decode(message!)).toBe("user=ada,b=c@sender.zz\u0001auth=Bearer ya29.right\u0001\u0001");
});

test("OAUTHBEARER escapes the name and says host and port (RFC 7628)", async () => {
  const { said } = await refusal("AUTH OAUTHBEARER", ["535 5.7.8 no"]);
  const [, method, message] = said[0]!.split(" ");
  expect(method).toBe("OAUTHBEARER");
  expect(decode(message!)).toMatch(
    /^n,a=ada=2Cb=3Dc@sender\.zz,\u0001host=localhost\u0001port=\d+\u0001auth=Bearer ya29\.right\u0001\u0001$/,
  );
});

test("a token too long for one command line waits for the server's 334 (RFC 4954)", async () => {
  const long = "t".repeat(3000);
  const { said, error } = await refusal("AUTH XOAUTH2", ["334 ", "235 ok"], { accessToken: long });
  expect(error).toBeNull();
  expect(said[0]).toBe("AUTH XOAUTH2");
  expect(decode(said[1]!)).toContain(`Bearer ${long}`);
});

test.each([
  ["XOAUTH2", ""],
  ["OAUTHBEARER", "AQ=="],
])("a challenge that says why is dismissed as %s wants it", async (name, dismissal) => {
  const answers = [challenge({ status: "401", schemes: "bearer" }), "535 5.7.8 Bad credentials"];
  const { error, said } = await refusal(`AUTH ${name}`, answers);
  expect(said[1]).toBe(dismissal);
  expect(error).toMatchObject({ stage: "auth", permanent: true, tokenRefused: true, code: 535 });
  expect(error.message).toContain("(401)");
  expect(error.message).toMatch(/connect the alias again by OAuth/);
  expect(error.message).not.toContain("ya29");
});

test.each([
  ["no base64", "334 %%%%"],
  ["no JSON", challenge("hello")],
  ["null", challenge("null")],
  ["a status of markup", challenge({ status: "<script>".repeat(100) })],
  ["nested deep", challenge("[".repeat(10_000))],
])("a challenge of %s is dismissed too, and not quoted", async (_, line) => {
  const { error, said } = await refusal("AUTH XOAUTH2", [line, "535 5.7.3 no"]);
  expect(said[1]).toBe("");
  expect(error).toMatchObject({ permanent: true, tokenRefused: true });
  expect(error.message).not.toContain("script");
});

test("challenges without end are one refusal, and the session is over", async () => {
  const { error, said } = await refusal("AUTH XOAUTH2", ["334 ", "334 ", "334 "]);
  expect(error).toMatchObject({ stage: "auth", tokenRefused: false });
  expect(said).toHaveLength(2);
});

test("a server busy for now refuses no token", async () => {
  const { error } = await refusal("AUTH XOAUTH2", ["454 4.7.0 Temporary authentication failure"]);
  expect(error).toMatchObject({ permanent: false, tokenRefused: false });
});

test("a server that quotes the token is not quoted in turn", async () => {
  const { error } = await refusal("AUTH XOAUTH2", ["535 5.7.8 no such token: ya29.right"]);
  expect(`${error.message} ${String(error["reply"])}`).not.toContain("ya29");
  expect(error.message).toContain("no such token: [token]");
});

test("a server without token logins is told by name, and gets no token", async () => {
  const { error, said } = await refusal("AUTH PLAIN LOGIN", []);
  expect(error.message).toContain("it has to allow XOAUTH2 or OAUTHBEARER");
  expect(said.filter((line) => line.startsWith("AUTH"))).toEqual([]);
});

test("Microsoft without passwords: the advice is to connect by OAuth", async () => {
  const sink = await refusing("AUTH LOGIN XOAUTH2", [
    "550 5.7.30 Basic authentication is not supported for Client Submission.",
  ]);
  const login = { username: "ann", password: "right" };
  await expect(openSession(sink, login)).rejects.toMatchObject({
    permanent: true,
    message: expect.stringContaining("connect the alias by OAuth"),
  });
});

test("a send whose token is refused says so, and the next token gets a connection of its own", async () => {
  const sink = await greeting(["AUTH XOAUTH2"], async (connection, index) => {
    await connection.line();
    connection.say(index === 0 ? "535 5.7.8 expired" : "235 ok");
    while ((await connection.line()) !== null) connection.say("250 ok");
  });
  const { pool, credentials } = poolFor(sink);
  const first = await pool.send({ ...credentials, ...token }, letter("a"));
  expect(first).toMatchObject({ state: "deferred", tokenRefused: true, scope: "sender" });
  await pool.send({ ...credentials, ...token }, letter("b"));
  expect(sink.connections).toHaveLength(1);
  await pool.send({ ...credentials, ...token, accessToken: "ya29.fresh" }, letter("c"));
  expect(sink.connections).toHaveLength(2);
});
