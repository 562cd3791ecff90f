import { beforeAll, expect, test } from "vitest";
import { generateDkimKey } from "#src/mime/dkim.ts";
import { checkDomain } from "#src/domain/senders/domain-check/check.ts";
import { judgeDomain } from "#src/domain/senders/domain-check/judge.ts";
import type { SendingDomain } from "#src/domain/senders/domain-records.ts";
import { txtData } from "../../../scripts/stack/dns/zone-file.ts";
import { lookupIn } from "../../support/zone-lookup.ts";

const settings = {
  trackingBaseUrl: "https://track.overture.zz",
  trackingOnDomains: true,
  spfInclude: null as string | null,
  inboundMx: "mx.overture.zz" as string | null,
  reportsDomain: null,
};
let sending: SendingDomain;
let records: Record<string, string>;

beforeAll(async () => {
  const [rsa, ed25519] = [await generateDkimKey("rsa"), await generateDkimKey("ed25519")];
  sending = {
    id: "0190aaaa-0000-7000-8000-000000000001",
    domain: "a.zz",
    dkimSelector: "s1",
    dkimPublicKey: rsa.publicKey,
    ed25519Selector: "s2",
    ed25519PublicKey: ed25519.publicKey,
  };
  records = {
    "_overture.a.zz": `TXT "overture-domain=${sending.id}"`,
    "s1._domainkey.a.zz": `TXT ${txtData(`v=DKIM1; k=rsa; p=${rsa.publicKey}`)}`,
    "s2._domainkey.a.zz": `TXT "v=DKIM1; k=ed25519; p=${ed25519.publicKey}"`,
    "a.zz": `TXT "v=spf1 ip4:192.0.2.1 ~all"`,
    "_dmarc.a.zz": `TXT "v=DMARC1; p=none"`,
    "bounce.a.zz": 'MX 20 mx.overture.zz.\nTXT "v=spf1 ip4:192.0.2.1 -all"',
    "link.a.zz": "CNAME track.overture.zz.",
  };
});

const MX = "a.zz MX 10 mx.a.zz";
const zoneOf = (changes: Record<string, string | null> = {}, more = MX) =>
  `${Object.entries({ ...records, ...changes })
    .flatMap(([name, data]) =>
      data === null ? [] : data.split("\n").map((one) => `${name} ${one}`),
    )
    .join("\n")}\n${more}`;

async function statuses(zone: string, silent: string[] = [], senders: string[] = []) {
  const checked = await checkDomain(lookupIn(zone, silent), sending, settings, senders);
  return Object.fromEntries(
    checked.map(({ purpose, host, status }) => [
      purpose === "dkim"
        ? `dkim ${host.slice(0, 2)}`
        : host.startsWith("bounce.") && purpose === "spf"
          ? "bounce spf"
          : purpose,
      status,
    ]),
  );
}

const ALL_OK = {
  ownership: "ok",
  "dkim s1": "ok",
  "dkim s2": "ok",
  spf: "ok",
  dmarc: "ok",
  mx: "ok",
  return_path: "ok",
  "bounce spf": "ok",
  tracking: "ok",
};

test("a domain with everything published is in order, with a key in several strings", async () => {
  expect(records["s1._domainkey.a.zz"]).toMatch(/" "/);
  expect(await statuses(zoneOf())).toEqual(ALL_OK);
});

test("nothing published: everything is missing", async () => {
  expect(new Set(Object.values(await statuses("b.zz A 192.0.2.1")))).toEqual(new Set(["missing"]));
});

test.each<[string, () => Record<string, string | null>, Record<string, string>]>([
  [
    "someone else's token",
    () => ({ "_overture.a.zz": `TXT "overture-domain=x"` }),
    { ownership: "mismatch" },
  ],
  [
    "bounces that go elsewhere",
    () => ({ "bounce.a.zz": 'MX 10 mx.elsewhere.zz.\nTXT "v=spf1 ip4:192.0.2.1 -all"' }),
    { return_path: "mismatch" },
  ],
  [
    "bounces of which some go elsewhere",
    () => ({
      "bounce.a.zz":
        'MX 10 mx.overture.zz.\nMX 20 mx.elsewhere.zz.\nTXT "v=spf1 ip4:192.0.2.1 -all"',
    }),
    { return_path: "mismatch" },
  ],
  [
    "a return path without SPF",
    () => ({ "bounce.a.zz": "MX 10 mx.overture.zz." }),
    { "bounce spf": "missing" },
  ],
  [
    "someone else's token beside ours",
    () => ({ "_overture.a.zz": `TXT "overture-domain=x"\n${records["_overture.a.zz"]}` }),
    {},
  ],
  [
    "another key",
    () => ({ "s1._domainkey.a.zz": `TXT "v=DKIM1; k=rsa; p=MIIB"` }),
    { "dkim s1": "mismatch" },
  ],
  [
    "a revoked key",
    () => ({ "s1._domainkey.a.zz": `TXT "v=DKIM1; p="` }),
    { "dkim s1": "mismatch" },
  ],
  [
    "a key in testing",
    () => ({
      "s2._domainkey.a.zz": `TXT "v=DKIM1; k=ed25519; t=y; p=${sending.ed25519PublicKey}"`,
    }),
    { "dkim s2": "mismatch" },
  ],
  [
    "two keys",
    () => ({ "s2._domainkey.a.zz": `${records["s2._domainkey.a.zz"]}\nTXT "v=DKIM1; p=MIIB"` }),
    { "dkim s2": "multiple" },
  ],
  [
    "a key behind a CNAME",
    () => ({ "s2._domainkey.a.zz": "CNAME k.b.zz", "k.b.zz": records["s2._domainkey.a.zz"]! }),
    {},
  ],
  [
    "two SPF records",
    () => ({ "a.zz": `TXT "v=spf1 mx -all"\nTXT "v=spf1 -all"` }),
    { spf: "multiple" },
  ],
  ["SPF for nobody", () => ({ "a.zz": `TXT "v=spf1 -all"` }), { spf: "mismatch" }],
  ["SPF for everybody", () => ({ "a.zz": `TXT "v=spf1 ip4:192.0.2.1 +all"` }), { spf: "mismatch" }],
  ["no DMARC", () => ({ "_dmarc.a.zz": null }), { dmarc: "missing" }],
  [
    "two DMARC policies",
    () => ({ "_dmarc.a.zz": `TXT "v=DMARC1; p=none"\nTXT "v=DMARC1; p=reject"` }),
    { dmarc: "multiple" },
  ],
  [
    "another tracking host",
    () => ({ "link.a.zz": "CNAME elsewhere.zz" }),
    { tracking: "mismatch" },
  ],
])("%s", async (_what, changes, wanted) => {
  expect(await statuses(zoneOf(changes()))).toEqual({ ...ALL_OK, ...wanted });
});

