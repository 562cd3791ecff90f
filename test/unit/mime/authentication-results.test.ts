import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { AUTH_RESULTS, readAuthenticationResults } from "#src/mime/authentication-results.ts";

const read = (...values: string[]) => readAuthenticationResults(values);

describe("what a receiver wrote", () => {
  test.each([
    [
      "Gmail's",
      `mx.google.com; dkim=pass header.i=@example.com header.s=s1 header.b=abc; spf=pass (google.com: domain of a@example.com designates 192.0.2.1 as permitted sender) smtp.mailfrom=a@example.com; dmarc=pass (p=NONE sp=NONE dis=NONE) header.from=example.com`,
      { by: "mx.google.com", spf: "pass", dkim: "pass", dmarc: "pass" },
    ],
    [
      "Microsoft's, which names nobody",
      `spf=fail (sender IP is 192.0.2.1) smtp.mailfrom=example.com; dkim=none (message not signed) header.d=none;dmarc=fail action=quarantine header.from=example.com;compauth=fail reason=000`,
      { by: null, spf: "fail", dkim: "none", dmarc: "fail" },
    ],
    [
      "RFC 8601's with a version, comments and a method's",
      `example.org 1; spf/1 = SoftFail smtp.mailfrom=x; none`,
      { by: "example.org", spf: "softfail", dkim: null, dmarc: null },
    ],
    [
      "one whose comment lies",
      `mx.zz; (dkim=pass; spf=pass;) dkim=fail (dmarc=pass (nested)) header.d="a;dmarc=pass"`,
      { by: "mx.zz", spf: null, dkim: "fail", dmarc: null },
    ],
    ["nothing's", `mx.zz; none`, { by: "mx.zz", spf: null, dkim: null, dmarc: null }],
    [
      "a word that is no result",
      `mx.zz; spf=great`,
      { by: "mx.zz", spf: null, dkim: null, dmarc: null },
    ],
  ])("%s is read", (_, value, wanted) => expect(read(value)).toEqual(wanted));

  test("of several fields those of whom the topmost names count, of several signatures one that passes", () => {
    expect(
      read(
        "mx.zz; dkim=fail header.d=a.zz",
        "relay.evil; spf=pass; dmarc=pass",
        "MX.zz; dkim=pass header.d=b.zz; spf=neutral",
      ),
    ).toEqual({ by: "mx.zz", spf: "neutral", dkim: "pass", dmarc: null });
  });

  test("without a field there is nothing", () => expect(read()).toBe(null));
});

test("whatever is written, only results of the protocol come out, in time", () => {
  const part = fc.constantFrom(
    "spf=pass",
    "dkim",
    "=",
    ";",
    "(",
    ")",
    '"',
    "\\",
    "dmarc=",
    " ",
    "mx.zz",
    "fail",
    "constructor=pass",
    "header.d=a.zz",
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(part, fc.string()), { maxLength: 200 }), (parts) => {
      const { spf, dkim, dmarc } = read(parts.join(""), parts.toReversed().join(""))!;
      for (const result of [spf, dkim, dmarc]) expect([...AUTH_RESULTS, null]).toContain(result);
    }),
  );
  expect(read("(".repeat(1e6))).toMatchObject({ spf: null });
});
