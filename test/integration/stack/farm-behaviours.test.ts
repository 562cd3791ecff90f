import { setWarpOffsetMs, warpOffsetMs } from "../../../scripts/stack/warp.ts";
import * as tls from "node:tls";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Farm, startFarm } from "../../../scripts/stack/farm.ts";
import { readFarmFile, toTable } from "../../../scripts/stack/farm/table.ts";
import { askFor, connectFarm, SENDER } from "./farm-client.ts";

const later = (ms: number) => setWarpOffsetMs(warpOffsetMs() + ms);

/** One domain, `<name>.zz`, and its host `mx.<name>.zz`, of which `anna` is the one mailbox. */
const rows: Record<string, unknown> = {
  plain: {},
  lines: { banner: "220-first\n220 last" },
  feeds: { banner: { say: "220-first\n220 last", line_end: "lf", end: "close" } },
  octets: { banner: { say: "220 größe", octets: "latin1", end: "close" } },
  drips: { banner: { say: "220 one by one", drip_ms: 3, end: "close" } },
  closes: { banner: { say: "421 bye", end: "close" } },
  resets: { banner: { end: "reset" } },
  hangs: { banner: { end: "hang" } },
  floods: { banner: { end: "flood" } },
  dead: { connect: "refused" },
  fills: { unknown_user: "550 {to} {domain} {from} {helo} {host} {ip} {other}" },
  grey: { rcpt: [{ when: { first_seen_within_ms: 60_000 }, say: "450 4.2.0 later" }] },
  second: { rcpt: [{ when: { rcpts_over: 1 }, say: "452 4.5.3 too many" }] },
  patience: { rcpt: [{ when: { refused_over: 2 }, say: "421 4.7.0 enough", end: "close" }] },
  one: { rcpt: [{ when: { accepted_over: 1 }, say: "452 4.5.3 one is enough" }] },
  door: { banner: [{ when: { open_over: 1 }, say: "421 full" }, { say: "220 come in" }] },
  minute: {
    banner: [{ when: { opened_in_a_minute_over: 2 }, say: "421 often" }, { say: "220 come in" }],
  },
  likes: { rcpt: [{ when: { to_like: "^lead\\d+$" }, say: "250 like it" }] },
  names: { mail: [{ when: { helo: "^[^.]+$" }, say: "504 5.5.2 a full name" }] },
  senders: {
    mail: [{ when: { from: ["<>", "@bad.zz", "x@y.zz"] }, say: "550 5.7.1 not you" }],
  },
  secure: {
    extensions: ["STARTTLS"],
    mail: [{ when: { tls: false }, say: "530 5.7.0 STARTTLS first" }],
  },
  ascii: { extensions: [] },
  world: { extensions: ["SMTPUTF8"] },
  late: { rcpt: "250 ok", message: "550 5.1.1 no such user" },
};
const providers = Object.entries(rows).map(([name, host]) => ({
  provider: name,
  split: "tune",
  hosts: { [`mx.${name}.zz`]: host },
  domains: { [`${name}.zz`]: { valid: ["anna", "jürgen"] } },
}));

let farm: Farm;
beforeAll(async () => {
  const text = JSON.stringify({ providers });
  farm = await startFarm({ table: toTable(readFarmFile("rows", text)) });
});
afterAll(() => farm.close());

const connectTo = (name: keyof typeof rows) => connectFarm(farm, `mx.${name}.zz`);

/** Greeting, EHLO and MAIL done. */
async function enter(name: keyof typeof rows, mail = `MAIL FROM:<${SENDER}>`) {
  const client = connectTo(name);
  await client.reply();
  await client.say("EHLO probe.overture.zz");
  return { ...client, mailReply: await client.say(mail) };
}

