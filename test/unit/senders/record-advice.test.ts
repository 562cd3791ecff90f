import { describe, expect, test } from "vitest";
import {
  type DomainRecord,
  type RecordSettings,
  wantedRecords,
} from "#src/domain/senders/domain-records.ts";
import { adviceOn } from "#src/domain/senders/record-advice.ts";

const SETTINGS: RecordSettings = {
  trackingBaseUrl: "https://track.overture.test",
  trackingOnDomains: true,
  spfInclude: "spf.overture.test",
  inboundMx: "mx.overture.test",
  reportsDomain: null,
};
const recordsOf = (domain: string) =>
  wantedRecords(
    {
      id: "01a20000-0000-7000-8000-000000000000",
      domain,
      dkimSelector: "overture-1",
      dkimPublicKey: "A",
      ed25519Selector: null,
      ed25519PublicKey: null,
    },
    SETTINGS,
  );
type Purpose = DomainRecord["purpose"];
const seen = (
  purpose: Purpose,
  status: DomainRecord["status"],
  found: string[] = [],
): DomainRecord => ({
  ...recordsOf("example.com").find((record) => record.purpose === purpose)!,
  status,
  found,
});
const advice = (...of: Parameters<typeof seen>) => adviceOn(seen(...of), "example.com");

test.each([
  ["example.com", ["_overture", "overture-1._domainkey", "@", "_dmarc", "@"]],
  [
    "mail.example.co.uk",
    ["_overture.mail", "overture-1._domainkey.mail", "mail", "_dmarc.mail", "mail"],
  ],
])("of %s each record has the name that its zone's page wants", (domain, names) => {
  const hosts = recordsOf(domain).map(
    (record) => adviceOn({ ...record, status: "missing", found: [] }, domain).hostInZone,
  );
  expect(hosts.slice(0, 5)).toEqual(names);
});

describe("what is wrong, and how it is mended", () => {
  test("nothing of a record that is right, and patience where DNS was silent", () => {
    expect(advice("spf", "ok")).toMatchObject({ why: null, fix: null });
    expect(advice("spf", "unknown").fix).toBe("Let the domain be verified again in a few minutes.");
  });

  test("a missing record is to be added, with its value", () => {
    expect(advice("dmarc", "missing")).toEqual({
      hostInZone: "_dmarc",
      why: "_dmarc.example.com has no such record. Without it large receivers refuse mail that is sent to many.",
      fix: "In the zone example.com, add a TXT record named _dmarc with the value v=DMARC1; p=none",
    });
  });

  test("a wrong one is replaced, completed or sent around, by what it is", () => {
    expect(advice("tracking", "mismatch", ["other.test"]).fix).toBe(
      "Replace it by: track.overture.test",
    );
    expect(advice("ownership", "mismatch", ["overture-domain=other"]).fix).toMatch(
      /^Add a value beside/,
    );
    expect(
      advice("spf", "mismatch", ["v=spf1 -all", "(example.com: more than 10 lookups)"]),
    ).toMatchObject({
      why: expect.stringMatching(/^Example.com: more than 10 lookups\. Without it/),
      fix: expect.stringContaining("include:spf.overture.test"),
    });
    expect(advice("mx", "mismatch", ["0 ."]).why).toMatch(
      /^example.com says that it takes no mail\./,
    );
    const unaligned = advice("dmarc", "mismatch", [
      "v=DMARC1; adkim=s",
      "(mail from a.example.com is not aligned with example.com)",
    ]);
    expect(unaligned.fix).toContain("adkim=s");
    expect(advice("dmarc", "mismatch", ["v=DMARC1; p=nine"]).fix).toBe(
      "Replace it by: v=DMARC1; p=none",
    );
  });

  test("of several one is kept", () => {
    expect(advice("spf", "multiple", ["v=spf1 a", "v=spf1 b"])).toMatchObject({
      why: "example.com has more than one. Receivers then count none of them.",
      fix: expect.stringContaining("Keep one of them"),
    });
  });
});
