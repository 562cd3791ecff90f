import { createSocket } from "node:dgram";
import { Resolver } from "node:dns/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startUdpDns, type UdpDns } from "../../../scripts/eval-verify/udp-dns.ts";
import { farmNames } from "../../../scripts/stack/farm/names.ts";
import { readFarm } from "../../../scripts/stack/farm/table.ts";

let dns: UdpDns;
const resolver = new Resolver({ timeout: 200, tries: 1 });

beforeAll(async () => {
  dns = await startUdpDns(
    farmNames(readFarm(), () => "127.0.0.1"),
    { address: "127.0.0.1", port: 0 },
  );
  resolver.setServers([`127.0.0.1:${dns.port}`]);
});
afterAll(() => dns.close());

const exchangers = async (name: string) =>
  (await resolver.resolveMx(name)).map(({ priority, exchange }) => `${priority} ${exchange}`);

test("the system's resolver reads the farm's names", async () => {
  expect((await exchangers("deadfirst.zz")).toSorted()).toEqual([
    "10 mx1.deadfirst.zz",
    "20 mx2.deadfirst.zz",
  ]);
  expect(await exchangers("nickname.zz")).toEqual(["10 mx.canonical.zz"]);
  expect(await exchangers("nomail.zz")).toEqual(["0 "]);
  expect(await resolver.resolve4("mx.aliased.zz")).toEqual(["127.0.0.1"]);
  expect(await resolver.resolveTxt("textonly.zz")).toEqual([["v=spf1 -all"]]);
});

test.each([
  ["unregistered.zz", "ENOTFOUND"],
  ["textonly.zz", "ENODATA"],
  ["brokenzone.zz", "ESERVFAIL"],
  ["slowzone.zz", "ETIMEOUT"],
])("%s is %s", async (name, code) => {
  await expect(resolver.resolveMx(name)).rejects.toMatchObject({ code });
});

test("what is no query is not answered, and breaks nothing", async () => {
  const socket = createSocket("udp4");
  const header = Buffer.alloc(12);
  header.writeUInt16BE(1, 4);
  const broken = [
    "",
    "x",
    header,
    Buffer.concat([header, Buffer.of(63, 1, 2)]),
    Buffer.alloc(500, 255),
  ];
  for (const octets of broken)
    await new Promise((resolve) => socket.send(octets, dns.port, "127.0.0.1", resolve));
  socket.close();
  expect(await resolver.resolve4("mx.corp.zz")).toEqual(["127.0.0.1"]);
});