test("a domain that refuses all mail loses its replies (null MX)", async () => {
  expect(await statuses(zoneOf({}, "a.zz MX 0 ."))).toMatchObject({ mx: "mismatch" });
});

test("an include that the deployment asks for has to be there", async () => {
  const own = { ...settings, spfInclude: "spf.overture.zz" };
  const spfOf = async (zone: string) =>
    (await checkDomain(lookupIn(zone), sending, own)).find(({ purpose }) => purpose === "spf");
  expect(await spfOf(zoneOf())).toMatchObject({
    status: "mismatch",
    expected: "v=spf1 include:spf.overture.zz ~all",
  });
  const with_ = zoneOf({
    "a.zz": `TXT "v=spf1 include:spf.overture.zz -all"`,
    "spf.overture.zz": `TXT "v=spf1 ip4:192.0.2.9 -all"`,
  });
  expect(await spfOf(with_)).toMatchObject({ status: "ok" });
});

test("mail from a name below the domain is not aligned where DMARC is strict", async () => {
  const strict = zoneOf({ "_dmarc.a.zz": `TXT "v=DMARC1; p=none; adkim=s"` });
  expect((await statuses(strict))["dmarc"]).toBe("ok");
  expect((await statuses(strict, [], ["mail.a.zz"]))["dmarc"]).toBe("mismatch");
  expect((await statuses(zoneOf(), [], ["mail.a.zz"]))["dmarc"]).toBe("ok");
});

test("a record for which DNS gives no answer is unknown, and the others are as they are", async () => {
  expect(await statuses(zoneOf(), ["_overture.a.zz", "_dmarc.a.zz"])).toEqual({
    ...ALL_OK,
    ownership: "unknown",
    dmarc: "unknown",
  });
});

const now = new Date("2026-05-05T10:00:00Z");
const earlier = new Date("2026-05-04T10:00:00Z");
type Judged = Parameters<typeof judgeDomain>;
const judged = (status: Judged[0]["status"], failingSince: Date | null, seen: string[]) =>
  judgeDomain(
    { status, failingSince },
    seen.map((each) => ({
      status: each.replace("!", ""),
      required: !each.endsWith("!"),
    })) as Judged[1],
    now,
  );

test("only required records decide, and only a domain that was verified can be failing", () => {
  expect(judged("pending", null, ["ok", "missing!"])).toMatchObject({ status: "verified" });
  expect(judged("pending", null, ["ok", "missing"])).toMatchObject({ status: "pending" });
  expect(judged("unknown", null, ["ok", "mismatch"])).toMatchObject({ status: "pending" });
  expect(judged("verified", null, ["ok", "multiple"])).toEqual({
    status: "failing",
    kept: "failing",
    failingSince: now,
  });
  expect(judged("failing", earlier, ["missing"])).toMatchObject({ failingSince: earlier });
  expect(judged("failing", earlier, ["ok"])).toMatchObject({
    kept: "verified",
    failingSince: null,
  });
});

test("a check that DNS did not answer takes nothing back", () => {
  expect(judged("verified", null, ["ok", "unknown"])).toEqual({
    status: "unknown",
    kept: "verified",
    failingSince: null,
  });
  expect(judged("failing", earlier, ["unknown"])).toEqual({
    status: "unknown",
    kept: "failing",
    failingSince: earlier,
  });
  expect(judged("pending", null, ["unknown"])).toMatchObject({ kept: "unknown" });
  expect(judged("verified", null, ["unknown", "missing"])).toMatchObject({ status: "failing" });
});
