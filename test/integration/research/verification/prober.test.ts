import type { Server } from "node:http";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test, vi } from "vitest";
import { decide } from "#src/domain/research/verification/decide.ts";
import { REASONS } from "#src/domain/research/verification/outcome.ts";
import { systemClock } from "#src/platform/system.ts";
import { createProberProbe } from "#src/providers/probe/prober.ts";
import { signPlan } from "#src/providers/probe/prober-wire.ts";
import { createReacherProbe } from "#src/providers/probe/reacher.ts";
import { createProber } from "#functions/smtp-prober/prober.ts";
import { readSettings } from "#functions/smtp-prober/settings.ts";
import { startDns } from "../../../../scripts/stack/dns.ts";
import { dialAtPorts } from "../../../../scripts/stack/dial-ports.ts";
import { createNodeDial } from "../../../../scripts/stack/node-dial.ts";
import { closeSinks, hostThat, listen, planFor, TARGET } from "./setting.ts";

const SECRET = "a-secret-of-the-prober";
const closers: (() => unknown)[] = [];

afterEach(async () => {
  await closeSinks();
  await Promise.all(closers.splice(0).map((close) => close()));
});

async function urlOf(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Names of one public address. */
const ALIASES = ["mx.one.zz", "mx.two.zz", "mx.three.zz"];

/** A prober whose mail host tells anna from everybody else, once it may greet. */
async function startProber(more: Record<string, string> = {}, mayGreet = Promise.resolve()) {
  const dns = await startDns();
  closers.push(() => dns.close());
  dns.zones.put(
    "corp.zz",
    [
      "mx.corp.zz A 127.0.0.1",
      "mx.inside.zz A 10.0.0.1",
      ...ALIASES.map((each) => `${each} A 9.9.9.9`),
    ].join("\n"),
  );
  const serve = hostThat({
    rcpt: (to) => (to === TARGET ? "250 2.1.5 OK" : "550 5.1.1 User unknown"),
  });
  const sink = await listen((connection) => mayGreet.then(() => serve(connection)));
  const settings = readSettings({
    PROBER_SECRET: SECRET,
    PROBER_EHLO_NAME: "probe.overture.zz",
    PROBER_SENDER: "probe@overture.zz",
    DNS_RESOLVER_URLS: dns.resolverUrls.join(","),
    ALLOW_LOOPBACK: "true",
    ...more,
  });
  const dial = dialAtPorts(
    createNodeDial({ anyCertificate: true }),
    Object.fromEntries(["mx.corp.zz", ...ALIASES].map((each) => [each, sink.port])),
  );
  const url = await urlOf(createProber(settings, { dial, log: () => {} }));
  return { url, sink };
}

const through = (url: string, secret = SECRET) =>
  createProberProbe({ url, secret }, { fetch, clock: systemClock });

const knownIs = { isCatchAll: null };

async function send(url: string, over: { at?: number; body?: string; signed?: string } = {}) {
  const { at = Date.now(), body = JSON.stringify(planFor()) } = over;
  const signed = over.signed ?? body;
  const response = await fetch(`${url}/probe`, {
    method: "POST",
    headers: {
      "x-probe-timestamp": String(at),
      "x-probe-signature": await signPlan(SECRET, String(at), signed),
    },
    body,
  });
  await response.text();
  return response.status;
}

describe("the prober", () => {
  test("asks as the service would, and hands back what was said", async () => {
    const { url, sink } = await startProber();
    const run = await through(url).probe(planFor());
    expect(decide(run, TARGET, knownIs)).toMatchObject({
      reason: "mailbox_exists",
      isCatchAll: false,
    });
    expect(run.connections[0]).toMatchObject({
      host: "mx.corp.zz",
      address: "127.0.0.1",
      end: "done",
    });
    expect(sink.connections[0]!.received[0]).toBe("EHLO probe.overture.zz");
  });

  test("is asked about four hosts where a domain names more, as gmail.com does, or some that are no names", async () => {
    const { url } = await startProber();
    const rest = [1, 2, 3, 4].map((each) => `mx${each}.corp.zz`);
    const tooLong = "a.".repeat(130);
    const run = await through(url).probe(planFor({ hosts: ["mx.corp.zz", tooLong, ...rest] }));
    expect(decide(run, TARGET, knownIs)).toMatchObject({ reason: "mailbox_exists" });
    const dead = await through(url).probe(planFor({ hosts: [tooLong, ...rest, "mx.corp.zz"] }));
    expect(dead.connections.map(({ host }) => host)).toEqual(rest);
  });

  test("takes only what is signed, fresh, and new", async () => {
    const { url, sink } = await startProber();
    const plan = JSON.stringify(planFor());
    expect(await send(url, { body: plan.replace("anna", "evil"), signed: plan })).toBe(401);
    expect(await send(url, { at: Date.now() - 61_000 })).toBe(401);
    expect(await send(url, { at: Date.now() + 61_000 })).toBe(401);
    expect((await fetch(`${url}/probe`, { method: "POST", body: plan })).status).toBe(401);
    expect(sink.connections).toHaveLength(0);
    const at = Date.now();
    expect([await send(url, { at }), await send(url, { at })]).toEqual([200, 409]);
    expect(sink.connections).toHaveLength(1);
  });

  test("takes no plan that is none, too long, or more than an address to a line", async () => {
    const { url, sink } = await startProber();
    const smuggled = planFor({ recipients: ["a@corp.zz>\r\nRCPT TO:<b@corp.zz"] });
    for (const body of ["", "null", "{}", "[".repeat(9_000), JSON.stringify(smuggled)])
      expect(await send(url, { body })).toBe(422);
    expect(await send(url, { body: "x".repeat(20_000) })).toBe(413);
    expect(sink.connections).toHaveLength(0);
  });

  test("does not look into the network it stands in", async () => {
    const { url } = await startProber({ ALLOW_LOOPBACK: "false" });
    const hosts = ["mx.inside.zz", "127.0.0.1", "localhost", "169.254.169.254"];
    const run = await through(url).probe(planFor({ hosts }));
    expect(run.connections.map(({ end }) => end)).toEqual(hosts.map(() => "forbidden"));
  });

  test("says when it has enough to do", async () => {
    const { promise, resolve: greet } = Promise.withResolvers<void>();
    const { url, sink } = await startProber({ PROBER_CONCURRENCY: "1" }, promise);
    // Of one reading of the clock: two of the same millisecond would be one plan, replayed.
    const now = Date.now();
    const first = send(url, { at: now - 1 });
    await vi.waitFor(() => expect(sink.connections).toHaveLength(1));
    const others = [2, 3].map((each) => send(url, { at: now - each }));
    expect(await Promise.all(others)).toEqual([503, 503]);
    greet();
    expect(await first).toBe(200);
  });

  test("has two connections at a time to one address, under whatever names", async () => {
    const { promise, resolve: greet } = Promise.withResolvers<void>();
    const { url, sink } = await startProber({ PROBER_INTERVAL_MS: "0" }, promise);
    const ask = async (host: string) => {
      const run = await through(url).probe(planFor({ hosts: [host] }));
      return decide(run, TARGET, knownIs).reason;
    };
    const two = ALIASES.slice(0, 2).map(ask);
    await vi.waitFor(() => expect(sink.connections).toHaveLength(2));
    expect(await ask(ALIASES[2]!)).toBe("paced");
    greet();
    expect(await Promise.all(two)).toEqual(["mailbox_exists", "mailbox_exists"]);
    expect(await ask(ALIASES[2]!)).toBe("mailbox_exists");
  });

  test("does not start without its name, sender and secret", () => {
    expect(() => readSettings({ PROBER_SECRET: "short" })).toThrow(
      /PROBER_SECRET[\s\S]*PROBER_EHLO_NAME[\s\S]*PROBER_SENDER/,
    );
  });
});

/** A server of ours in the place of the other side, which answers the same to everything. */
const saying = (status: number, body: string) =>
  urlOf(createServer((_, response) => response.writeHead(status).end(body)));

describe("a prober that is not well", () => {
  test.each([
    [500, ""],
    [401, ""],
    [302, ""],
    [200, ""],
    [200, "not JSON"],
    [200, "{}"],
    [200, '{"connections":[{"host":"mx","end":"accepted"}]}'],
    [200, `{"connections":[${" ".repeat(300_000)}]}`],
  ])("and answers %i %s makes nothing of the address", async (status, body) => {
    const run = await through(await saying(status, body)).probe(planFor());
    expect(run.failure).not.toBeNull();
    expect(decide(run, TARGET, knownIs).reason).toBe("egress_failed");
  });

  test("and is gone, or is silent, neither", async () => {
    const gone = await through("http://127.0.0.1:1").probe(planFor());
    const silent = await urlOf(createServer(() => {}));
    const late = await through(silent).probe(planFor({ budgetMs: 100 }));
    expect([gone.failure, late.failure]).toEqual(Array(2).fill("the prober was not reached"));
  });

  test("or is not waited for any more, which is the caller's doing: nothing is known of the way there", async () => {
    const clients = [
      through,
      (url: string) => createReacherProbe({ url, secret: null }, { fetch }),
    ];
    for (const client of clients) {
      const late = new AbortController();
      const url = await urlOf(createServer(() => late.abort()));
      const run = await client(url).probe(planFor(), late.signal);
      expect(run).toMatchObject({ connections: [], opinions: [], failure: null });
    }
  });

  test("or well, and does not take the plan, says nothing of the address or of the way there", async () => {
    const run = await through(await saying(422, '{"error":"not a plan"}')).probe(planFor());
    expect(run.failure).toBeNull();
    expect(REASONS[decide(run, TARGET, knownIs).reason]).toBe("unknown");
  });

  test("and what stands before it refuses the call: that is no word of the prober's", async () => {
    const run = await through(await saying(422, "<h1>Unprocessable</h1>")).probe(planFor());
    expect(run.failure).toBe("the prober answered 422");
  });

  test("and has another secret, neither", async () => {
    const { url } = await startProber();
    const run = await through(url, "another-secret-altogether").probe(planFor());
    expect(run.failure).toBe("the prober answered 401");
  });
});

describe("Reacher's answer", () => {
  const SMTP = {
    can_connect_smtp: true,
    has_full_inbox: false,
    is_catch_all: false,
    is_deliverable: true,
    is_disabled: false,
  };
  test.each([
    [{}, "mailbox_exists", "valid"],
    [{ is_catch_all: true }, "accepts_everything", "catch_all"],
    [{ has_full_inbox: true }, "mailbox_full", "unknown"],
    [{ is_disabled: true, is_deliverable: false }, "mailbox_disabled", "invalid"],
    [{ is_deliverable: false }, "unclear_reply", "unknown"],
    [{ can_connect_smtp: false, is_deliverable: false }, "temporary", "unknown"],
  ])("%o is %s", async (smtp, reason, outcome) => {
    const url = await saying(200, JSON.stringify({ smtp: { ...SMTP, ...smtp } }));
    const run = await createReacherProbe({ url, secret: "s" }, { fetch }).probe(planFor());
    const decided = decide(run, TARGET, knownIs).reason;
    expect([decided, REASONS[decided]]).toEqual([reason, outcome]);
  });

  test("an error of its own, or nonsense, is no answer", async () => {
    for (const [status, body, reason] of [
      [200, '{"smtp":{"error":{"type":"SmtpError","message":"x"}}}', "temporary"],
      [200, '{"smtp":{}}', "temporary"],
      [200, "nonsense", "egress_failed"],
      [500, "", "egress_failed"],
    ] as const) {
      const url = await saying(status, body);
      const run = await createReacherProbe({ url, secret: null }, { fetch }).probe(planFor());
      expect(decide(run, TARGET, knownIs).reason).toBe(reason);
    }
  });
});
