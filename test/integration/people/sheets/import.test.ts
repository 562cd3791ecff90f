import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { SHEET_IMPORT_MINUTES } from "#db/people/datasets.ts";
import { runQueuedImport } from "#src/domain/people/leads/sheet-import.ts";
import { runSheetImport } from "#src/domain/people/leads/sheet-job.ts";
import type { GooglePart } from "../../../../scripts/stack/google/google.ts";
import type { Described } from "../../../../scripts/stack/google/spreadsheets.ts";
import { startApi, type Tenant, type TestApi } from "../../../support/api.ts";
import { GOOGLE_ACCOUNT, googleEnv, sheetUrl, startTestGoogle } from "../../../support/google.ts";
import { queryOf } from "../../../support/query.ts";

const query = queryOf(() => api.sql);

let google: GooglePart;
let api: TestApi;
let tenant: Tenant;

beforeAll(async () => {
  google = await startTestGoogle();
  api = await startApi(googleEnv(google));
  tenant = await api.tenant();
});
afterAll(() => Promise.all([google.close(), api.close()]));
afterEach(() => {
  google.faults.clear();
  google.log.clear();
});

async function dataset(): Promise<string> {
  return (await tenant.call("POST", "/api/v1/datasets", { name: "Leads" })).body.id;
}
const from = (id: string, url: string, more: object = {}) =>
  tenant.call("POST", `/api/v1/datasets/${id}/import`, { sheet_url: url, ...more });
const leadsOf = async (id: string) =>
  (await tenant.call("GET", `/api/v1/datasets/${id}/leads?limit=200`)).body.items;
const getDataset = async (id: string) => (await tenant.call("GET", `/api/v1/datasets/${id}`)).body;
const progress = async (id: string) =>
  (await tenant.call("GET", `/api/v1/datasets/${id}/import`)).body;
const reads = () => google.log.entries().filter(({ summary }) => /batchGet/.test(summary)).length;

let sheetNumber = 0;
/** A sheet of these tabs, or of one tab of these rows. */
function put(rows: string[][] | Described["tabs"], more: Partial<Described> = {}): string {
  const id = `sheet-${++sheetNumber}`;
  const isTabs = rows!.length > 0 && !Array.isArray(rows![0]);
  const tabs = (isTabs ? rows : [{ rows }]) as Described["tabs"];
  google.sheets.put(id, { title: "A sheet", tabs, ...more });
  return id;
}

const importId = async (datasetId: string): Promise<string> =>
  (await query`select id from sheet_imports where dataset_id = ${datasetId}`)[0].id;
const chunks = async () => Number((await query`select count(*) from lead_import_chunks`)[0].count);

/** Runs that read a third as much as the queue's, and a sheet that takes two of them. */
const SHORT_RUN = { reads: 2, exportRows: Infinity };
const ROWS = 6_000;
const runShort = async (id: string) => (await runSheetImport(api.deps, id, SHORT_RUN)).kind;
const runQueued = (id: string) => runQueuedImport(api.deps, id);

/** What the queue would do, until the import has ended; the kinds of its runs. */
async function runToItsEnd(datasetId: string, runOnce = runQueued): Promise<string[]> {
  const id = await importId(datasetId);
  const runs: string[] = [];
  for (let run = 0; run < 100; run++) {
    runs.push(await runOnce(id));
    if (!["more", "waits"].includes(runs.at(-1)!)) return runs;
  }
  throw new Error("It never ends.");
}

