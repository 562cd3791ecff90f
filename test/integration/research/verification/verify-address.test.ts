import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Deps } from "#src/deps.ts";
import { checkStatus } from "#src/domain/workspace/health/check.ts";
import { findMailHosts, hostsToAsk } from "#src/domain/research/verification/mail-hosts.ts";
import {
  verifyAddress,
  type VerifyOptions,
} from "#src/domain/research/verification/verify-address.ts";
import { createProberProbe } from "#src/providers/probe/prober.ts";
import type { QueueMessage } from "#src/providers/queue/index.ts";
import { verifyAgain } from "#functions/verify-again.ts";
import { startApi, type TestApi } from "../../../support/api.ts";
import type { Sink, SinkConnection } from "../../mail/raw-sink.ts";
import { closeSinks, hostThat, listen, probeOf } from "./setting.ts";

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ PROBE_INTERVAL_MS: "0", DO_NOT_PROBE: "spared.zz" });
});
afterAll(() => api.close());
afterEach(closeSinks);

const NO = "550 5.1.1 User unknown";
const YES = "250 2.1.5 OK";
const DAY_S = 86_400;

/** A domain of its own for each test, with one mail host. */
let count = 0;
async function domainWith(
  rcpt: (address: string, asked: number) => string | null,
  { operator, ...rest }: { operator?: string; banner?: string; mail?: () => string } = {},
) {
  const domain = `d${++count}.zz`;
  const host = operator === undefined ? `mx.${domain}` : `${domain.slice(0, -3)}.${operator}`;
  api.dns.zones.put(domain, `${domain} MX 10 ${host}\n${host} A 127.0.0.1`);
  const open = { now: 0, most: 0 };
  const serve = hostThat({ rcpt, ...rest });
  const sink = await listen(async (connection: SinkConnection) => {
    open.most = Math.max(open.most, ++open.now);
    void connection.left.then(() => open.now--);
    await serve(connection);
  });
  return { domain, host, sink, open };
}

type Place = { host: string; sink: Sink };

function verifier(...places: Place[]) {
  const ports = Object.fromEntries(places.map(({ host, sink }) => [host, sink.port]));
  const { dns, clock } = api.deps;
  const deps: Deps = { ...api.deps, mailProbe: probeOf(ports, { dns, clock }) };
  return {
    deps,
    verify: (address: string, options?: VerifyOptions) => verifyAddress(deps, address, options),
  };
}

/** Takes anna, and nobody else. */
const annaAlone = (to: string) => (to.startsWith("anna@") ? YES : NO);

describe("what is kept", () => {
  test("a second question is answered without asking, in whatever case", async () => {
    const place = await domainWith(annaAlone);
    const { verify } = verifier(place);
    expect(await verify(`anna@${place.domain}`)).toMatchObject({
      outcome: "valid",
      backend: "smtp",
      hasMx: true,
      isCatchAll: false,
    });
    expect(await verify(` ANNA@${place.domain.toUpperCase()}`)).toMatchObject({
      outcome: "valid",
      backend: "cache",
    });
    expect(place.sink.connections).toHaveLength(1);
  });

  test("force asks all the same, and so does time", async () => {
    const place = await domainWith(annaAlone);
    const { verify } = verifier(place);
    await verify(`anna@${place.domain}`);
    await verify(`anna@${place.domain}`, { force: true });
    expect(place.sink.connections).toHaveLength(2);
    api.advance(7 * DAY_S + 1);
    expect(await verify(`anna@${place.domain}`)).toMatchObject({ backend: "smtp" });
    expect(place.sink.connections).toHaveLength(3);
  });

  test("a domain that takes everything is asked about one address in seven days", async () => {
    const place = await domainWith(() => YES);
    const { verify } = verifier(place);
    expect(await verify(`a@${place.domain}`)).toMatchObject({ outcome: "catch_all" });
    expect(await verify(`b@${place.domain}`)).toMatchObject({
      outcome: "catch_all",
      backend: "cache",
    });
    expect(place.sink.connections).toHaveLength(1);
    api.advance(7 * DAY_S + 1);
    expect(await verify(`c@${place.domain}`)).toMatchObject({ backend: "smtp" });
  });

  test("one that it refused is asked for again, and the others are not taken for gone", async () => {
    const place = await domainWith((to) => (to.startsWith("gone@") ? NO : YES));
    const { verify } = verifier(place);
    expect(await verify(`gone@${place.domain}`)).toMatchObject({ outcome: "invalid" });
    expect(await verify(`a@${place.domain}`)).toMatchObject({ outcome: "catch_all" });
    api.advance(3 * DAY_S + 1);
    for (const force of [false, true])
      expect(await verify(`gone@${place.domain}`, { force })).toMatchObject({
        outcome: "invalid",
        backend: "smtp",
      });
    expect(await verify(`b@${place.domain}`)).toMatchObject({
      outcome: "catch_all",
      backend: "cache",
    });
  });

  test("a refusal of the address of nobody that may be about us is not kept for the others", async () => {
    const rules = "554 5.7.1 Suspicious recipient, blocked by policy";
    const place = await domainWith((to) => (/^(anna|bob)@/.test(to) ? YES : rules));
    const { verify } = verifier(place);
    for (const name of ["anna", "bob"])
      expect(await verify(`${name}@${place.domain}`)).toMatchObject({ outcome: "valid" });
    const asked = place.sink.connections.map(({ received }) =>
      received.filter((line) => line.startsWith("RCPT")),
    );
    expect(asked.map(({ length }) => length)).toEqual([2, 2]);
  });

  test("of a domain that does not, the next address is asked alone", async () => {
    const place = await domainWith((to) => (/^(anna|bob)@/.test(to) ? YES : NO));
    const { verify } = verifier(place);
    await verify(`anna@${place.domain}`);
    expect(await verify(`bob@${place.domain}`)).toMatchObject({ outcome: "valid" });
    const rcpts = place.sink.connections[1]!.received.filter((line) => line.startsWith("RCPT"));
    expect(rcpts).toEqual([`RCPT TO:<bob@${place.domain}>`]);
  });

  test("nobody can be read out of it", async () => {
    const place = await domainWith(annaAlone);
    await verifier(place).verify(`anna@${place.domain}`);
    const { rows } = await api.sql.query("select * from verified_addresses");
    expect(JSON.stringify(rows)).not.toContain("anna");
  });
});