test("a row that says nothing speaks plain SMTP", async () => {
  const client = connectTo("plain");
  expect(await client.reply()).toBe("220 mx.plain.zz ESMTP");
  const lines = [
    ["RCPT TO:<anna@plain.zz>", "503 5.5.1 Error: need MAIL command"],
    ["EHLO a.zz", "250-mx.plain.zz\n250-PIPELINING\n250-SIZE 52428800\n250 8BITMIME"],
    ["MAIL FROM:<a@a.zz> BODY=8BITMIME", "250 2.1.0 Ok"],
    ["MAIL FROM:<a@a.zz>", "503 5.5.1 Error: nested MAIL command"],
    ["RCPT TO:<ANNA@Plain.zz>", "250 2.1.5 Ok"],
    [
      "RCPT TO:<ben@plain.zz>",
      "550 5.1.1 <ben@plain.zz>: Recipient address rejected: User unknown",
    ],
    ["RCPT TO:<anna@other.zz>", "554 5.7.1 <anna@other.zz>: Relay access denied"],
    ["RCPT anna", "501 5.5.4 Syntax: RCPT TO:<address>"],
    ["RSET", "250 2.0.0 Ok"],
    ["DATA", "554 5.5.1 Error: no valid recipients"],
    ["MAIL FROM:<a@a.zz> FOO=1", "555 5.5.4 Unsupported option: FOO=1"],
    ["STARTTLS", "502 5.5.1 Error: command not implemented"],
    ["constructor", "502 5.5.2 Error: command not recognized"],
    ["", "502 5.5.2 Error: command not recognized"],
    ["VRFY anna", "252 2.0.0 Cannot VRFY user, but will accept message"],
    ["QUIT", "221 2.0.0 Bye"],
  ] as const;
  for (const [line, reply] of lines) expect([line, await client.say(line)]).toEqual([line, reply]);
  expect(await client.ended()).toBe("");
});

test("lines end as the row wants, and octets are as it wants", async () => {
  expect(await connectTo("lines").reply()).toBe("220-first\n220 last");
  expect(await connectTo("feeds").rest()).toBe("220-first\n220 last\n");
  expect(await connectTo("octets").rest()).toBe("220 größe\r\n");
});

test("a drip comes in pieces", async () => {
  const client = connectTo("drips");
  let pieces = 0;
  client.socket.on("data", () => pieces++);
  expect(await client.rest()).toBe("220 one by one\r\n");
  expect(pieces).toBeGreaterThan(3);
});

test("a connection ends as the row wants", async () => {
  const closed = connectTo("closes");
  expect([await closed.rest(), await closed.ended()]).toEqual(["421 bye\r\n", ""]);
  expect(await connectTo("resets").ended()).toBe("ECONNRESET");
  expect(await connectTo("dead").ended()).toBe("ECONNREFUSED");
});

test("who hangs says nothing while others are served, and is let go by his client alone", async () => {
  farm.traffic.clear();
  const hung = connectTo("hangs");
  await new Promise((resolve) => hung.socket.once("connect", resolve));
  hung.socket.write("NOOP\r\n");
  expect(await connectTo("lines").reply()).toBe("220-first\n220 last");
  const open = () => farm.traffic.operators().find(({ operator }) => operator === "hangs.zz")?.open;
  expect(open()).toBe(1);
  expect(hung.socket.bytesRead).toBe(0);
  hung.close();
  await expect.poll(open).toBe(0);
});

test("a flood goes on for as long as somebody reads", async () => {
  const client = connectTo("floods");
  await expect.poll(() => client.socket.bytesRead).toBeGreaterThan(5_000_000);
  client.close();
  expect(await client.rest()).not.toMatch(/^220 /m);
});

test("a text is filled in, and what it does not know stays", async () => {
  const client = await enter("fills");
  expect(await client.say("RCPT TO:<Ben@Fills.zz>")).toBe(
    `550 Ben@Fills.zz Fills.zz ${SENDER} probe.overture.zz mx.fills.zz 127.0.0.1 {other}`,
  );
});

test("a greylist knows sender and recipient together, by the stack's clock", async () => {
  const ask = async (from: string, to: string) =>
    (await enter("grey", `MAIL FROM:<${from}>`)).say(`RCPT TO:<${to}@grey.zz>`);
  expect(await ask("a@a.zz", "anna")).toBe("450 4.2.0 later");
  later(30_000);
  expect(await ask("b@a.zz", "anna")).toBe("450 4.2.0 later");
  later(30_000);
  expect(await ask("a@a.zz", "anna")).toBe("250 2.1.5 Ok");
  expect(await ask("b@a.zz", "anna")).toBe("450 4.2.0 later");
  expect(await ask("a@a.zz", "ben")).toBe("450 4.2.0 later");
});

test("a rule may speak for all names of a kind", async () => {
  const client = await enter("likes");
  expect(await client.say("RCPT TO:<Lead1234@likes.zz>")).toBe("250 like it");
  expect(await client.say("RCPT TO:<lead@likes.zz>")).toMatch(/^550/);
});