describe("a small sheet", () => {
  test("is imported while its caller waits", async () => {
    const id = await dataset();
    const url = sheetUrl(
      put([
        ["E-Mail", "First Name", "", "Deal size", "Note"],
        ["Ann@Example.com", "Ann", "x", "10", "=1+1"],
        [],
        ["bob@example.com"],
        ["nonsense", "Cid"],
        ["BOB@example.com", "Bobby", "", "", "", "a cell without a name"],
        ["", "", "", "", "", "only a cell without a name"],
        ["dan@example.com", "#N/A", "", "#REF!", "Loading..."],
      ]),
      "#gid=0",
    );
    const reply = await from(id, url);
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({
      total: 5,
      created: 3,
      updated: 0,
      duplicate: 1,
      rejected: 1,
      rejections: [
        {
          row_index: 2,
          code: expect.stringMatching(/EMAIL/),
          message: expect.stringMatching(/^Row 5: /),
        },
      ],
    });
    const [ann, bob, dan] = await leadsOf(id);
    expect(ann).toMatchObject({
      row_index: 1,
      email: "ann@example.com",
      custom: { column_3: "x", deal_size: "10", note: "=1+1" },
    });
    expect(bob).toMatchObject({ row_index: 2, first_name: null, custom: {} });
    expect(dan).toMatchObject({ row_index: 3, first_name: null, custom: {} });
    expect(await getDataset(id)).toMatchObject({
      source: "sheet",
      source_url: url,
      status: "ready",
      row_count: 3,
      import_progress: null,
      columns: expect.arrayContaining([
        { key: "email", label: "E-Mail", type: "email", sample: "Ann@Example.com" },
      ]),
    });
    expect(await progress(id)).toMatchObject({ ...reply.body, status: "ready", source_url: url });
    expect(await chunks()).toBe(0);
  });

  test("has at most 5,000 rows; of one more the answer is 202", async () => {
    const whole = await from(await dataset(), sheetUrl("local-rows-5000"));
    expect([whole.status, whole.body.created]).toEqual([200, 5_000]);
    const id = await dataset();
    expect((await from(id, sheetUrl("local-rows-5001"))).status).toBe(202);
    await runToItsEnd(id);
    expect(await progress(id)).toMatchObject({ status: "ready", created: 5_001 });
  });

  test("imported again makes no doubles, and brings what has changed", async () => {
    const id = await dataset();
    const sheet = put([["email", "title"], ["a@example.com"], ["b@example.com", "CTO"]]);
    await from(id, sheetUrl(sheet));
    google.sheets.put(sheet, {
      tabs: [
        {
          rows: [
            ["title", "email"],
            ["CEO", "a@example.com"],
            ["", "b@example.com"],
            ["", "c@example.com"],
          ],
        },
      ],
    });
    const reply = await from(id, sheetUrl(sheet));
    expect(reply.body).toMatchObject({ total: 3, created: 1, updated: 2, duplicate: 0 });
    expect((await leadsOf(id)).map((lead: { title: string }) => lead.title)).toEqual([
      "CEO",
      "CTO",
      null,
    ]);
  });

  test("a request's mapping and gid go before the header's names and the URL's tab", async () => {
    const id = await dataset();
    const sheet = put([
      { title: "One", id: 1, rows: [["email"], ["one@example.com"]] },
      {
        title: "It's two",
        id: 2,
        hidden: true,
        rows: [
          ["Contact", "Ref"],
          ["two@example.com", "7"],
        ],
      },
    ]);
    const mapping = { Contact: "email", Ref: "custom.reference" };
    const reply = await from(id, sheetUrl(sheet, "?gid=1#gid=1"), { gid: 2, mapping });
    expect(reply.body).toMatchObject({ created: 1 });
    expect(await leadsOf(id)).toMatchObject([
      { email: "two@example.com", custom: { reference: "7" } },
    ]);
    expect((await from(id, sheetUrl(sheet))).body).toMatchObject({ total: 1, created: 1 });
  });

  test("of a header alone has no rows", async () => {
    const id = await dataset();
    expect((await from(id, sheetUrl("local-rows-0"))).body).toMatchObject({ total: 0, created: 0 });
  });

  test("keeps what a cell shows, up to the longest that a field takes", async () => {
    const id = await dataset();
    const huge = "x".repeat(50_000);
    const rows = [
      ["email", "note"],
      ["a@example.com", huge],
      ["b@example.com", "\u202e‮𝒜\n2"],
    ];
    const { body } = await from(id, sheetUrl(put(rows)));
    expect(body).toMatchObject({ total: 2, created: 1, rejected: 1 });
    expect(await leadsOf(id)).toMatchObject([{ custom: { note: "\u202e‮𝒜\n2" } }]);
  });
});

