import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { LEARNED_OF_A_DOMAIN, learnAddress, readLearned } from "#db/research/learned-addresses.ts";
import { findEmail } from "#src/domain/research/finding/email/find-email.ts";
import { verifyAddress } from "#src/domain/research/verification/verify-address.ts";
import { startDns, type DnsPart } from "../../../../scripts/stack/dns.ts";
import { type Farm, startFarm } from "../../../../scripts/stack/farm.ts";
import { farmFile } from "../../../../scripts/stack/farm/format.ts";
import { toTable } from "../../../../scripts/stack/farm/table.ts";
import { reservePort } from "../../../../scripts/stack/ports.ts";
import { startApi, type Tenant, type TestApi } from "../../../support/api.ts";
import { type Ledger, ledgerOf } from "../../../support/ledger.ts";
import { queryOf } from "../../../support/query.ts";

const query = queryOf(() => api.sql);

const company = (domain: string, valid: string[], host = {}) => ({
  provider: domain,
  split: "tune",
  hosts: { [`mx.${domain}`]: host },
  domains: { [domain]: { valid } },
});
/** Before it `bquill` fits, and `bquill2` does not. */
const LONG = `${"a.".repeat(120)}long.zz`;
const { providers } = farmFile.parse({
  providers: [
    company("corp.zz", ["anna.lind", "bob.miller"]),
    company("initials.zz", ["alind", "bquill", "cfeather", "dthrush"]),
    company("takesall.zz", ["anna.lind"], { rcpt: "250 2.1.5 Ok" }),
    company("blocks.zz", ["anna.lind"], { rcpt: "554 5.7.1 Service unavailable; client blocked" }),
    company("namesakes.zz", [
      ..."bquill cfeather cfeather2 dfeather dofeather bregje jose.quill".split(" "),
    ]),
    company(LONG, ["bquill"]),
    company("shut.zz", [], {
      unknown_user: [
        { when: { to: ["anna.lind", "alind"] }, say: "550 5.1.1 No such user" },
        { say: "250 2.1.5 Ok" },
      ],
    }),
    company("full.zz", ["anna", "anna.lind"], {
      rcpt: [{ when: { to: ["anna.lind"] }, say: "552 5.2.2 Mailbox full" }],
    }),
    {
      ...company("nohost.zz", []),
      domains: { "nohost.zz": { records: ["MX 10 gone.nohost.zz"] } },
    },
    { ...company("nomail.zz", []), domains: { "nomail.zz": { records: ["MX 0 ."] } } },
  ],
});

let farm: Farm;
let dns: DnsPart;
let api: TestApi;
let tenant: Tenant;
let ledger: Ledger;
beforeAll(async () => {
  const table = toTable(providers);
  const { port, release } = (await reservePort(0))!;
  await release();
  // A loopback address for each host, so that one port is everybody's.
  const at = (name: string) => ({
    address: `127.0.9.${1 + table.hosts.findIndex((host) => host.name === name)}`,
    port,
  });
  farm = await startFarm({ table, at });
  dns = await startDns({ names: farm.names });
  api = await startApi({
    DNS_RESOLVER_URLS: dns.resolverUrls.join(","),
    VERIFIER_EGRESS: "direct",
    PROBE_PORT: String(port),
    PROBE_INTERVAL_MS: "0",
  });
});
afterAll(() => Promise.all([api.close(), farm.close(), dns.close()]));
beforeEach(async () => {
  tenant = await api.tenant({ credits: 3 });
  ledger = ledgerOf(api, tenant);
});
afterEach(async () => {
  await api.settled();
  farm.traffic.clear();
  await query`truncate learned_addresses, verified_addresses, verified_domains, probe_operators`;
});

const find = (body: object) => tenant.call("POST", "/api/v1/email-finder/find", body);
const anna = (domain: string) => find({ domain, first_name: "Anna", last_name: "Lind" });
const trafficAt = (domain: string) =>
  farm.traffic.operators().find(({ operator }) => operator === domain);
const learnedOf = (domain: string) => readLearned(api.deps.db, domain, new Date(0));
const left = async () => (await ledger.balance()).available;

test("she is found by her name, in one session that ends at the first acceptance, for one credit", async () => {
  const { status, body } = await anna("corp.zz");
  expect([status, body]).toEqual([
    200,
    {
      found: true,
      email: "anna.lind@corp.zz",
      pattern: "first.last",
      confidence: 0.99,
      backend: "smtp",
    },
  ]);
  expect(await left()).toBe(2);
  // Herself, and somebody whom nobody knows.
  expect(trafficAt("corp.zz")).toMatchObject({ connections: 1, recipients: 2 });
});

