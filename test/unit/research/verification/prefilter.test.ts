import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  isOneSlipAway,
  likelyDomain,
} from "#src/domain/research/verification/prefilter/prefilter.ts";
import { needsSmtpUtf8, readAddress } from "#src/domain/research/verification/prefilter/address.ts";
import { prefilter } from "#src/domain/research/verification/prefilter/prefilter.ts";
import { isRole } from "#src/domain/research/verification/prefilter/role.ts";

/** A domain of so many octets. */
const domainOf = (octets: number) =>
  `${`${"b".repeat(62)}.`.repeat(2)}${"c".repeat(octets - 129)}.zz`;

const rejectOf = (text: string) => prefilter(text).reject;

describe("what is an address", () => {
  test.each([
    ["anna.lind@corp.zz", "anna.lind", "corp.zz"],
    ["  Anna+x@CORP.zz ", "Anna+x", "corp.zz"],
    ["o'brien@corp.zz", "o'brien", "corp.zz"],
    ['"anna lind"@corp.zz', '"anna lind"', "corp.zz"],
    ['"a\\"b@c"@corp.zz', '"a\\"b@c"', "corp.zz"],
    ["anna@bücher.zz", "anna", "xn--bcher-kva.zz"],
    ["用户@例え.zz", "用户", "xn--r8jz45g.zz"],
    ["a\u0301nna@corp.zz", "\u00e1nna", "corp.zz"],
    [`${"a".repeat(64)}@corp.zz`, "a".repeat(64), "corp.zz"],
    [`${"a".repeat(64)}@${domainOf(189)}`, "a".repeat(64), domainOf(189)],
  ])("%s", (text, local, domain) => {
    expect(readAddress(text)).toEqual({ local, domain });
    expect(rejectOf(text)).not.toBe("syntax");
  });

  test.each([
    "",
    "@",
    "anna",
    "@corp.zz",
    "anna@",
    "anna@corp",
    "anna@@corp.zz",
    "anna@corp..zz",
    "anna@-corp.zz",
    "anna@corp.123",
    "anna@192.0.2.1",
    "anna@[192.0.2.1]",
    "anna@[IPv6:2001:db8::1]",
    ".anna@corp.zz",
    "anna.@corp.zz",
    "an..na@corp.zz",
    "anna lind@corp.zz",
    "anna,lind@corp.zz",
    "Anna <anna@corp.zz>",
    "anna@corp.zz\r\nRCPT TO:<x@y.zz>",
    '"anna@corp.zz',
    '"an"na"@corp.zz',
    '"a\r\nb"@corp.zz',
    `${"a".repeat(65)}@corp.zz`,
    `${"ä".repeat(33)}@corp.zz`,
    `${"a".repeat(64)}@${domainOf(190)}`,
    `anna@${"a".repeat(64)}.zz`,
    `anna@${"a.".repeat(130)}zz`,
    "anna@corp_x.zz",
    "an\ud800na@corp.zz",
    "anna@corp.zz\u0000",
  ])("%j is none", (text) => {
    expect(prefilter(text)).toEqual({
      address: null,
      reject: "syntax",
      isRole: false,
      isFree: false,
      suggestion: null,
    });
  });

  test("only letters beyond ASCII before the @ need SMTPUTF8", () => {
    expect(needsSmtpUtf8(readAddress("用户@corp.zz")!)).toBe(true);
    expect(needsSmtpUtf8(readAddress("anna@bücher.zz")!)).toBe(false);
  });
});

