import { setWarpOffsetMs, warpOffsetMs } from "../../../scripts/stack/warp.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createDohDns } from "#src/providers/dns/doh.ts";
import type { Dial } from "#src/providers/mail/index.ts";
import { createGuardedDial } from "#src/providers/net/guarded-dial.ts";
import { dialAtPorts } from "../../../scripts/stack/dial-ports.ts";
import { type FarmWorld, openFarmWorld } from "../../../scripts/stack/farm-world.ts";
import type { Farm } from "../../../scripts/stack/farm.ts";
import { readFarm, readFarmFile, toTable } from "../../../scripts/stack/farm/table.ts";
import type { OperatorTraffic } from "../../../scripts/stack/farm/traffic.ts";
import { askFor, connectFarm } from "./farm-client.ts";

const table = readFarm();
let world: FarmWorld;
let farm: Farm;

beforeAll(async () => {
  world = await openFarmWorld(table);
  farm = world.farm;
});
afterAll(() => world.close());

test("DNS knows the farm's names beside the zones that people put", async () => {
  world.dnsPart.zones.put("mine.zz", `mine.zz TXT "one"`);
  const answers = await Promise.all([
    world.dns.lookup("corp.zz", "MX"),
    world.dns.lookup("deadfirst.zz", "MX"),
    world.dns.lookup("nomail.zz", "MX"),
    world.dns.lookup("xn--bcher-kva.zz", "MX"),
    world.dns.lookup("nickname.zz", "MX"),
    world.dns.addresses("mx.aliased.zz"),
    world.dns.addresses("mx.inhouse.zz"),
    world.dns.lookup("mine.zz", "TXT"),
  ]);
  expect(answers.map((each) => (each.kind === "records" ? each.records : each.kind))).toEqual([
    ["10 mx.corp.zz"],
    ["10 mx1.deadfirst.zz", "20 mx2.deadfirst.zz"],
    ["0 "],
    ["10 mx.xn--bcher-kva.zz"],
    ["10 mx.canonical.zz"],
    ["127.0.0.1"],
    ["10.0.0.25"],
    ["one"],
  ]);
  const impatient = createDohDns({
    fetch,
    resolverUrls: world.dnsPart.resolverUrls,
    timeoutMs: 200,
  });
  expect((await world.dns.lookup("unregistered.zz", "MX")).kind).toBe("no_name");
  expect((await world.dns.lookup("textonly.zz", "MX")).kind).toBe("no_data");
  expect((await world.dns.lookup("brokenzone.zz", "MX")).kind).toBe("error");
  expect((await impatient.lookup("slowzone.zz", "MX")).kind).toBe("error");
});

const target = { tls: false, startTlsLater: false, port: 25 };

async function greeting(dial: Dial, host: string): Promise<string> {
  const duplex = await dial({ ...target, host });
  const { value } = await duplex.readable.getReader().read();
  await duplex.close();
  return new TextDecoder().decode(value);
}

test("port 25 of a farm's host is its port here, behind the guard, which judges as ever", async () => {
  const rules = { loopback: true, ports: [25] };
  const dial = createGuardedDial(world.dial, world.dns, rules);
  expect(await greeting(dial, "mx.corp.zz")).toMatch(/^220 mx\.corp\.zz /);
  expect(await greeting(dial, "mx.aliased.zz")).toMatch(/^220 real\.aliased\.zz /);
  await expect(dial({ ...target, host: "mx1.deadfirst.zz" })).rejects.toThrow("ECONNREFUSED");
  await expect(dial({ ...target, host: "mx.inhouse.zz" })).rejects.toThrow("10.0.0.25");
  await expect(dial({ ...target, host: "mx.metadata.zz" })).rejects.toThrow("169.254.169.254");
});

test("hosts that are not the farm's are dialled as they are, whatever they are called", async () => {
  const dialled: unknown[] = [];
  const dial = dialAtPorts(async (each) => {
    dialled.push(each);
    throw new Error("dialled");
  }, farm.ports);
  for (const host of ["mx.elsewhere.zz", "constructor", "__proto__", "MX.Corp.zz"])
    await expect(dial({ ...target, host, address: "192.0.2.1" })).rejects.toThrow("dialled");
  const asAsked = { ...target, address: "192.0.2.1" };
  expect(dialled).toEqual([
    { ...asAsked, host: "mx.elsewhere.zz" },
    { ...asAsked, host: "constructor" },
    { ...asAsked, host: "__proto__" },
    { ...target, host: "MX.Corp.zz", address: "127.0.0.1", port: farm.ports["mx.corp.zz"] },
  ]);
});

const trafficOf = async (operator: string) => {
  const all = (await (await fetch(`${farm.url}/traffic`)).json()) as OperatorTraffic[];
  return all.find((each) => each.operator === operator);
};