test("asked for again she is known, and nobody is asked", async () => {
  await anna("corp.zz");
  await api.settled();
  farm.traffic.clear();
  expect((await anna("corp.zz")).body).toMatchObject({ found: true, backend: "cache" });
  expect(farm.traffic.operators()).toEqual([]);
});

test("who is not there is not found, when each address was refused, and costs nothing", async () => {
  const reply = await find({ domain: "corp.zz", first_name: "Ingrid", last_name: "Solberg" });
  expect([reply.status, reply.body]).toEqual([200, { found: false }]);
  expect(trafficAt("corp.zz")).toMatchObject({
    connections: 1,
    recipients: 8,
    accepted: 0,
  });
  expect(await left()).toBe(3);
  await api.settled();
  farm.traffic.clear();
  const again = await find({ domain: "corp.zz", first_name: "Ingrid", last_name: "Solberg" });
  expect(again.body).toEqual({ found: false });
});

test("a domain without mail has nobody, and is not asked", async () => {
  for (const domain of ["nomail.zz", "nowhere.zz"])
    expect((await anna(domain)).body).toEqual({ found: false });
  expect((await anna("example.com")).body).toEqual({ found: false });
  expect(await left()).toBe(3);
});

test("nor has one whose mail host has no address, whatever is kept of it", async () => {
  const ofHer = { candidates: [{ email: "anna.lind@nohost.zz" }], domain: "nohost.zz" };
  for (const body of [ofHer, ofHer]) {
    expect(await find(body)).toMatchObject({ status: 200, body: { found: false } });
    await api.settled();
  }
  expect((await anna("nohost.zz")).body).toEqual({ found: false });
  const kept = await query`select distinct reason, has_mx from verified_addresses`;
  expect(kept).toEqual([{ reason: "no_mail_host", has_mx: false }]);
  expect(await left()).toBe(3);
});

test("that a domain took no mail is no answer once it has a host", async () => {
  dns.zones.put("moved.zz", "moved.zz MX 0 .");
  await verifyAddress(api.deps, "anna.lind@moved.zz");
  await api.settled();
  const ofHer = { candidates: [{ email: "anna.lind@moved.zz" }], domain: "moved.zz" };
  expect((await find(ofHer)).body).toEqual({ found: false });
  dns.zones.put("moved.zz", "moved.zz MX 10 mx.corp.zz");
  await find(ofHer);
  expect(trafficAt("corp.zz")).toMatchObject({ connections: 1 });
});

test("a host that takes everything: 422 with the best guess, not charged", async () => {
  for (let time = 0; time < 2; time++) {
    const { status, body } = await anna("takesall.zz");
    expect(status).toBe(422);
    expect(body).toMatchObject({
      detail: "ERR_EMAIL_FIND_CATCH_ALL",
      is_catch_all: true,
      email: "anna.lind@takesall.zz",
      pattern: "first.last",
    });
    await api.settled();
  }
  expect(trafficAt("takesall.zz")).toMatchObject({ connections: 1 });
  expect(await left()).toBe(3);
});

test("a host that refuses us says nothing of her: 503, not charged", async () => {
  const { status, body, headers } = await anna("blocks.zz");
  expect([status, body.detail]).toEqual([503, "SMTP_UNAVAILABLE"]);
  expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
  expect(await left()).toBe(3);
});

test("her mailbox is full: the next address that exists is not taken for hers", async () => {
  expect((await anna("full.zz")).body.detail).toBe("SMTP_UNAVAILABLE");
});

test("addresses that the caller thinks of are asked for by their confidence, under his own names for them", async () => {
  const reply = await find({
    domain: "CORP.zz",
    candidates: [
      { email: "nobody@corp.zz", confidence: 0.1 },
      { email: "bob.miller@corp.zz", pattern: "mine", confidence: 0.5 },
      { email: "anna.lind@corp.zz", confidence: 0.4 },
      { email: "unlikely@corp.zz", confidence: 0.9 },
      { email: "no-reply@corp.zz", confidence: 1 },
    ],
  });
  expect(reply.body).toEqual({
    found: true,
    email: "bob.miller@corp.zz",
    pattern: "mine",
    confidence: 1,
    backend: "smtp",
  });
  expect(trafficAt("corp.zz")).toMatchObject({ recipients: 2 });
});

test("twenty addresses are asked for in sessions of eight", async () => {
  const candidates = Array.from({ length: 19 }, (_, at) => ({ email: `nobody${at}@corp.zz` }));
  const reply = await find({
    domain: "corp.zz",
    candidates: [...candidates, { email: "anna.lind@corp.zz" }],
  });
  expect(reply.body).toMatchObject({ found: true, email: "anna.lind@corp.zz", pattern: null });
  expect(trafficAt("corp.zz")).toMatchObject({ connections: 3, recipients: 20 });
});