describe("what is refused without asking anybody", () => {
  test.each([
    ["anna@example.com", "reserved"],
    ["anna@mail.example.org", "reserved"],
    ["anna@corp.test", "reserved"],
    ["anna@box.local", "reserved"],
    ["anna@abc.onion", "reserved"],
    ["anna@nas.home.arpa", "reserved"],
    ["anna@localhost.localdomain", "reserved"],
    ["noreply@corp.zz", "system"],
    ["No-Reply+tag@corp.zz", "system"],
    ["noreply-orders@corp.zz", "system"],
    ["mailer-daemon@corp.zz", "system"],
    ["bounce+abc=1@corp.zz", "system"],
    ["dev-bounces@corp.zz", "system"],
    ["owner-list@corp.zz", "system"],
    ["postmaster@corp.zz", "system"],
    ["test@corp.zz", "placeholder"],
    ["asdf@corp.zz", "placeholder"],
    ["first.last@corp.zz", "placeholder"],
    ["vorname.nachname@corp.zz", "placeholder"],
    ["aaaaaa@corp.zz", "placeholder"],
    ["foo@bar.com", "placeholder"],
    ["a@a.com", "placeholder"],
    ["name@company.com", "placeholder"],
    ["anna@yourdomain.com", "placeholder"],
  ])("%s: %s", (text, reject) => expect(rejectOf(text)).toBe(reject));

  // A person refused for good is the dearest mistake.
  test.each(
    "anna@examples.com anna@testing.zz anna@latest.zz anna@mylocal.zz anna@company.com john.doe@corp.zz aaa@corp.zz 12345@qq.com x@corp.zz elon@x.com b.ounce@corp.zz replyanna@corp.zz tester.anna@corp.zz testa@corp.zz rooth@corp.zz abusek@corp.zz info@corp.zz hannah.firstlast@corp.zz na@corp.zz n.a@corp.zz asd@corp.zz abc@corp.zz xyz@corp.zz xxx@corp.zz nil@corp.zz foo@corp.zz bar@corp.zz root@corp.zz joe.root@corp.zz".split(
      " ",
    ),
  )("%s may be somebody", (text) => expect(rejectOf(text)).toBe(null));
});

describe("offices", () => {
  test.each(
    "info Sales support+x sales-emea info.berlin hr hr-berlin it-support vertrieb contabilidad atencion kundeservice biuro root".split(
      " ",
    ),
  )("%s", (local) => expect(isRole(local)).toBe(true));
  test.each(
    "ar.rahman it.smith ola.nordmann anna salesman informa pr.jones grant.m mark art bill".split(
      " ",
    ),
  )("%s is a person, as far as a name tells", (local) => expect(isRole(local)).toBe(false));
});

describe("what was probably meant", () => {
  test.each([
    ["gmial.com", "gmail.com"],
    ["gmai.com", "gmail.com"],
    ["gmaill.com", "gmail.com"],
    ["gmail.con", "gmail.com"],
    ["hotmial.com", "hotmail.com"],
    ["yaho.com", "yahoo.com"],
    ["outlok.com", "outlook.com"],
  ])("%s: %s", (typed, meant) => {
    expect(likelyDomain(typed)).toBe(meant);
    expect(prefilter(`Anna@${typed}`).suggestion).toBe(`Anna@${meant}`);
  });
  test.each(["gmail.com", "mail.com", "ymail.com", "email.com", "gmx.at", "corp.zz", "live.co.uk"])(
    "%s is itself",
    (domain) => expect(likelyDomain(domain)).toBe(null),
  );
  test("one slip is one letter wrong, missing, too many or out of turn, and the other way round too", () => {
    const word = fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 1, maxLength: 8 });
    const distance = (a: string, b: string): number => {
      // The textbook's table (optimal string alignment), as the judge.
      const rows = Array.from({ length: a.length + 1 }, (_, i) =>
        Array.from({ length: b.length + 1 }, (_, j) => (i === 0 ? j : j === 0 ? i : 0)),
      );
      for (let i = 1; i <= a.length; i++)
        for (let j = 1; j <= b.length; j++) {
          const swap =
            i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
              ? rows[i - 2]![j - 2]! + 1
              : Infinity;
          rows[i]![j] = Math.min(
            rows[i - 1]![j]! + 1,
            rows[i]![j - 1]! + 1,
            rows[i - 1]![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1),
            swap,
          );
        }
      return rows[a.length]![b.length]!;
    };
    fc.assert(
      fc.property(word, word, (a, b) => {
        expect(isOneSlipAway(a, b)).toBe(distance(a, b) === 1);
        expect(isOneSlipAway(b, a)).toBe(isOneSlipAway(a, b));
      }),
      { numRuns: 2_000 },
    );
  });
});

test("whatever text comes, there is an answer, and what passes has one @ and no control character", () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string({ unit: "binary", maxLength: 400 }), fc.emailAddress()),
      (text) => {
        const { address, reject } = prefilter(text);
        expect(address === null).toBe(reject === "syntax");
        if (address === null) return;
        // oxlint-disable-next-line no-control-regex
        expect(`${address.local}@${address.domain}`).not.toMatch(/[\u0000-\u001f\u007f]/);
        expect(address.domain).toMatch(/^[a-z0-9.-]+\.[a-z][a-z0-9-]*$/);
      },
    ),
    { numRuns: 2_000 },
  );
});

test("an ordinary address of RFC 5322 is one", () => {
  fc.assert(
    fc.property(fc.emailAddress(), (text) => {
      expect(readAddress(text)).not.toBeNull();
    }),
  );
});