describe("a sheet that cannot be imported leaves the dataset as it was", () => {
  const WIDE = ["email", ...Array.from({ length: 500 }, (_, n) => `c${n}`)];
  test.each<[string, () => string, number, string, RegExp]>([
    ["is private", () => "local-private", 422, "SHEET_NOT_SHARED", new RegExp(GOOGLE_ACCOUNT)],
    ["is not there", () => "gone", 422, "SHEET_NOT_FOUND", /address/],
    ["is an Office file", () => "local-office", 422, "NOT_A_SHEET", /Save as Google Sheets/],
    ["is a chart", () => "local-chart", 422, "SHEET_TAB_NOT_FOUND", /tab/],
    ["is empty", () => "local-empty", 422, "EMPTY_FILE", /Row 1/],
    ["has 501 columns", () => put([WIDE, ["a@b.cc"]]), 422, "TOO_MANY_COLUMNS", /501/],
    ["has 10,000 columns", () => "local-columns-10000", 422, "TOO_MANY_COLUMNS", /10000/],
    ["has 18,278 columns", () => "local-columns-18278", 422, "TOO_MANY_COLUMNS", /18278/],
    ["names nobody", () => put([["name"], ["Ann"]]), 422, "MISSING_COLUMNS", /"name"/],
  ])("it %s", async (_what, sheet, status, code, words) => {
    const id = await dataset();
    const reply = await from(id, sheetUrl(sheet()));
    expect(reply.status).toBe(status);
    expect(reply.body).toMatchObject({ detail: code, message: expect.stringMatching(words) });
    expect(await getDataset(id)).toMatchObject({ status: "ready", row_count: 0, error: null });
    expect((await tenant.call("GET", `/api/v1/datasets/${id}/import`)).status).toBe(404);
  });

  test("two columns of one name are two, and a wrong gid is said to be wrong", async () => {
    const id = await dataset();
    const sheet = put([
      ["email", "Email", "note", "note"],
      ["a@b.cc", "x", "1", "2"],
    ]);
    await from(id, sheetUrl(sheet));
    expect(await leadsOf(id)).toMatchObject([
      { email: "a@b.cc", custom: { email: "x", note: "1", note_2: "2" } },
    ]);
    const reply = await from(id, sheetUrl(sheet), { gid: 99 });
    expect(reply.body).toMatchObject({ detail: "SHEET_TAB_NOT_FOUND" });
  });

  test("what the request itself has wrong is 422 before anybody is asked", async () => {
    const id = await dataset();
    for (const body of [
      { sheet_url: "https://evil.example/spreadsheets/d/x" },
      { sheet_url: sheetUrl("x"), rows: [] },
      { sheet_url: sheetUrl("x"), mapping: { a: "nonsense" } },
    ]) {
      const reply = await tenant.call("POST", `/api/v1/datasets/${id}/import`, body);
      expect(reply.body).toMatchObject({ error: "Validation Error" });
    }
    expect(google.log.entries()).toEqual([]);
  });

  test("while Google is away it is 503, and says when to come again", async () => {
    const id = await dataset();
    const sheet = put([["email"], ["a@example.com"]]);
    for (const fault of ["html", "wrong_json", "service_disabled"]) {
      google.faults.order(fault, 1);
      const reply = await from(id, sheetUrl(sheet));
      expect(reply.status).toBe(503);
      expect(reply.body).toMatchObject({ detail: "UPSTREAM_ERROR" });
      expect(reply.headers.get("retry-after")).toMatch(/^\d+$/);
      google.faults.clear();
    }
    expect((await from(id, sheetUrl(sheet))).body).toMatchObject({ created: 1 });
  });
});