test("how a company writes its addresses is learned from those that its host confirmed", async () => {
  for (const [first_name, last_name] of [
    ["Bob", "Quill"],
    ["Carin", "Feather"],
  ])
    expect((await find({ domain: "initials.zz", first_name, last_name })).body.pattern).toBe(
      "flast",
    );
  await api.settled();
  expect((await learnedOf("initials.zz")).patterns).toEqual({ flast: 2 });
  farm.traffic.clear();
  await find({ domain: "initials.zz", first_name: "Dag", last_name: "Thrush" });
  // His own, and two that a second one of his letters may have.
  expect(trafficAt("initials.zz")).toMatchObject({ connections: 1, recipients: 3 });
});

const at = async (domain: string, first_name: string, last_name: string) => {
  const { body } = await find({ domain, first_name, last_name });
  await api.settled();
  return body.found === true ? body.email : body.found;
};

test("an address that was found for one person is not found for another of the same letters", async () => {
  expect(await at("namesakes.zz", "Bob", "Quill")).toBe("bquill@namesakes.zz");
  expect(await at("namesakes.zz", "Berta", "Quill")).toBe(false);
  expect(await at("namesakes.zz", "Bob", "Quill")).toBe("bquill@namesakes.zz");
  expect(await at("namesakes.zz", "Bob R.", "Quill")).toBe("bquill@namesakes.zz");
});

test("a name that somebody typed has an address for thirty days, and whom it is found for then for the next", async () => {
  expect(await at("namesakes.zz", "Bob", "Quill")).toBe("bquill@namesakes.zz");
  api.advance(29 * 24 * 3_600);
  expect(await at("namesakes.zz", "Berta", "Quill")).toBe(false);
  api.advance(2 * 24 * 3_600);
  expect(await at("namesakes.zz", "Berta", "Quill")).toBe("bquill@namesakes.zz");
  expect(await at("namesakes.zz", "Bob", "Quill")).toBe(false);
});

test("nobody is found where two have addresses of the same letters", async () => {
  expect(await at("namesakes.zz", "Carin", "Feather")).toBe(false);
  // And again, from what is kept.
  expect(await at("namesakes.zz", "Carin", "Feather")).toBe(false);
  expect((await learnedOf("namesakes.zz")).patterns).toEqual({});
});

test("nor where the one of them was verified before: the second is asked for all the same", async () => {
  const soon = () => new Date(api.deps.clock.now().getTime() + 5_000);
  await verifyAddress(api.deps, "cfeather@namesakes.zz");
  await api.settled();
  expect(await at("namesakes.zz", "Carin", "Feather")).toBe(false);
  expect(await left()).toBe(3);
  // Now both are known, and nobody is asked.
  const person = { domain: "namesakes.zz", firstName: "Carin", lastName: "Feather" };
  const without = { ...api.deps, mailProbe: null };
  expect(await findEmail(without, person, soon())).toMatchObject({ backend: "cache" });
});

test("nor where the second of them is written with two letters", async () => {
  expect(await at("namesakes.zz", "Doris", "Feather")).toBe(false);
  expect(await at("namesakes.zz", "Doris", "Feather")).toBe(false);
  // Nobody has the two letters of hers.
  expect(await at("namesakes.zz", "Dina", "Feather")).toBe("dfeather@namesakes.zz");
});

test("an address by a first name alone is not told, and teaches what the company does", async () => {
  expect(await at("namesakes.zz", "Bregje", "Thrush")).toBe(false);
  expect(await left()).toBe(3);
  const learned = await learnedOf("namesakes.zz");
  expect(learned.patterns).toEqual({ first: 1 });
  // Nobody's, whoever was asked for.
  expect(learned.owners.size).toBe(0);
});

test("the best guess at a host that takes everything is none that it is known to refuse", async () => {
  await find({ domain: "shut.zz", candidates: [{ email: "anna.lind@shut.zz" }] });
  await api.settled();
  await find({ domain: "shut.zz", candidates: [{ email: "bob.miller@shut.zz" }] });
  await api.settled();
  const { status, body } = await anna("shut.zz");
  expect([status, body.is_catch_all]).toEqual([422, true]);
  expect(body.email).not.toBe("anna.lind@shut.zz");
});

test("at a domain so long that neither a second person's address nor nobody's fits, no answer is definite", async () => {
  const asked = { domain: LONG, first_name: "Bob", last_name: "Quill" };
  expect(await find(asked)).toMatchObject({ status: 503 });
  expect(trafficAt("long.zz")).toMatchObject({ recipients: 1, accepted: 1 });
});