test("ten who ask for one address at once make one probe", async () => {
  const place = await domainWith(annaAlone);
  const { verify } = verifier(place);
  const asked = Array.from({ length: 10 }, () => verify(`anna@${place.domain}`));
  expect(new Set((await Promise.all(asked)).map(({ outcome }) => outcome))).toEqual(
    new Set(["valid"]),
  );
  expect(place.sink.connections).toHaveLength(1);
});

test("who joined a probe that told nothing of the address has had no turn, and may ask again", async () => {
  const place = await domainWith(annaAlone);
  const { deps } = verifier(place);
  const { promise: asked, resolve: isAsked } = Promise.withResolvers<void>();
  const { promise: joined, resolve: isJoined } = Promise.withResolvers<void>();
  const failing: Deps = {
    ...deps,
    mailProbe: {
      egress: "prober",
      probe: async () => {
        isAsked();
        await joined;
        return { connections: [], opinions: [], failure: "gone", closed: Promise.resolve() };
      },
    },
  };
  // Looks at what is kept, and again behind each sleep.
  const joining: Deps = {
    ...deps,
    clock: {
      now: () => deps.clock.now(),
      sleepUntil: async () => {
        isJoined();
        await first;
      },
    },
  };
  const address = `anna@${place.domain}`;
  const first = verifyAddress(failing, address);
  await asked;
  expect(await verifyAddress(joining, address)).toMatchObject({ reason: "paced" });
  expect(await first).toMatchObject({ reason: "egress_failed" });
  expect(await verifyAddress(deps, address)).toMatchObject({ outcome: "valid" });
});