describe("a large sheet", () => {
  test("is imported by the queue, in pages, with its progress on the dataset", async () => {
    const id = await dataset();
    const reply = await from(id, sheetUrl("local-rows-17000"));
    expect(reply.status).toBe(202);
    expect(reply.body).toMatchObject({ dataset_id: id, status: "importing", total: 0 });
    expect(await getDataset(id)).toMatchObject({
      status: "importing",
      row_count: 0,
      import_progress: { rows_read: 0 },
    });

    expect(await runQueuedImport(api.deps, await importId(id))).toBe("more");
    expect(await getDataset(id)).toMatchObject({
      status: "importing",
      row_count: 0,
      import_progress: { rows_read: 15_000 },
    });
    expect(await progress(id)).toMatchObject({ status: "importing", total: 15_000, created: 0 });

    expect(await runToItsEnd(id)).toEqual(["done"]);
    expect(reads()).toBe(1 + 7);
    expect(await getDataset(id)).toMatchObject({
      status: "ready",
      row_count: 17_000,
      import_progress: null,
    });
    expect(await progress(id)).toMatchObject({ status: "ready", total: 17_000, created: 17_000 });
    expect(await chunks()).toBe(0);
  });

  test("asks the queue for each run, and two runs at once import once", async () => {
    const id = await dataset();
    await from(id, sheetUrl("local-rows-12000"));
    const run = await importId(id);
    const ended = await Promise.all([1, 2, 3].map(() => runQueuedImport(api.deps, run)));
    expect(ended.toSorted()).toEqual(["done", "superseded", "superseded"]);
    expect(await getDataset(id)).toMatchObject({ row_count: 12_000, status: "ready" });
    expect(await runQueuedImport(api.deps, run)).toBe("superseded");
  });

  test("a second import waits until the first is done", async () => {
    const id = await dataset();
    await from(id, sheetUrl("local-rows-6000"));
    const [one, two] = await Promise.all([1, 2].map(() => from(id, sheetUrl("local-rows-1"))));
    for (const reply of [one!, two!])
      expect([reply.status, reply.body.detail]).toEqual([409, "IMPORT_IN_PROGRESS"]);
    await runToItsEnd(id);
    expect((await from(id, sheetUrl("local-rows-1"))).status).toBe(200);
    expect((await from(id, sheetUrl("local-rows-6000"))).status).toBe(202);
    await runToItsEnd(id);
    expect(await progress(id)).toMatchObject({ created: 0, updated: 6_000, duplicate: 0 });
  });

  test("empty rows cost a few reads, however many there are", async () => {
    const id = await dataset();
    const rows = Array.from({ length: 3 }, (_, n) => [`p${n}@example.com`]);
    const sheet = put([{ rows: [["email"], ...rows], grid_rows: 5_000_000, grid_columns: 2 }]);
    expect((await from(id, sheetUrl(sheet))).status).toBe(202);
    await runToItsEnd(id);
    expect(await getDataset(id)).toMatchObject({ row_count: 3 });
    expect(reads()).toBeLessThan(9);
  });

  test("rows with much in them are read a few at a time", async () => {
    const id = await dataset();
    const long = "y".repeat(9_000);
    const rows = Array.from({ length: 900 }, (_, n) => [`p${n}@example.com`, long]);
    const reply = await from(id, sheetUrl(put([["email", "note"], ...rows])));
    expect([200, 202]).toContain(reply.status);
    if (reply.status === 202) await runToItsEnd(id);
    expect(await progress(id)).toMatchObject({ status: "ready", total: 900, created: 900 });
  });

  test("more rows than an import takes, and a row that no answer holds, are refused whole", async () => {
    const id = await dataset();
    const cells = Array.from({ length: 100 }, () => "z".repeat(45_000));
    const header = ["email", ...cells.map((_, n) => `c${n}`)];
    const reply = await from(
      id,
      sheetUrl(put([header, ["a@example.com"], ["b@example.com", ...cells]])),
    );
    if (reply.status === 202) await runToItsEnd(id);
    expect(await progress(id)).toMatchObject({
      status: "failed",
      error: expect.stringMatching(/^Row 3 of the sheet is too large/),
    });
    expect(await getDataset(id)).toMatchObject({ status: "failed", row_count: 0 });
    expect(await chunks()).toBe(0);
    await from(id, sheetUrl(put([["email"], ["a@example.com"]])));
    expect(await getDataset(id)).toMatchObject({ status: "ready", error: null, row_count: 1 });
  });
});

describe("a sheet that is edited while it is read", () => {
  const many = (count: number, prefix = "p") =>
    Array.from({ length: count }, (_, n) => [`${prefix}${n}@example.com`]);

  test("is read again from its header: no row twice, none left out", async () => {
    const id = await dataset();
    const sheet = put([["email"], ...many(ROWS)]);
    await from(id, sheetUrl(sheet));
    const run = await importId(id);
    expect(await runShort(run)).toBe("more");
    google.sheets.put(sheet, {
      tabs: [{ rows: [["email"], ...many(1_000, "new"), ...many(ROWS)] }],
    });
    expect(await runToItsEnd(id, runShort)).toEqual(["more", "more", "done"]);
    expect(await progress(id)).toMatchObject({
      total: ROWS + 1_000,
      created: ROWS + 1_000,
      duplicate: 0,
    });
  });

  test("and that shrinks, or gets another header, is as well", async () => {
    const id = await dataset();
    const sheet = put([["email"], ...many(ROWS)]);
    await from(id, sheetUrl(sheet));
    await runShort(await importId(id));
    google.sheets.put(sheet, { tabs: [{ title: "Renamed", rows: [["mail", "x"], ...many(10)] }] });
    await runToItsEnd(id);
    expect(await progress(id)).toMatchObject({ status: "ready", total: 10, created: 10 });
  });

  test("all the time is given up with words", async () => {
    const id = await dataset();
    const sheet = put([["email"], ...many(ROWS)]);
    await from(id, sheetUrl(sheet));
    const run = await importId(id);
    let last = "more";
    for (let round = 0; round < 20 && last === "more"; round++) {
      last = await runShort(run);
      google.sheets.put(sheet, { tabs: [{ rows: [["email"], ...many(ROWS, `r${round}`)] }] });
    }
    expect(last).toBe("failed");
    expect(await progress(id)).toMatchObject({
      status: "failed",
      error: expect.stringMatching(/when nobody edits it/),
    });
  });
});

