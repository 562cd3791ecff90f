import { expect, test } from "vitest";
import { findDmarc, isAligned, readDmarc, treeOf } from "#src/domain/senders/domain-check/dmarc.ts";
import { lookupIn } from "../../support/zone-lookup.ts";

const find = (zone: string, domain: string, silent: string[] = []) =>
  findDmarc(lookupIn(zone, silent), domain);

test("the tree walk asks for the domain, then for at most seven labels and fewer", () => {
  expect(treeOf("a.mail.example.com")).toEqual([
    "a.mail.example.com",
    "mail.example.com",
    "example.com",
    "com",
  ]);
  // The example of RFC 9989 section 4.10: eight queries for ten labels.
  expect(treeOf("a.b.c.d.e.f.g.h.i.j.mail.example.com")).toEqual([
    "a.b.c.d.e.f.g.h.i.j.mail.example.com",
    "g.h.i.j.mail.example.com",
    "h.i.j.mail.example.com",
    "i.j.mail.example.com",
    "j.mail.example.com",
    "mail.example.com",
    "example.com",
    "com",
  ]);
});

test("the organization is the name with the fewest labels that has a record", async () => {
  const zone = `_dmarc.example.zz TXT "v=DMARC1; p=reject"\n_dmarc.mail.example.zz TXT "v=DMARC1; p=none"`;
  expect(await find(zone, "a.mail.example.zz")).toMatchObject({
    organization: "example.zz",
    policy: { domain: "example.zz", policy: "reject" },
  });
  expect(await find(zone, "mail.example.zz")).toMatchObject({
    organization: "example.zz",
    policy: { domain: "mail.example.zz", policy: "none" },
  });
});

test("psd=n ends the walk, and psd=y puts the organization one label below", async () => {
  const own = `_dmarc.mail.example.zz TXT "v=DMARC1; p=none; psd=n"\n_dmarc.example.zz TXT "v=DMARC1; p=reject"`;
  expect(await find(own, "a.mail.example.zz")).toMatchObject({ organization: "mail.example.zz" });
  const suffix = `_dmarc.zz TXT "v=DMARC1; p=reject; psd=y"`;
  expect(await find(suffix, "a.mail.example.zz")).toMatchObject({
    organization: "example.zz",
    policy: { domain: "zz" },
  });
});

test.each([
  ["none", `b.zz A 192.0.2.1`],
  ["none", `_dmarc.a.zz TXT "unrelated"`],
  ["several", `_dmarc.a.zz TXT "v=DMARC1; p=none"\n_dmarc.a.zz TXT "v=DMARC1; p=reject"`],
  ["broken", `_dmarc.a.zz TXT "v=DMARC1; p=whatever"`],
  ["broken", `_dmarc.a.zz TXT "v=DMARC2; p=none"`],
  ["found", `_dmarc.a.zz TXT "v=DMARC1; rua=mailto:x@a.zz"`],
  ["found", `_dmarc.a.zz TXT "v=DMARC1;p=none"`],
  ["found", `_dmarc.zz TXT "v=DMARC1; p=none"`],
])("%s: %s", async (kind, zone) => {
  expect((await find(zone, "a.zz")).kind).toBe(kind);
});

test("where DNS is silent nothing is said", async () => {
  expect((await find(`_dmarc.a.zz TXT "v=DMARC1; p=none"`, "a.zz", ["_dmarc.zz"])).kind).toBe(
    "unknown",
  );
});

test("relaxed alignment asks for one organization, strict for one name", () => {
  const from = { domain: "mail.example.zz", organization: "example.zz" };
  const signing = { domain: "example.zz", organization: "example.zz" };
  const foreign = { domain: "relay.zz", organization: "relay.zz" };
  expect(isAligned(from, signing, "relaxed")).toBe(true);
  expect(isAligned(from, signing, "strict")).toBe(false);
  expect(isAligned(signing, signing, "strict")).toBe(true);
  expect(isAligned(from, foreign, "relaxed")).toBe(false);
  expect(readDmarc("a.zz", "v=DMARC1; p=none; adkim=s; aspf=r")).toMatchObject({
    dkim: "strict",
    spf: "relaxed",
  });
});
