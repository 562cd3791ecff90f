import * as fs from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import * as os from "node:os";
import * as path from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createDohDns } from "#src/providers/dns/doh.ts";
import type { Dns } from "#src/providers/dns/index.ts";
import { type DnsPart, startDns } from "../../../scripts/stack/dns.ts";

let part: DnsPart;
let dns: Dns;
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "overture-zones-"));
const put = (origin: string, text: string) =>
  fetch(`${part.url}/zones/${origin}`, { method: "PUT", body: text });

beforeAll(async () => {
  part = await startDns({ folder });
  dns = createDohDns({ fetch, resolverUrls: part.resolverUrls, timeoutMs: 300 });
});
afterAll(async () => {
  await part.close();
  fs.rmSync(folder, { recursive: true });
});
beforeEach(() => part.faults.clear());

test("a zone that was put is answered by both resolvers, and is a file that a person may edit", async () => {
  expect(
    (await put("a.zz", `a.zz TXT "one"\nmail.a.zz CNAME b.a.zz\nb.a.zz A 192.0.2.1`)).status,
  ).toBe(200);
  expect(await dns.lookup("A.zz.", "TXT")).toEqual({ kind: "records", records: ["one"] });
  expect(await dns.lookup("mail.a.zz", "A")).toEqual({ kind: "records", records: ["192.0.2.1"] });
  expect(await dns.lookup("a.zz", "MX")).toEqual({ kind: "no_data" });
  expect(await dns.lookup("nothing.zz", "MX")).toEqual({ kind: "no_name" });
  fs.writeFileSync(path.join(folder, "a.zz.zone"), `a.zz TXT "two"\n`);
  expect(await dns.lookup("a.zz", "TXT")).toEqual({ kind: "records", records: ["two"] });
  const listed = await (await fetch(`${part.url}/zones`)).json();
  expect(listed).toEqual({ folder, zones: [{ origin: "a.zz", text: `a.zz TXT "two"\n` }] });
  expect((await fetch(`${part.url}/zones/a.zz`, { method: "DELETE" })).status).toBe(200);
  expect(await dns.lookup("a.zz", "TXT")).toEqual({ kind: "no_name" });
});

test("a zone with a bad line is refused with its number, and a path is no origin", async () => {
  const reply = await put("bad.zz", "bad.zz A 192.0.2.1\noops");
  expect([reply.status, await reply.text()]).toEqual([422, "line 2 is no record: oops"]);
  expect((await put("..%2fescape", "a.zz A 192.0.2.1")).status).toBe(404);
  expect((await fetch(`${part.url}/zones/none.zz`)).status).toBe(404);
});

test("web pages and foreign host names are refused", async () => {
  const headers = { origin: "http://evil.zz" };
  expect((await fetch(`${part.url}/zones`, { headers })).status).toBe(403);
});

test.each([
  ["servfail", "SERVFAIL"],
  ["unavailable", "the resolver answered 503"],
  ["garbage", "the resolver's reply is not JSON"],
  ["timeout", "the resolver did not answer in time"],
])("%s is an error and says so", async (fault, reason) => {
  part.faults.order(fault, 2);
  expect(await dns.lookup("a.zz", "TXT")).toEqual({ kind: "error", reason });
});

test("faults of one resolver: nothing is known of what is not there", async () => {
  await put("c.zz", `c.zz TXT "x"`);
  part.faults.order("unavailable", 1);
  expect(await dns.lookup("c.zz", "TXT")).toEqual({ kind: "records", records: ["x"] });
  part.faults.order("unavailable", 1);
  expect((await dns.lookup("none.zz", "TXT")).kind).toBe("error");
  part.faults.order("second_disagrees", 1);
  expect(await dns.lookup("c.zz", "TXT")).toEqual({
    kind: "error",
    reason: "the resolvers do not agree",
  });
});

test("a reply without an end, a redirect and nobody listening are errors", async () => {
  const server = createServer((request, response) => {
    if (request.url!.startsWith("/moved"))
      return response.writeHead(302, { location: part.resolverUrls[0] }).end();
    const write = () => {
      while (!response.destroyed && response.write("x".repeat(8192)));
    };
    response.on("drain", write);
    write();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const ask = (resolver: string) =>
    createDohDns({ fetch, resolverUrls: [resolver] }).lookup("a.zz", "TXT");
  expect(await ask(url)).toEqual({ kind: "error", reason: "the resolver's reply is too long" });
  expect(await ask(`${url}/moved`)).toEqual({ kind: "error", reason: "the resolver answered 302" });
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  expect(await ask(url)).toEqual({ kind: "error", reason: "the resolver was not reached" });
});

test("names that cannot be are not asked for", async () => {
  part.log.clear();
  for (const name of ["", ".", "a..zz", `${"x".repeat(64)}.zz`, `${"x.".repeat(127)}zz`])
    expect(await dns.lookup(name, "TXT")).toEqual({ kind: "no_name" });
  expect(part.log.entries()).toEqual([]);
});