test("limits count recipients, refusals and acceptances of a session", async () => {
  const rcpt = (name: string, local: string) => `RCPT TO:<${local}@${name}.zz>`;
  const second = await enter("second");
  expect(await second.say(rcpt("second", "ben"))).toMatch(/^550/);
  expect(await second.say(rcpt("second", "anna"))).toBe("452 4.5.3 too many");
  const patience = await enter("patience");
  for (const local of ["b", "anna", "c"]) await patience.say(rcpt("patience", local));
  expect(await patience.say(rcpt("patience", "anna"))).toBe("421 4.7.0 enough");
  expect(await patience.ended()).toBe("");
  const one = await enter("one");
  expect(await one.say(rcpt("one", "ben"))).toMatch(/^550/);
  expect(await one.say(rcpt("one", "anna"))).toBe("250 2.1.5 Ok");
  expect(await one.say(rcpt("one", "anna"))).toBe("452 4.5.3 one is enough");
});

test("limits count connections that are open, and those of the last minute", async () => {
  const first = connectTo("door");
  expect(await first.reply()).toBe("220 come in");
  expect(await connectTo("door").reply()).toBe("421 full");
  const greetings = [];
  for (let time = 0; time < 3; time++) greetings.push(await connectTo("minute").reply());
  later(60_000);
  greetings.push(await connectTo("minute").reply());
  expect(greetings).toEqual(["220 come in", "220 come in", "421 often", "220 come in"]);
});

test("MAIL is judged by the name in EHLO and by the sender", async () => {
  const shortName = connectTo("names");
  await shortName.reply();
  await shortName.say("EHLO localhost");
  expect(await shortName.say("MAIL FROM:<a@a.zz>")).toBe("504 5.5.2 a full name");
  expect((await enter("names")).mailReply).toBe("250 2.1.0 Ok");
  const replies = ["", "a@bad.zz", "x@y.zz", "a@y.zz"].map(
    async (from) => (await enter("senders", `MAIL FROM:<${from}>`)).mailReply,
  );
  expect((await Promise.all(replies)).map((reply) => reply.slice(0, 3))).toEqual([
    "550",
    "550",
    "550",
    "250",
  ]);
});

test("what is refused in the clear is taken over TLS, with a certificate of the host's name", async () => {
  const client = await enter("secure");
  expect(client.mailReply).toBe("530 5.7.0 STARTTLS first");
  expect(await client.say("STARTTLS")).toMatch(/^220/);
  client.socket.removeAllListeners("data");
  const secured = tls.connect({ socket: client.socket, ca: farm.ca, servername: "mx.secure.zz" });
  const line = (text: string) =>
    new Promise<string>((resolve) => {
      secured.once("data", (bytes: Buffer) => resolve(bytes.toString().trim()));
      secured.write(`${text}\r\n`);
    });
  expect(await line("EHLO a.zz")).toBe("250 mx.secure.zz");
  expect(await line("MAIL FROM:<a@a.zz>")).toBe("250 2.1.0 Ok");
  expect(await line("RCPT TO:<anna@secure.zz>")).toBe("250 2.1.5 Ok");
  secured.destroy();
});

test("an address beyond ASCII needs SMTPUTF8, offered and asked for", async () => {
  const jürgen = (name: string) => askFor(farm, `mx.${name}.zz`, `jürgen@${name}.zz`);
  expect(await jürgen("ascii")).toBe("501 5.1.3 Bad recipient address syntax");
  expect(await jürgen("world")).toBe("250 2.1.5 Ok");
  const silent = await enter("world");
  expect(await silent.say("RCPT TO:<jürgen@world.zz>")).toMatch(/^553 5\.6\.7/);
});

test("a host that takes all may refuse the message", async () => {
  const client = await enter("late");
  expect(await client.say("RCPT TO:<who@late.zz>")).toBe("250 ok");
  expect(await client.say("DATA")).toMatch(/^354/);
  expect(await client.say("Subject: x\r\n\r\nRCPT TO:<a>\r\n.")).toBe("550 5.1.1 no such user");
});

test.each([
  ["busy", "421 4.3.2 mx.plain.zz Too busy, try again later"],
  ["reset", ""],
])("the fault %s is for one connection", async (fault, greeting) => {
  farm.faults.order(fault, 1);
  expect(await connectTo("plain").reply()).toBe(greeting);
  expect(await connectTo("plain").reply()).toBe("220 mx.plain.zz ESMTP");
});

test.each([
  ["block", "anna", /^554 5\.7\.1/],
  ["temporary", "anna", /^451 4\.3\.0/],
  ["accept", "nobody-at-all", /^250/],
])("the fault %s changes what every recipient of a session hears", async (fault, to, reply) => {
  farm.faults.order(fault, 1);
  expect(await askFor(farm, "mx.plain.zz", `${to}@plain.zz`)).toMatch(reply);
  expect(await askFor(farm, "mx.plain.zz", `${to}@plain.zz`)).not.toMatch(reply);
});
