import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { exportLabel, planColumns } from "#src/domain/people/leads/columns.ts";
import { readCountry } from "#src/domain/people/leads/country.ts";
import { emailKey, mailDomain } from "#src/mime/email-key.ts";
import { readProfileUrl } from "#src/domain/people/leads/profile-url.ts";
import { type RawLead, readLead } from "#src/domain/people/leads/read-lead.ts";
import { readSendingDomain } from "#src/domain/senders/domain-name.ts";

describe("emailKey", () => {
  test.each([
    [" John.Doe@Example.COM ", "john.doe@example.com"],
    ["a+tag@example.com", "a+tag@example.com"],
    ["info@bücher.example", "info@xn--bcher-kva.example"],
    ["Jürgen@example.de", "jürgen@example.de"],
    ["o'brien@example.co.uk", "o'brien@example.co.uk"],
  ])("%j is %j", (given, key) => {
    expect(emailKey(given)).toBe(key);
  });

  test.each([
    "",
    "john",
    "@example.com",
    "john@",
    "john@localhost",
    "john@example..com",
    "john@-example.com",
    "john@[192.0.2.1]",
    "john@192.0.2.1",
    "jo hn@example.com",
    "john.@example.com",
    ".john@example.com",
    "jo..hn@example.com",
    '"john"@example.com',
    "John <john@example.com>",
    "a@b.com,c@d.com",
    "john@exa_mple.com",
    "john@example.c\u0000m",
    "john@example.com\r\nBcc: x@y.com",
    `${"x".repeat(65)}@example.com`,
    `john@${"x".repeat(250)}.com`,
  ])("%j is no address", (given) => {
    expect(emailKey(given)).toBeNull();
  });

  test.each([
    ["mailto:a@b.zz", "a@b.zz"],
    ["MAILTO:a@b.zz?subject=x", "a@b.zz"],
    ["Anna <a@b.zz>", "a@b.zz"],
    ['"Lind, Anna" <mailto:a@b.zz>;', "a@b.zz"],
    ["a@b.zz.", "a@b.zz"],
    ["a@b.zz, c@d.zz", undefined],
    ["Anna <a@b.zz> <c@d.zz", undefined],
    ["<>", undefined],
    ["mailto:", undefined],
  ])("of a lead, %j holds %j", (email, held) => {
    const read = readLead({ fields: { email }, tags: [], custom: {} });
    expect(read.ok ? read.lead.email : undefined).toBe(held);
  });

  test("a key is its own key", () => {
    fc.assert(
      fc.property(fc.emailAddress(), (address) => {
        const key = emailKey(address);
        if (key !== null) expect(emailKey(key)).toBe(key);
      }),
    );
  });

  test("domains without a dot, and addresses, are no mail domains", () => {
    expect(mailDomain("Example.COM")).toBe("example.com");
    for (const text of ["localhost", "1.2.3.4", "[::1]", "exa mple.com", "http://x.com"])
      expect(mailDomain(text)).toBeNull();
  });
});

test("a public suffix is no domain to send from", () => {
  expect(readSendingDomain("Mail.Example.com.")).toEqual({ ok: true, domain: "mail.example.com" });
  for (const text of ["co.uk", "com.au", "github.io", "com", "1.2.3.4", "a@b.com"])
    expect(readSendingDomain(text).ok).toBe(false);
});

test("one profile has one key, however its address is written", () => {
  const keys = [
    "https://www.linkedin.com/in/Jane-Doe/",
    "http://linkedin.com/in/jane-doe?trk=x#top",
    "linkedin.com/in/jane-doe",
  ].map((text) => readProfileUrl(text)?.key);
  expect(new Set(keys)).toEqual(new Set(["linkedin.com/in/jane-doe"]));
  for (const text of ["", "javascript:alert(1)", "https://linkedin.com/", "ftp://x.com/a", "jane"])
    expect(readProfileUrl(text)).toBeNull();
});

test.each([
  ["DE", "DE"],
  ["de", "DE"],
  ["Germany", "DE"],
  ["Deutschland", "DE"],
  ["Allemagne", "DE"],
  ["USA", "US"],
  ["U.S.A.", "US"],
  ["United Kingdom", "GB"],
  ["UK", "GB"],
  ["Côte d'Ivoire", "CI"],
  ["España", "ES"],
  ["XX", null],
  ["EU", null],
  ["Atlantis", null],
])("the country %j is %j", (text, code) => {
  expect(readCountry(text)).toBe(code);
});

