import { setWarpOffsetMs, warpOffsetMs } from "../../../scripts/stack/warp.ts";
import { domainToASCII } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Farm, startFarm } from "../../../scripts/stack/farm.ts";
import { type NamedHost, readFarm } from "../../../scripts/stack/farm/table.ts";
import { askFor } from "./farm-client.ts";

const table = readFarm();
let farm: Farm;

beforeAll(async () => {
  farm = await startFarm({ table });
});
afterAll(() => farm.close());

/** A row that keeps its client waiting, or wants TLS, is tried by the tests of the single behaviours. */
function isPlain({ name: _, mailboxes: _m, domains: _d, ...row }: NamedHost): boolean {
  return !/"(end":"(hang|flood)|drip_ms|after_ms":\d{3,}|tls":)/.test(JSON.stringify(row));
}

/** The hosts that DNS names for a domain, of those that answer and may be connected with. */
function hostsOf(domainName: string, hops = 0): NamedHost[] {
  const domain = table.domains.find(({ name }) => name === domainName)!;
  if (domain.dns !== undefined) return [];
  const alias = domain.records.find((record) => record.startsWith("CNAME "))?.split(" ")[1];
  if (alias !== undefined && hops < 3) return hostsOf(alias, hops + 1);
  const named = domain.records.flatMap((record) => /^MX \d+ (\S+)$/.exec(record)?.[1] ?? []);
  const names = named.length > 0 ? named : [domainName];
  return table.hosts.filter(
    ({ name, aliases, connect, address, dns }) =>
      [name, ...aliases].some((each) => names.includes(each)) &&
      connect === undefined &&
      address === undefined &&
      dns === undefined,
  );
}

const rows = table.expectations.map((each) => ({
  ...each,
  hosts: hostsOf(domainToASCII(each.address.split("@").at(-1)!)),
}));
type Row = (typeof rows)[number];
const plain = rows.filter(({ hosts }) => hosts.every(isPlain));

/** The replies of each host to the address and to one that nobody has. */
function ask({ address, hosts }: Row): Promise<[string, string][]> {
  const stranger = `zq81kx.${address.length}@${address.split("@").at(-1)}`;
  return Promise.all(
    hosts.map(({ name }) =>
      Promise.all([askFor(farm, name, address), askFor(farm, name, stranger)]),
    ),
  );
}

/** One address after the other at each provider, all providers side by side. */
async function askAll(): Promise<{ row: Row; replies: [string, string][] }[]> {
  const byProvider = Map.groupBy(plain, ({ provider }) => provider);
  const asked = await Promise.all(
    [...byProvider.values()].map(async (group) => {
      const answers = [];
      for (const row of group) answers.push({ row, replies: await ask(row) });
      return answers;
    }),
  );
  return asked.flat();
}

const isAccepted = (reply: string) => /^25[01]/.test(reply) && !/\n(?!25)/.test(reply);

function holds({ expect: truth }: Row, replies: [string, string][]): boolean {
  const takesAll = replies.some((both) => both.every(isAccepted));
  const accepts = replies.some(([target]) => isAccepted(target));
  const refuses = replies.some(([target]) => target.startsWith("5"));
  return {
    valid: accepts && !takesAll,
    catch_all: takesAll,
    // A host that takes all is not asked about an address that is refused by its look.
    invalid: refuses || takesAll || replies.length === 0,
    unknown: !accepts,
  }[truth];
}

test("each host answers as the truth of its addresses wants it", async () => {
  // Greylists know everybody by the second time.
  await askAll();
  setWarpOffsetMs(warpOffsetMs() + 2_000);
  const asked = await askAll();
  const wrong = asked.filter(({ row, replies }) => !holds(row, replies));
  expect(wrong.map(({ row, replies }) => [row.address, row.expect, replies])).toEqual([]);
  expect(asked.length).toBeGreaterThan(300);
});

test("addresses are under .zz, which nobody can own, but for two services that lists know", () => {
  const outside = table.domains.filter(({ name }) => !name.endsWith(".zz"));
  expect(outside.map(({ name }) => name)).toEqual(["mailinator.com", "yopmail.com"]);
  expect(outside.every(({ disposable }) => disposable)).toBe(true);
});

test("the table is as large as it says, and both sides of the split have enough of each outcome", () => {
  expect(table.hosts.length).toBeGreaterThanOrEqual(150);
  expect(table.expectations.length).toBeGreaterThanOrEqual(300);
  for (const split of ["tune", "held_out"])
    for (const outcome of ["valid", "invalid", "unknown"])
      expect(
        table.expectations.filter((each) => each.split === split && each.expect === outcome).length,
      ).toBeGreaterThanOrEqual(40);
});
