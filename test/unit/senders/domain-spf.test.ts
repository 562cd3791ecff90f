import { expect, test } from "vitest";
import { evaluateSpf } from "#src/domain/senders/domain-check/spf.ts";
import { readSpf } from "#src/domain/senders/domain-check/spf-terms.ts";
import { lookupIn } from "../../support/zone-lookup.ts";

const evaluate = (zone: string, silent: string[] = []) =>
  evaluateSpf(lookupIn(zone, silent), "a.zz");

test("a record with an include authorises, and names what it includes", async () => {
  const report = await evaluate(`
    a.zz TXT "v=spf1 include:_spf.relay.zz ~all"
    a.zz TXT "google-site-verification=x"
    _spf.relay.zz TXT "v=spf1 ip4:192.0.2.0/24 ip6:2001:db8::/32 -all"`);
  expect(report).toEqual({
    kind: "valid",
    reason: null,
    lookups: 1,
    includes: ["_spf.relay.zz"],
    authorises: true,
    open: false,
  });
});

test.each([
  ["no record", `a.zz TXT "hello"`, "none"],
  ["none of the kind", `a.zz TXT "v=spf10 -all"`, "none"],
  ["no such name", `b.zz A 192.0.2.1`, "none"],
  ["two records", `a.zz TXT "v=spf1 -all"\na.zz TXT "v=spf1 mx -all"`, "several"],
  ["a term that does not exist", `a.zz TXT "v=spf1 ipv4:192.0.2.1 -all"`, "broken"],
  ["an address that is none", `a.zz TXT "v=spf1 ip4:192.0.2.256 -all"`, "broken"],
  ["two redirects", `a.zz TXT "v=spf1 redirect=b.zz redirect=b.zz"`, "broken"],
  ["an include without a record", `a.zz TXT "v=spf1 include:b.zz -all"`, "broken"],
  [
    "an include with two",
    `a.zz TXT "v=spf1 include:b.zz"\nb.zz TXT "v=spf1 -all"\nb.zz TXT "v=spf1 mx"`,
    "broken",
  ],
  [
    "more than ten mail hosts",
    `a.zz TXT "v=spf1 mx -all"\n${Array.from({ length: 11 }, (_, i) => `a.zz MX 1 m${i}.zz`).join("\n")}`,
    "broken",
  ],
  ["an include of itself", `a.zz TXT "v=spf1 include:a.zz -all"`, "broken"],
])("%s", async (_what, zone, kind) => {
  expect((await evaluate(zone)).kind).toBe(kind);
});

test("ten lookups are allowed and eleven are not, over all includes", async () => {
  const zone = (count: number) =>
    `a.zz TXT "v=spf1 ${Array.from({ length: count - 1 }, (_, i) => `include:i${i}.zz`).join(" ")} mx -all"
a.zz MX 10 mx.a.zz
${Array.from({ length: count }, (_, i) => `i${i}.zz TXT "v=spf1 ip4:192.0.2.${i} -all"`).join("\n")}`;
  expect(await evaluate(zone(10))).toMatchObject({ kind: "valid", lookups: 10 });
  expect(await evaluate(zone(11))).toMatchObject({
    kind: "broken",
    reason: "it takes more than 10 DNS lookups (mx)",
  });
});

test("two names without records are allowed and three are not", async () => {
  const ok = `a.zz TXT "v=spf1 a:n1.zz mx:n2.zz ip4:192.0.2.1 -all"`;
  expect((await evaluate(ok)).kind).toBe("valid");
  const bad = `a.zz TXT "v=spf1 a:n1.zz mx:n2.zz exists:n3.zz ip4:192.0.2.1 -all"`;
  expect((await evaluate(bad)).kind).toBe("broken");
});

test("a redirect counts where nothing matches, and not behind all", async () => {
  const target = `b.zz TXT "v=spf1 ip4:192.0.2.1 -all"`;
  expect(await evaluate(`a.zz TXT "v=spf1 redirect=b.zz"\n${target}`)).toMatchObject({
    authorises: true,
    lookups: 1,
    includes: ["b.zz"],
  });
  expect(await evaluate(`a.zz TXT "v=spf1 -all redirect=b.zz"\n${target}`)).toMatchObject({
    authorises: false,
    lookups: 0,
  });
  expect((await evaluate(`a.zz TXT "v=spf1 redirect=c.zz"`)).kind).toBe("broken");
});

test("who passes: nobody, everybody, somebody", async () => {
  expect(await evaluate(`a.zz TXT "v=spf1 -all"`)).toMatchObject({
    authorises: false,
    open: false,
  });
  expect(await evaluate(`a.zz TXT "v=spf1 ip4:192.0.2.1 +all"`)).toMatchObject({ open: true });
  expect(await evaluate(`a.zz TXT "v=spf1 ?ip4:192.0.2.1 -all"`)).toMatchObject({
    authorises: false,
  });
  expect(
    await evaluate(`a.zz TXT "v=spf1 include:b.zz -all"\nb.zz TXT "v=spf1 all"`),
  ).toMatchObject({ open: true });
});

test("what depends on the message is counted and not followed", async () => {
  const lookup = lookupIn(`a.zz TXT "v=spf1 exists:%{i}.l.b.zz include:%{d}.c.zz -all"`);
  expect(await evaluateSpf(lookup, "a.zz")).toMatchObject({ kind: "valid", lookups: 2 });
  expect(lookup.asked).toEqual(["a.zz TXT"]);
});

test("where DNS is silent nothing is said, at any depth", async () => {
  const zone = `a.zz TXT "v=spf1 include:b.zz -all"\nb.zz TXT "v=spf1 a:c.zz -all"\nc.zz A 192.0.2.1`;
  for (const silent of ["a.zz", "b.zz", "c.zz"])
    expect((await evaluate(zone, [silent])).kind).toBe("unknown");
  expect((await evaluate(zone)).kind).toBe("valid");
});

test("terms are read with qualifiers, targets and prefix lengths", () => {
  expect(readSpf("v=spf1 a/24 a:b.zz/24//64 -mx:c.zz ip6:::1 exp=e.zz x=y ~all")).toEqual({
    redirect: null,
    mechanisms: [
      { qualifier: "+", name: "a", target: null },
      { qualifier: "+", name: "a", target: "b.zz" },
      { qualifier: "-", name: "mx", target: "c.zz" },
      { qualifier: "+", name: "ip6", target: "::1" },
      { qualifier: "~", name: "all", target: null },
    ],
  });
});
