import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { fullCheck } from "#src/domain/jobs/maintenance.ts";
import { runQueuedImport } from "#src/domain/people/leads/sheet-import.ts";
import type { GooglePart } from "../../../../scripts/stack/google/google.ts";
import { startApi, type Tenant, type TestApi } from "../../../support/api.ts";
import { sheetUrl, startTestGoogle } from "../../../support/google.ts";
import { queryOf } from "../../../support/query.ts";

const query = queryOf(() => api.sql);

let google: GooglePart;
let api: TestApi;
let tenant: Tenant;

beforeAll(async () => {
  google = await startTestGoogle();
  // No service account.
  api = await startApi({ GOOGLE_EXPORT_BASE: google.url });
  tenant = await api.tenant();
});
afterAll(() => Promise.all([google.close(), api.close()]));
afterEach(() => google.faults.clear());

const dataset = async (): Promise<string> =>
  (await tenant.call("POST", "/api/v1/datasets", { name: "Leads" })).body.id;
const from = (id: string, sheet: string) =>
  tenant.call("POST", `/api/v1/datasets/${id}/import`, { sheet_url: sheetUrl(sheet) });
const progress = async (id: string) =>
  (await tenant.call("GET", `/api/v1/datasets/${id}/import`)).body;
const importId = async (datasetId: string): Promise<string> =>
  (await query`select id from sheet_imports where dataset_id = ${datasetId}`)[0].id;
const messages = () =>
  api.qstash.log.entries().filter(({ summary }) => /import-sheet/.test(summary)).length;

test("a public sheet is imported over its link, whatever its header looks like", async () => {
  google.sheets.put("public", {
    sharing: "public",
    tabs: [
      { rows: [["x"]] },
      {
        id: 5,
        rows: [
          ["email", "notes; misc; a|b", "first name"],
          ["a@example.com", 'one "two", three\nfour', "Ann"],
          [],
          ["b@example.com", "", "#N/A", "no name"],
        ],
      },
    ],
  });
  const id = await dataset();
  const reply = await tenant.call("POST", `/api/v1/datasets/${id}/import`, {
    sheet_url: sheetUrl("public", "#gid=5"),
  });
  expect(reply.body).toMatchObject({ total: 2, created: 2, rejected: 0 });
  const { body } = await tenant.call("GET", `/api/v1/datasets/${id}/leads`);
  expect(body.items).toMatchObject([
    { first_name: "Ann", custom: { notes_misc_a_b: 'one "two", three\nfour' } },
    { first_name: null, custom: {} },
  ]);
});

test("a private one is refused with what to do", async () => {
  const reply = await from(await dataset(), "local-private");
  expect(reply.status).toBe(422);
  expect(reply.body).toMatchObject({ detail: "SHEET_NOT_SHARED", share_with: null });
});

test("a large one is read at one go by the queue, and from its first row again after a fall", async () => {
  const id = await dataset();
  const reply = await from(id, "local-public-rows-7500");
  expect(reply.status).toBe(202);
  expect(reply.body).toMatchObject({ status: "importing", total: 6_000, created: 0 });
  expect(messages()).toBe(1);
  const run = await importId(id);
  google.faults.order("server_error", 1);
  expect(await runQueuedImport(api.deps, run)).toBe("waits");
  expect(messages()).toBe(2);
  expect(await runQueuedImport(api.deps, run)).toBe("done");
  expect(await progress(id)).toMatchObject({
    status: "ready",
    total: 7_500,
    created: 7_500,
    duplicate: 0,
  });
});

test("an import whose message was lost is found by the full check, and given up in the end", async () => {
  const id = await dataset();
  await from(id, "local-public-rows-7500");
  const before = messages();
  await fullCheck(api.deps);
  expect(messages()).toBe(before);
  api.advance(6 * 60);
  await fullCheck(api.deps);
  expect(messages()).toBe(before + 1);

  api.advance(30 * 60);
  const { body } = await tenant.call("GET", `/api/v1/datasets/${id}`);
  expect(body).toMatchObject({ status: "ready", import_progress: null });
  expect(await runQueuedImport(api.deps, await importId(id))).toBe("failed");
  expect(await progress(id)).toMatchObject({
    status: "failed",
    error: expect.stringMatching(/30 minutes/),
  });
});

test("an import that nobody has moved for five minutes gives way to a new one", async () => {
  const id = await dataset();
  await from(id, "local-public-rows-7500");
  const old = await importId(id);
  expect((await from(id, "local-public-rows-2")).status).toBe(409);
  api.advance(6 * 60);
  expect((await from(id, "local-public-rows-2")).body).toMatchObject({ created: 2 });
  expect(await runQueuedImport(api.deps, old)).toBe("superseded");
  const rows = await query`select 1 from lead_import_chunks where dataset_id = ${id}`;
  expect(rows).toHaveLength(0);
});
