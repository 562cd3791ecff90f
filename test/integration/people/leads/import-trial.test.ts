import { expect, test } from "vitest";
import { createRandom } from "../../../support/random.ts";
import { query, tenant, useApi } from "../../../support/use-api.ts";

useApi();

const dataset = async () =>
  (await tenant.call("POST", "/api/v1/datasets", { name: "Leads" })).body.id as string;
const csv = (text: string, mapping?: object) => {
  const data = new FormData();
  if (mapping !== undefined) data.append("mapping", JSON.stringify(mapping));
  data.append("file", new Blob([text], { type: "text/csv" }), "leads.csv");
  return data;
};
const send = (id: string, body: unknown, asked = "") =>
  tenant.call("POST", `/api/v2/datasets/${id}/import${asked}`, body);
const TRY = "?dry_run=true";
const everything = async (id: string) =>
  JSON.stringify([
    await query`select * from datasets where id = ${id}`,
    await query`select * from leads where dataset_id = ${id} order by row_index`,
    await query`select * from lead_import_chunks where dataset_id = ${id}`,
  ]);

test("a dry run says what each column would become, and which rows cannot be used", async () => {
  const id = await dataset();
  const file = csv(
    [
      "E-Mail;First Name;Deal size;Internal",
      "ann@example.com;Ann;10;x",
      "no address;Bob;20;x",
      "cid@example.com;Cid;;y",
      "dan@example.com;Dan;20;z",
      "eve@example.com;Eve;30;z",
      "ann@example.com;Anna;40;z",
    ].join("\n"),
    { Internal: null },
  );
  const before = await everything(id);
  const { status, body } = await send(id, file, TRY);
  expect([status, body]).toEqual([
    200,
    {
      dry_run: true,
      total: 6,
      created: 4,
      updated: 0,
      duplicate: 1,
      rejected: 1,
      rejections: [
        { row_index: 1, code: "INVALID_EMAIL", message: expect.stringMatching(/^Line 3: /) },
      ],
      columns: [
        {
          header: "E-Mail",
          guess: "email",
          samples: ["ann@example.com", "no address", "cid@example.com"],
        },
        { header: "First Name", guess: "first_name", samples: ["Ann", "Bob", "Cid"] },
        { header: "Deal size", guess: "custom.deal_size", samples: ["10", "20", "30"] },
        { header: "Internal", guess: null, samples: ["x", "y", "z"] },
      ],
    },
  ]);
  expect(await everything(id)).toBe(before);
});

test("a dry run foretells the import's own report, whatever the dataset has and whoever was erased", async () => {
  const random = createRandom(7);
  const id = await dataset();
  // People of another dataset are none of this one's.
  const elsewhere = Array.from({ length: 1_500 }, (_, who) => ({ email: `p${who}@example.zz` }));
  await send(await dataset(), { rows: elsewhere });
  for (let round = 0; round < 6; round++) {
    const rows = Array.from({ length: 1 + random.below(2_300) }, () => {
      const who = random.below(1_500);
      if (who % 50 === 0) return { first_name: "Nobody" };
      if (who % 7 === 0) return { profile_url: `https://www.linkedin.com/in/p${who}` };
      return {
        email: `${who % 2 === 0 ? "P" : "p"}${who}@example.zz`,
        company: `C${random.below(9)}`,
      };
    });
    if (round % 2 === 0)
      await tenant.call("POST", "/api/v1/leads/erase", {
        email: `p${1 + random.below(6)}@example.zz`,
      });
    const before = await everything(id);
    const { dry_run, columns, ...foretold } = (await send(id, { rows }, TRY)).body;
    expect([dry_run, columns.length > 1]).toEqual([true, true]);
    expect(await everything(id)).toBe(before);
    expect(foretold).toEqual((await send(id, { rows })).body);
    expect(foretold.total).toBe(rows.length);
  }
});

test("a dry run is refused as the import would be, and where there is none", async () => {
  const id = await dataset();
  for (const [body, status, code] of [
    [csv("Name;Age\nAnn;3"), 422, "MISSING_COLUMNS"],
    [csv(""), 422, "EMPTY_FILE"],
    [csv("email\nann@example.com", { Mail: "email" }), 422, "VALIDATION_ERROR"],
    [
      { sheet_url: "https://docs.google.com/spreadsheets/d/abcdefghijklmnopqrstuvwxyz/edit" },
      422,
      "DRY_RUN_NOT_POSSIBLE",
    ],
    [{ prospect_tags: ["crm"] }, 422, "DRY_RUN_NOT_POSSIBLE"],
    [{}, 422, "VALIDATION_ERROR"],
  ] as const)
    expect(await send(id, body, TRY)).toMatchObject({ status, body: { code } });
  expect((await send(id, csv("email\na@example.com"), "?dry_run=perhaps")).status).toBe(422);
  const gone = "00000000-0000-7000-8000-000000000000";
  expect((await send(gone, csv("email\na@example.com"), TRY)).body.code).toBe("DATASET_NOT_FOUND");
});