test("traffic counts an operator's hosts together: at a time, by second, and who was asked for", async () => {
  await fetch(`${farm.url}/traffic`, { method: "DELETE" });
  const hosts = ["fabrik-zz", "kontor-zz", "open-zz"].map(
    (tenant) => `${tenant}.mail.protection.outlook-m365.zz`,
  );
  const clients = hosts.map((host) => connectFarm(farm, host));
  for (const client of clients) await client.reply();
  clients.forEach((client) => client.close());
  await expect.poll(async () => (await trafficOf("outlook-m365.zz"))?.open).toBe(0);
  setWarpOffsetMs(warpOffsetMs() + 5_000);
  await askFor(farm, hosts[0]!, "anna.berg@fabrik.zz");
  await askFor(farm, hosts[0]!, "ulla.holm@fabrik.zz");
  const traffic = (await trafficOf("outlook-m365.zz"))!;
  expect(traffic).toMatchObject({ connections: 5, mostOpen: 3, recipients: 2, accepted: 1 });
  const sum = (key: "opened" | "recipients") =>
    traffic.seconds.reduce((total, second) => total + second[key], 0);
  expect([sum("opened"), sum("recipients"), traffic.seconds[0]!.mostOpen]).toEqual([5, 2, 3]);
  await expect
    .poll(() => farm.log.entries().map(({ summary }) => summary))
    .toContain(`${hosts[0]} <ulla.holm@fabrik.zz> 550`);
});

test("the shortest time between two openings is the stack's", async () => {
  await fetch(`${farm.url}/traffic`, { method: "DELETE" });
  await askFor(farm, "mail.eximia.zz", "anna.berg@eximia.zz");
  expect((await trafficOf("eximia.zz"))?.shortestGapMs).toBe(null);
  setWarpOffsetMs(warpOffsetMs() + 60_000);
  await askFor(farm, "mail.eximia.zz", "anna.berg@eximia.zz");
  expect((await trafficOf("eximia.zz"))?.shortestGapMs).toBeGreaterThanOrEqual(60_000);
});

test("the farm's pages are not for web pages and foreign names, and list every truth", async () => {
  const addresses = await (await fetch(`${farm.url}/addresses`)).json();
  expect(addresses).toEqual(table.expectations);
  const headers = { origin: "http://evil.zz" };
  expect((await fetch(`${farm.url}/traffic`, { headers })).status).toBe(404);
  expect((await fetch(`${farm.url}/nothing`)).status).toBe(404);
});

test("a thousand clients that break off in the middle leave nothing open", async () => {
  await fetch(`${farm.url}/traffic`, { method: "DELETE" });
  for (let round = 0; round < 20; round++) {
    const clients = Array.from({ length: 50 }, () => connectFarm(farm, "mx.corp.zz"));
    await Promise.all(clients.map((client) => client.reply()));
    for (const client of clients) client.socket.write("EHLO a.zz\r\nMAIL FROM:<a@a.zz>\r\nRC");
    for (const client of clients) client.socket.resetAndDestroy();
  }
  await expect.poll(async () => (await trafficOf("corp.zz"))?.open).toBe(0);
  expect((await trafficOf("corp.zz"))?.connections).toBe(1000);
  expect(await askFor(farm, "mx.corp.zz", "anna@corp.zz")).toBe("250 2.1.5 Ok");
});

const provider = {
  provider: "a",
  split: "tune",
  hosts: { "mx.a.zz": {} },
  domains: { "a.zz": {} },
};

test.each([
  ["a misspelt field", [{ ...provider, hosts: { "mx.a.zz": { greeting: "220" } } }], "greeting"],
  [
    "a line that ends its reply too early",
    [{ ...provider, hosts: { "mx.a.zz": { banner: "220 one\n220 two" } } }],
    "a line before the last needs a hyphen",
  ],
  [
    "a pattern that is none",
    [{ ...provider, hosts: { "mx.a.zz": { rcpt: { when: { helo: "(" } } } } }],
    "FILE.json: ✖ Invalid regular expression",
  ],
  [
    "a misspelt condition",
    [{ ...provider, hosts: { "mx.a.zz": { rcpt: { when: { too: [] } } } } }],
    'Unrecognized key: "too"\n  → at providers[0].hosts["mx.a.zz"].rcpt[0].when',
  ],
  [
    "an outcome that is none",
    [{ ...provider, domains: { "a.zz": { catchall: ["x"] } } }],
    "catchall",
  ],
  ["a host twice", [provider, { ...provider, domains: {} }], "the host mx.a.zz stands twice"],
  [
    "an alias that is a host",
    [{ ...provider, hosts: { "mx.a.zz": { aliases: ["mx.a.zz"] } } }],
    "mx.a.zz stands twice",
  ],
  ["a domain twice", [provider, { ...provider, hosts: {} }], "the domain a.zz stands twice"],
  [
    "an address twice",
    [{ ...provider, domains: { "a.zz": { valid: ["x"], invalid: ["x"] } } }],
    "the address x@a.zz stands twice",
  ],
  [
    "both sides of the split",
    [provider, { ...provider, split: "held_out", hosts: {}, domains: {} }],
    "a is on both sides of the split",
  ],
])("a table with %s is refused", (_what, providers, reason) => {
  const text = JSON.stringify({ providers });
  expect(() => toTable(readFarmFile("FILE.json", text))).toThrow(reason);
});