describe("columns", () => {
  const keysOf = (labels: string[], mapping = {}) => {
    const columns = planColumns(labels, mapping);
    if (typeof columns === "string") return columns;
    return columns.map(({ target }) =>
      target.kind === "field"
        ? target.field
        : target.kind === "custom"
          ? `custom.${target.key}`
          : null,
    );
  };

  test("common headers are understood, whatever their case and spaces", () => {
    expect(
      keysOf([
        "E-mail",
        " First Name",
        "LAST_NAME",
        "linkedin_url",
        "Company Name",
        "Job Title",
        "Phone Number",
        "Time Zone",
      ]),
    ).toEqual([
      "email",
      "first_name",
      "last_name",
      "profile_url",
      "company",
      "title",
      "phone",
      "timezone",
    ]);
    expect(keysOf(["role"])).toEqual(["title"]);
  });

  test("unknown columns become custom fields that a template can name", () => {
    expect(keysOf(["Email", "Deal Size (EUR)", "deal-size eur", "", "Größe"])).toEqual([
      "email",
      "custom.deal_size_eur",
      "custom.deal_size_eur_2",
      "custom.column_4",
      "custom.größe",
    ]);
  });

  test("a second column that would be the same field becomes custom", () => {
    expect(keysOf(["Email", "Work Email"])).toEqual(["email", "custom.work_email"]);
  });

  test("a field's own name goes before what else may mean it, wherever the two stand", () => {
    for (const [other, own, custom] of [
      ["Company Email", "Email", "custom.company_email"],
      ["Role", "Title", "custom.role"],
      ["Account", "Company", "custom.account"],
      ["LinkedIn URL", "Profile URL", "custom.linkedin_url"],
    ] as const) {
      const field = keysOf([own])[0];
      expect(keysOf([other, own])).toEqual([custom, field]);
      expect(keysOf([own, other])).toEqual([field, custom]);
    }
    expect(keysOf(["Mail", "Email", "E-Mail"], { Mail: "email" })).toEqual([
      "email",
      "custom.email",
      "custom.e_mail",
    ]);
  });

  test("the mapping goes before the spelling", () => {
    const mapping = { Mail: "custom.other", contact: "email", Name: null };
    expect(keysOf(["mail", "Contact", "name", "email"], mapping)).toEqual([
      "custom.other",
      "email",
      null,
      "custom.email",
    ]);
    expect(keysOf(["a", "b"], { a: "email", b: "email" })).toContain("two columns");
  });

  test("an exported header leads back to its key", () => {
    for (const key of ["deal_size", "email", "row_index", "größe"])
      expect(keysOf([exportLabel(key)])).toEqual([`custom.${key}`]);
  });
});

describe("readLead", () => {
  const read = (fields: RawLead["fields"], rest: Partial<RawLead> = {}) =>
    readLead({ fields, tags: [], custom: {}, ...rest });

  test.each<[string, RawLead["fields"], Partial<RawLead>]>([
    ["MISSING_IDENTITY", { first_name: "Jo" }, {}],
    ["INVALID_EMAIL", { email: "jo@" }, {}],
    ["INVALID_URL", { profile_url: "javascript:x" }, {}],
    ["INVALID_URL", { email: "a@b.co", website: "not a site" }, {}],
    ["INVALID_COUNTRY", { email: "a@b.co", country: "Atlantis" }, {}],
    ["INVALID_TIMEZONE", { email: "a@b.co", timezone: "Mars/Base" }, {}],
    ["TOO_LONG", { email: "a@b.co", company: "x".repeat(256) }, {}],
    ["TOO_LONG", { email: "a@b.co" }, { tags: ["x".repeat(101)] }],
    ["NUL_CHARACTER", { email: "a@b.co", title: "a\u0000b" }, {}],
    ["INVALID_TEXT", { email: "a@b.co", title: "\ud800" }, {}],
    ["INVALID_CUSTOM", { email: "a@b.co" }, { custom: { a: { b: "\u0000" } } }],
  ])("%s for %j", (code, fields, rest) => {
    expect(read(fields, rest)).toMatchObject({ ok: false, code });
  });

  test("a lead is kept in one form", () => {
    expect(
      read(
        {
          email: " Jo@Example.COM",
          website: "acme.com",
          country: "france",
          timezone: "Europe/Paris",
        },
        { tags: ["a", " a ", ""] },
      ),
    ).toMatchObject({
      ok: true,
      lead: {
        email: "jo@example.com",
        identityKey: "jo@example.com",
        website: "https://acme.com",
        country: "FR",
        tags: ["a"],
      },
    });
  });
});
