import { describe, expect, test } from "vitest";
import { keyOf } from "#src/domain/people/leads/columns.ts";
import { emptyTally, takeRow } from "#src/domain/people/leads/import-tally.ts";
import { openRows } from "#src/domain/people/leads/import-rows.ts";
import { createKeyReader } from "#src/domain/people/leads/row-keys.ts";

type Row = Record<string, unknown>;

/** Where each key of a row goes. */
const targetsOf = (labels: string[], mapping = {}) => {
  const targets = createKeyReader(mapping).read(labels);
  return typeof targets === "string" ? targets : labels.map((label) => keyOf(targets.get(label)!));
};

async function read(rows: Row[], mapping = {}) {
  const tally = emptyTally();
  const { columns, rows: pieces } = openRows(rows, "api").open({}, mapping);
  const leads = [];
  for await (const piece of pieces) for (const row of piece) leads.push(takeRow(tally, row));
  return { leads: leads.map((staged) => staged?.lead ?? null), columns, tally };
}

describe("a row's keys", () => {
  test("are read as a header is: the mapping, the spellings, and everything else custom", () => {
    expect(
      targetsOf(["E-mail", "linkedin_url", "Deal size (EUR)", "Geheim", "custom.k", "row_index"], {
        "deal SIZE eur": "company",
        Geheim: null,
      }),
    ).toEqual(["email", "profile_url", "company", null, "custom.k", null]);
  });

  test("that are the same once they are folded are a field and customs of their own", () => {
    expect(targetsOf(["email", "E-Mail", "EMAIL", "Größe", "größe", "größe_2", "!", "?"])).toEqual([
      "email",
      "custom.e_mail",
      "custom.email",
      "custom.größe",
      "custom.größe_2",
      "custom.größe_2_2",
      "custom.column_7",
      "custom.column_8",
    ]);
  });

  test("that are a field's own name go before what else may mean it", () => {
    expect(targetsOf(["company_email", "email"])).toEqual(["custom.company_email", "email"]);
    expect(targetsOf(["role", "account", "title", "company"])).toEqual([
      "custom.role",
      "custom.account",
      "title",
      "company",
    ]);
    expect(targetsOf(["linkedin_url", "profile_url"])).toEqual([
      "custom.linkedin_url",
      "profile_url",
    ]);
    expect(targetsOf(["mail", "email"], { mail: "email" })).toEqual(["email", "custom.email"]);
  });

  test("that are mapped to one place are the row's fault, and nobody else's", async () => {
    expect(targetsOf(["Mail", "mail"], { Mail: "email" })).toBe(
      '"Mail" and "mail" are both mapped to email.',
    );
    const { leads, tally } = await read(
      [{ Mail: "a@example.zz" }, { mail: "b@example.zz" }, { Mail: "c@x.zz", mail: "d@x.zz" }],
      { Mail: "email" },
    );
    expect(leads.map((lead) => lead?.email)).toEqual(["a@example.zz", "b@example.zz", undefined]);
    expect(tally.rejections).toEqual([
      { row_index: 2, code: "DUPLICATE_COLUMN", message: expect.stringContaining("Row 3: ") },
    ]);
  });

  test("named like what objects have by themselves are keys", () => {
    const keys = ["constructor", "toString", "hasOwnProperty", "__proto__", "prototype"];
    expect(targetsOf(keys)).toEqual([
      "custom.constructor",
      "custom.tostring",
      "custom.hasownproperty",
      "custom.proto",
      "custom.prototype",
    ]);
  });
});

describe("rows of different shapes", () => {
  const shapes: Row[] = [
    { email: "a@example.zz", company_name: "Acme", size: 3 },
    { "E-Mail": "b@example.zz", Firma: "Bolt", Size: 4 },
    { linkedin_url: "https://www.linkedin.com/in/c", organization: "Cord" },
    { Mail: "d@example.zz", "work email": "other@example.zz" },
  ];

  test("each have their own keys mapped, in whatever order they come", async () => {
    for (const rows of [shapes, shapes.toReversed()]) {
      const { leads, tally } = await read(rows);
      expect(tally.rejected).toBe(0);
      const found = Object.fromEntries(
        leads.map((lead) => [lead!.identityKey, [lead!.company, lead!.custom]]),
      );
      expect(found).toEqual({
        "a@example.zz": ["Acme", { size: 3 }],
        "b@example.zz": ["Bolt", { size: 4 }],
        "linkedin.com/in/c": ["Cord", {}],
        "d@example.zz": [null, { work_email: "other@example.zz" }],
      });
    }
  });

  test("are described by one column for each place, with the first text found", async () => {
    const { columns, tally } = await read(shapes);
    const described = columns.map(({ label, target }, index) => [
      keyOf(target),
      label,
      tally.samples[index],
    ]);
    expect(described).toEqual([
      ["email", "email", "a@example.zz"],
      ["company", "company_name", "Acme"],
      ["custom.size", "size", "3"],
      ["profile_url", "linkedin_url", "https://www.linkedin.com/in/c"],
      ["custom.work_email", "work email", "other@example.zz"],
    ]);
  });

  test("are told apart by whole keys, whatever these hold", async () => {
    const { leads } = await read([
      { email: "a@example.zz", k: "1", l: "2" },
      { email: "b@example.zz", "k,l": "3" },
      { "email,k,l": "4", mail: "c@example.zz" },
    ]);
    expect(leads.map((lead) => lead!.custom)).toEqual([
      { k: "1", l: "2" },
      { k_l: "3" },
      { email_k_l: "4" },
    ]);
  });
});

test("more than 500 different keys are refused before anything is read, however few rows they are in", () => {
  const wide = Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`k${n}`, n]));
  const spread = Array.from({ length: 10_000 }, (_, n) => ({ email: "a@b.zz", [`k${n}`]: n }));
  for (const rows of [[wide], spread])
    expect(() => openRows(rows, "api")).toThrow(
      expect.objectContaining({ code: "TOO_MANY_COLUMNS" }),
    );
});