describe("an operator", () => {
  test("has two connections of ours at a time, however many addresses are asked", async () => {
    const place = await domainWith(annaAlone);
    const { verify } = verifier(place);
    const addresses = Array.from({ length: 12 }, (_, index) => `p${index}@${place.domain}`);
    const found = await Promise.all(addresses.map((address) => verify(address)));
    await api.settled();
    expect(place.open.most).toBeLessThanOrEqual(2);
    expect(found.filter(({ reason }) => reason === "no_such_user").length).toBeGreaterThan(2);
    expect(found.every(({ reason }) => ["no_such_user", "paced"].includes(reason))).toBe(true);
  });

  test("that refuses us is left alone for 15 minutes", async () => {
    const place = await domainWith(() => YES, { banner: "421 go away" });
    const { verify } = verifier(place);
    expect(await verify(`a@${place.domain}`)).toMatchObject({ reason: "temporary" });
    await api.settled();
    expect(await verify(`b@${place.domain}`)).toMatchObject({ reason: "paced" });
    expect(place.sink.connections).toHaveLength(1);
    api.advance(15 * 60 + 1);
    await verify(`b@${place.domain}`);
    expect(place.sink.connections).toHaveLength(2);
  });

  test("is not taken for another whose host stands behind its own in a domain's MX", async () => {
    const filtered = await domainWith(annaAlone, { operator: "filter.zz" });
    const refusing = await domainWith(() => YES, { banner: "554 no" });
    const shut = { host: "shut.filter.zz", sink: await listen(async (each) => each.end()) };
    const behind = (first: string, domain: string) =>
      `${domain} MX 10 ${first}\n${domain} MX 20 ${refusing.host}`;
    api.dns.zones.put("dead.zz", behind("nowhere.filter.zz", "dead.zz"));
    api.dns.zones.put("shut.zz", `${behind(shut.host, "shut.zz")}\nshut.filter.zz A 127.0.0.1`);
    const { verify } = verifier(filtered, refusing, shut);
    expect(await verify("a@dead.zz")).toMatchObject({ reason: "policy" });
    await api.settled();
    expect(await verify(`anna@${filtered.domain}`)).toMatchObject({ outcome: "valid" });
    expect(await verify(`a@${refusing.domain}`)).toMatchObject({ reason: "paced" });
    // Another's host is not asked in the turn of the first one's.
    expect(await verify("a@shut.zz")).toMatchObject({ reason: "unreachable" });
    expect(refusing.sink.connections).toHaveLength(1);
  });

  test("is asked though the name of another's host before it cannot be looked up", async () => {
    const place = await domainWith(annaAlone, { operator: "living.zz" });
    api.dns.zones.put("lame.zz", `lame.zz MX 10 mx.lame.zz\nlame.zz MX 20 ${place.host}`);
    const dns: typeof api.deps.dns = {
      ...api.deps.dns,
      addresses: async (name) =>
        name === "mx.lame.zz"
          ? { kind: "error", reason: "SERVFAIL" }
          : api.deps.dns.addresses(name),
    };
    expect(await hostsToAsk({ dns }, await findMailHosts({ ...api.deps, dns }, "lame.zz"))).toEqual(
      {
        kind: "hosts",
        hosts: [place.host],
      },
    );
  });

  test("does not rest for what one tenant of it refuses; for three it does", async () => {
    const operator = "mail.sharedhost.zz";
    const refusing = () => "550 5.7.1 Rejected by policy";
    const places = [];
    for (let each = 0; each < 4; each++) places.push(await domainWith(refusing, { operator }));
    const { verify } = verifier(...places);
    const reasons = [];
    for (const { domain } of [places[0]!, ...places]) {
      reasons.push((await verify(`x${reasons.length}@${domain}`)).reason);
      await api.settled();
    }
    expect(reasons).toEqual(["policy", "policy", "policy", "policy", "paced"]);
  });
});

test.each([
  ["takes no mail of strangers", YES, "530 5.7.0 Authentication Required"],
  ["does not take the domain's mail", "550 5.7.64 Relay Access Denied", "250 OK"],
])(
  "a host that any domain can name, and %s, says nothing of its operator's view of us",
  async (_, to, mail) => {
    const operator = `named${++count}.zz`;
    const places = [];
    for (let each = 0; each < 4; each++)
      places.push(await domainWith(() => to, { operator, mail: () => mail }));
    const { verify } = verifier(...places);
    for (const { domain } of places) {
      expect(await verify(`a@${domain}`)).toMatchObject({ reason: "policy" });
      await api.settled();
    }
  },
);

test("where no address of nobody fits before the domain, an acceptance proves nothing", async () => {
  const place = await domainWith(annaAlone);
  const long = `${"a.".repeat(118)}long.zz`;
  api.dns.zones.put(long, `${long} MX 10 ${place.host}`);
  const { verify } = verifier(place);
  expect(await verify(`anna@${long}`)).toMatchObject({ reason: "catch_all_unclear" });
  expect(await verify(`bob@${long}`)).toMatchObject({ reason: "no_such_user" });
});

test("a greylisted address is asked again by the queue, and then known", async () => {
  let lets = false;
  const place = await domainWith((to) => (lets ? annaAlone(to) : "450 4.2.0 Greylisted"));
  const { deps } = verifier(place);
  const queued: QueueMessage[] = [];
  const publish = async (message: QueueMessage) => {
    queued.push(message);
    return api.deps.queue.publish(message);
  };
  const address = `anna@${place.domain}`;
  const watched: Deps = { ...deps, queue: { ...deps.queue, publish } };
  const before = api.deps.clock.now().getTime();
  expect(await verifyAddress(watched, address)).toMatchObject({ reason: "greylisted" });
  expect(queued.map(({ callback, payload }) => ({ callback, payload }))).toEqual([
    { callback: "verify-again", payload: { address, version: 1 } },
  ]);
  expect(queued[0]!.notBefore!.getTime() - before).toBeGreaterThanOrEqual(6 * 60_000);
  lets = true;
  await verifyAgain.run(watched, queued[0]!.payload);
  expect(await verifyAddress(watched, address)).toMatchObject({
    outcome: "valid",
    backend: "cache",
  });
  expect(queued).toHaveLength(1);
});

