import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { GooglePart } from "../../../../scripts/stack/google/google.ts";
import { startApi, type Tenant, type TestApi } from "../../../support/api.ts";
import { GOOGLE_ACCOUNT, googleEnv, sheetUrl, startTestGoogle } from "../../../support/google.ts";

let google: GooglePart;
/** With a service account, and without one. */
let api: TestApi;
let bare: TestApi;
let tenant: Tenant;
let bareTenant: Tenant;

beforeAll(async () => {
  google = await startTestGoogle();
  api = await startApi(googleEnv(google));
  bare = await startApi({ GOOGLE_EXPORT_BASE: google.url });
  tenant = await api.tenant();
  bareTenant = await bare.tenant();
  const rows = [["Email", "Name", "", "Note", ""], ["a@b.cc"], [], ["", "Bob"], ["", "", "", "x"]];
  google.sheets.put("leads", {
    title: "Our leads",
    tabs: [
      { title: "Old", hidden: true, rows: [["email"]] },
      { title: "New", id: 8, rows: rows },
      {
        title: "Ann's",
        id: 9,
        rows: [
          ["note", "linkedin_url"],
          ["", "linkedin.com/in/a"],
        ],
      },
      { title: "Chart", chart: true, id: 10 },
    ],
  });
});
afterAll(() => Promise.all([google.close(), api.close(), bare.close()]));
afterEach(() => google.faults.clear());

const check = (id: string, who = tenant) =>
  who.call("POST", "/api/v1/sheets/verify-access", { sheet_url: sheetUrl(id) });

describe("a sheet that is shared with us", () => {
  test("is described by its data, not by its grid", async () => {
    const { status, body } = await check("leads");
    expect(status).toBe(200);
    expect(body).toEqual({
      accessible: true,
      status: "ok",
      spreadsheet_id: "leads",
      title: "Our leads",
      sheets: [
        { sheet_id: 8, title: "New", row_count: 1, column_count: 4 },
        { sheet_id: 9, title: "Ann's", row_count: 1, column_count: 2 },
      ],
      headers: ["Email", "Name", "", "Note"],
      share_with: GOOGLE_ACCOUNT,
      message: "The sheet can be read. Rows of data in its first tab: 1.",
    });
  });

  test.each([
    ["local-empty", 0, 0, /no header/],
    ["local-rows-0", 0, 9, /first tab: 0/],
    ["local-rows-12000", 12_000, 9, /first tab: 12000/],
    ["local-columns-10000", 1, 10_000, /10000 columns/],
    ["local-columns-18278", 1, 18_278, /18278 columns/],
  ])("%s has %i rows and %i columns", async (id, rows, columns, words) => {
    const { body } = await check(id);
    expect(body).toMatchObject({ accessible: true, status: "ok" });
    expect(body.sheets[0]).toMatchObject({ row_count: rows, column_count: columns });
    expect(body.headers.length).toBe(Math.min(columns, 500));
    expect(body.message).toMatch(words);
  });

  test("is not read whole, however many cells it has", async () => {
    google.sheets.put("vast", {
      tabs: [{ grid_rows: 5_000_000, grid_columns: 2, rows: [["email"], ["a@b.cc"]] }],
    });
    google.log.clear();
    expect((await check("vast")).body.sheets[0].row_count).toBe(1);
    expect(google.log.entries().filter(({ summary }) => summary.includes("/v4/"))).toHaveLength(3);
  });

  test("that has nothing but a chart has no tabs", async () => {
    const { body } = await check("local-chart");
    expect(body).toMatchObject({ accessible: true, sheets: [], headers: [] });
  });
});

describe("a sheet that cannot be read says what to do", () => {
  test.each([
    ["local-private", "not_shared", new RegExp(`Share it with ${GOOGLE_ACCOUNT}`)],
    ["no-such-sheet", "not_found", /no such sheet/],
    ["local-office", "not_a_sheet", /Save as Google Sheets/],
  ])("%s: %s", async (id, status, message) => {
    const reply = await check(id);
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({ accessible: false, status, sheets: [], headers: [] });
    expect(reply.body.message).toMatch(message);
  });

  test.each(["html", "wrong_json", "service_disabled", "token_refused"])(
    "%s: the provider is unavailable, and nothing of the cause is said",
    async (fault) => {
      await check("leads");
      if (fault === "token_refused") google.tokens.revokeAll();
      google.faults.order(fault, 1);
      const { status, body } = await check("leads");
      expect(status).toBe(200);
      expect(body).toMatchObject({ accessible: false, status: "provider_unavailable" });
      expect(body.message).not.toMatch(/token|html|JSON|40\d|enabled/i);
    },
  );
});

describe("without a service account", () => {
  test("a public sheet is read over its link", async () => {
    const { body } = await check("local-public-rows-3000", bareTenant);
    expect(body).toMatchObject({
      accessible: true,
      status: "ok",
      title: "local-public-rows-3000",
      sheets: [{ sheet_id: 0, row_count: 3_000, column_count: 9 }],
      share_with: null,
    });
    expect(body.headers[0]).toBe("Email");
  });

  test("a private one is to be opened to anyone with the link", async () => {
    const { body } = await check("leads", bareTenant);
    expect(body).toMatchObject({ accessible: false, status: "not_shared", share_with: null });
    expect(body.message).toMatch(/Anyone with the link/);
  });
});