test("an address teaches once, and a domain has room for so many", async () => {
  const learn = (address: number) =>
    learnAddress(api.deps.db, {
      domain: "corp.zz",
      addressHash: String(address),
      pattern: "first",
      ownerHash: "someone",
      since: new Date(0),
      now: new Date(),
    });
  await learn(0);
  await Promise.all([learn(0), learn(0)]);
  expect((await learnedOf("corp.zz")).patterns).toEqual({ first: 1 });
  for (let address = 1; address < LEARNED_OF_A_DOMAIN + 5; address++) await learn(address);
  expect((await learnedOf("corp.zz")).patterns).toEqual({
    first: LEARNED_OF_A_DOMAIN,
  });
});

test("a name that gives no address, and a domain that is nobody's in particular: 422", async () => {
  const han = await find({ domain: "corp.zz", first_name: "太郎", last_name: "田中" });
  expect([han.status, han.body.detail]).toEqual([422, "VALIDATION_ERROR"]);
  expect([(await anna("gmail.com")).status, (await anna("gmail.com")).body.detail]).toEqual([
    422,
    "VALIDATION_ERROR",
  ]);
  expect(farm.traffic.operators()).toEqual([]);
  expect(await left()).toBe(3);
});

test("a name or candidates of that domain, and nothing else", async () => {
  const candidates = [{ email: "anna.lind@corp.zz" }];
  for (const [body, loc] of [
    [{ domain: "corp.zz" }, ["body", "candidates"]],
    [
      { domain: "corp.zz", candidates, first_name: "Anna", last_name: "Lind" },
      ["body", "candidates"],
    ],
    [{ domain: "corp.zz", first_name: "Anna" }, ["body", "last_name"]],
    [{ domain: "corp.zz", last_name: "Lind" }, ["body", "first_name"]],
    [{ domain: "other.zz", candidates }, ["body", "candidates", "0", "email"]],
    [
      { domain: "corp.zz", candidates: [{ email: "a@b@corp.zz\r\nDATA" }] },
      ["body", "candidates", "0", "email"],
    ],
    [{ domain: "localhost", candidates }, ["body", "domain"]],
    [{ domain: "127.0.0.1", first_name: "A", last_name: "B" }, ["body", "domain"]],
  ] as const) {
    const reply = await find(body);
    expect([reply.status, reply.body.details?.[0]?.loc]).toEqual([422, loc]);
  }
  expect(await left()).toBe(3);
});

test("ten at once with credits for three: three are told", async () => {
  await anna("corp.zz");
  await api.settled();
  const replies = await Promise.all(Array.from({ length: 10 }, () => anna("corp.zz")));
  expect(replies.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(2);
  expect(replies.every(({ status }) => status === 200 || status === 403)).toBe(true);
  const { available, held } = await ledger.balance();
  expect({ available, held }).toEqual({
    available: 2 - replies.filter(({ status }) => status === 200).length,
    held: 0,
  });
});

test("the free plan is refused before anything is asked, and so is who has no credits", async () => {
  tenant = await api.tenant({ plan: "free" });
  expect(
    (
      await tenant.callAsUser("POST", "/api/v1/email-finder/find", {
        domain: "corp.zz",
        first_name: "Anna",
        last_name: "Lind",
      })
    ).body.detail,
  ).toBe("FREE_TIER_FORBIDDEN");
  tenant = await api.tenant({ credits: 0 });
  expect((await anna("corp.zz")).body.detail).toBe("INSUFFICIENT_CREDITS");
  expect(farm.traffic.operators()).toEqual([]);
});

test("a deployment without a way to port 25 says so; what is known it answers", async () => {
  const person = { domain: "corp.zz", firstName: "Anna", lastName: "Lind" };
  const soon = () => new Date(api.deps.clock.now().getTime() + 5_000);
  const without = { ...api.deps, mailProbe: null };
  await expect(findEmail(without, person, soon())).rejects.toMatchObject({
    code: "SMTP_UNAVAILABLE",
  });
  expect(await findEmail(without, { ...person, domain: "nomail.zz" }, soon())).toEqual({
    kind: "not_found",
    backend: "dns",
  });
  await anna("corp.zz");
  await api.settled();
  expect(await findEmail(without, person, soon())).toMatchObject({
    kind: "found",
    backend: "cache",
  });
});

test("past its deadline nobody is asked", async () => {
  const person = { domain: "corp.zz", firstName: "Anna", lastName: "Lind" };
  await expect(findEmail(api.deps, person, api.deps.clock.now())).rejects.toMatchObject({
    code: "SMTP_UNAVAILABLE",
  });
  expect(farm.traffic.operators()).toEqual([]);
});