describe("without asking a mail host", () => {
  test("what is no address, or a list rejects, is invalid", async () => {
    const { verify } = verifier();
    const nothing = { reason: "hard_reject", backend: "prefilter", hasMx: null };
    for (const text of [
      "",
      "anna",
      "a@b",
      "@corp.zz",
      "a b@corp.zz",
      "a@[127.0.0.1]",
      "x".repeat(9_999),
    ])
      expect(await verify(text)).toMatchObject(nothing);
    expect(await verify("postmaster@corp.zz", { rejects: () => true })).toMatchObject(nothing);
  });

  test("DNS knows who takes no mail", async () => {
    api.dns.zones.put("nullmx.zz", "nullmx.zz MX 0 .");
    const { verify } = verifier();
    expect(await verify("anna@nullmx.zz")).toMatchObject({
      reason: "null_mx",
      backend: "dns",
      hasMx: false,
    });
    expect(await verify("anna@never-registered.zz")).toMatchObject({ reason: "no_mail_host" });
  });

  test("a domain without MX is asked at its own address", async () => {
    const place = await domainWith(annaAlone);
    api.dns.zones.put("bare.zz", "bare.zz A 127.0.0.1");
    const { verify } = verifier({ host: "bare.zz", sink: place.sink });
    expect(await verify("anna@bare.zz")).toMatchObject({ outcome: "valid" });
  });

  test("a domain takes mail whose first four hosts lead nowhere and whose fifth lives", async () => {
    const place = await domainWith(annaAlone);
    const nowhere = [1, 2, 3, 4].map((each) => `five.zz MX ${each} gone${each}.five.zz`);
    const zone = [...nowhere, "five.zz MX 5 mx.five.zz", "mx.five.zz A 127.0.0.1"];
    api.dns.zones.put("five.zz", zone.join("\n"));
    const { verify } = verifier({ host: "mx.five.zz", sink: place.sink });
    expect(await verify("anna@five.zz")).toMatchObject({ outcome: "valid" });
    api.dns.zones.put("five.zz", nowhere.join("\n"));
    expect(await verify("bob@five.zz")).toMatchObject({ reason: "no_mail_host" });
  });

  test("whoever asked to be left alone is, with all under it", async () => {
    const { verify } = verifier();
    for (const domain of ["spared.zz", "mail.spared.zz"])
      expect(await verify(`anna@${domain}`)).toMatchObject({ reason: "do_not_probe" });
  });

  test("nothing is verified where there is no way to mail hosts, and that is said", async () => {
    const place = await domainWith(annaAlone);
    await verifier(place).verify(`anna@${place.domain}`);
    const none: Deps = { ...api.deps, mailProbe: null };
    await expect(verifyAddress(none, `bob@${place.domain}`)).rejects.toMatchObject({
      kind: "unavailable",
      code: "SMTP_UNAVAILABLE",
    });
    expect(await verifyAddress(none, `anna@${place.domain}`)).toMatchObject({ backend: "cache" });
    expect((await checkStatus(none)).components["verifier"]!.status).toBe("not_configured");
  });
});

test("an answer that was lost on the way out is not kept, and the status page tells of it", async () => {
  const place = await domainWith(annaAlone);
  const failing: Deps = {
    ...api.deps,
    mailProbe: {
      egress: "prober",
      probe: async () => ({
        connections: [],
        opinions: [],
        failure: "the prober was not reached",
        closed: Promise.resolve(),
      }),
    },
  };
  expect(await verifyAddress(failing, `anna@${place.domain}`)).toMatchObject({
    reason: "egress_failed",
  });
  await api.settled();
  expect(await verifier(place).verify(`anna@${place.domain}`)).toMatchObject({ outcome: "valid" });
  expect(await api.deps.cache.get("verifier:failing")).toBe("the prober was not reached");
});

test("a caller whose time is up says nothing of the address, nor of the way to its host", async () => {
  await api.deps.cache.delete("verifier:failing");
  const place = await domainWith(annaAlone);
  const late = new AbortController();
  const silent = (async () => {
    late.abort();
    throw late.signal.reason;
  }) as typeof fetch;
  const where = { url: "https://prober.zz", secret: "a-secret-of-the-prober" };
  const mailProbe = createProberProbe(where, { fetch: silent, clock: api.deps.clock });
  const { signal } = late;
  expect(
    await verifyAddress({ ...api.deps, mailProbe }, `anna@${place.domain}`, { signal }),
  ).toMatchObject({ reason: "paced" });
  await api.settled();
  expect(await api.deps.cache.get("verifier:failing")).toBeNull();
  expect(await verifier(place).verify(`anna@${place.domain}`)).toMatchObject({ outcome: "valid" });
});