test("an import that is given up says which way: SHEET_KEEPS_CHANGING, SHEET_IMPORT_TIMED_OUT", async () => {
  const giveUp = async (meanwhile: (sheet: string, round: number) => void) => {
    const id = await dataset();
    const rows = Array.from({ length: ROWS }, (_, n) => [`p${n}@example.com`]);
    const sheet = put([["email"], ...rows]);
    await from(id, sheetUrl(sheet));
    const run = await importId(id);
    for (let round = 0; round < 20; round++) {
      const end = await runSheetImport(api.deps, run, SHORT_RUN);
      if (end.kind !== "more") return end;
      meanwhile(sheet, round);
    }
    throw new Error("It never ends.");
  };
  const edited = await giveUp((sheet, round) => {
    const rows = Array.from({ length: ROWS }, (_, n) => [`r${round}-${n}@example.com`]);
    google.sheets.put(sheet, { tabs: [{ rows: [["email"], ...rows] }] });
  });
  const code = (name: string) => ({ kind: "failed", error: { kind: "unprocessable", code: name } });
  expect(edited).toMatchObject(code("SHEET_KEEPS_CHANGING"));
  const late = await giveUp(() => api.advance(SHEET_IMPORT_MINUTES * 60 + 1));
  expect(late).toMatchObject(code("SHEET_IMPORT_TIMED_OUT"));
});

describe("trouble on the way", () => {
  test("Google's is waited for, and nothing is read twice", async () => {
    const id = await dataset();
    await from(id, sheetUrl("local-rows-16000"));
    const run = await importId(id);
    await runQueuedImport(api.deps, run);
    google.faults.order("quota", 3);
    expect(await runQueuedImport(api.deps, run)).toBe("waits");
    const [message] = api.qstash.log.entries().slice(-1);
    expect(message).toBeDefined();
    expect(await getDataset(id)).toMatchObject({ status: "importing" });
    google.log.clear();
    expect(await runToItsEnd(id)).toEqual(["done"]);
    expect(reads()).toBe(1);
    expect(await progress(id)).toMatchObject({ created: 16_000, duplicate: 0 });
  });

  test("access that is taken away ends it, says so, and leaves what was there", async () => {
    const id = await dataset();
    await from(id, sheetUrl("local-rows-2"));
    const sheet = put([
      ["email"],
      ...Array.from({ length: ROWS }, (_, n) => [`q${n}@example.com`]),
    ]);
    await from(id, sheetUrl(sheet));
    await runShort(await importId(id));
    google.sheets.put(sheet, { sharing: "private" });
    expect(await runToItsEnd(id)).toEqual(["failed"]);
    expect(await getDataset(id)).toMatchObject({
      status: "failed",
      error: expect.stringMatching(GOOGLE_ACCOUNT),
      row_count: 2,
    });
    expect(await chunks()).toBe(0);
  });

  test("a dataset that is deleted meanwhile gets nothing", async () => {
    const id = await dataset();
    await from(id, sheetUrl("local-rows-6000"));
    const run = await importId(id);
    expect((await tenant.call("DELETE", `/api/v1/datasets/${id}`)).status).toBe(200);
    expect(await runQueuedImport(api.deps, run)).toBe("superseded");
    const rows = await query`select count(*)::int from leads where dataset_id = ${id}`;
    expect(rows[0].count).toBe(0);
  });
});
