import { beforeEach, describe, expect, test } from "vitest";
import type { Reply, Tenant } from "../../../support/api.ts";
import { api, useApi } from "../../../support/use-api.ts";
import { queryOf } from "../../../support/query.ts";

const query = queryOf(() => api.sql);

let tenant: Tenant;
const PATH = "/api/v1/suppressions";

useApi();
beforeEach(async () => {
  tenant = await api.tenant();
});

async function upload(csv: string | Uint8Array<ArrayBuffer>) {
  const form = new FormData();
  form.set("file", new File([csv], "suppressions.csv", { type: "text/csv" }));
  const reply = await api.request("/api/v1/suppression-imports", {
    method: "POST",
    body: form,
    headers: { authorization: `Bearer ${tenant.key}` },
  });
  return { status: reply.status, body: (await reply.json()) as Reply["body"] };
}
const download = async () => (await tenant.call("GET", `${PATH}.csv`)).text;

async function stored(): Promise<Record<string, string>> {
  const rows =
    await query`select value, reason from suppressions where workspace_id = ${tenant.workspaceId} order by value`;
  return Object.fromEntries(rows.map(({ value, reason }) => [value, reason]));
}

describe("a file", () => {
  test("of addresses and domains, one of them a row, suppresses both", async () => {
    const csv = "email,domain\neve@example.com,\n,example.org\n";
    expect((await upload(csv)).body).toMatchObject({ total: 2, created: 2, rejected: 0 });
    expect(Object.keys(await stored())).toEqual(["eve@example.com", "example.org"]);
  });

  test("of another program is taken over, with its reasons", async () => {
    const { status, body } = await upload(
      "Email,Reason,Created\nAda@Example.COM,Bounced,2025-01-01\n\neve@example.com,spam,\nexample.org,,\n",
    );
    expect([status, body]).toEqual([
      200,
      { total: 3, created: 3, renewed: 0, rejected: 0, rejections: [] },
    ]);
    expect(await stored()).toEqual({
      "ada@example.com": "hard_bounce",
      "eve@example.com": "complaint",
      "example.org": "manual",
    });
  });

  test.each([
    ["domain", "email,domain,reason\nanna@gmail.com,gmail.com,unsubscribed\n"],
    ["domain, in front of it", "domain,email,reason\ngmail.com,anna@gmail.com,unsubscribed\n"],
    ["domain under other names", "E-mail,Domain,Reason\nanna@gmail.com,gmail.com,unsubscribed\n"],
    [
      "domain beside an office",
      "Work_Email,Domain,reason\nanna@gmail.com,gmail.com,unsubscribed\n",
    ],
    ["postal address", "email,address,reason\nanna@gmail.com,1 Main Street,unsubscribed\n"],
  ])("with a column of addresses suppresses these, and no %s", async (_name, csv) => {
    expect((await upload(csv)).body).toMatchObject({ total: 1, created: 1, rejected: 0 });
    const rows =
      await query`select kind, value, reason from suppressions where workspace_id = ${tenant.workspaceId}`;
    expect([...rows]).toEqual([{ kind: "email", value: "anna@gmail.com", reason: "unsubscribe" }]);
  });

  test("without a header has the values in its first column", async () => {
    expect((await upload("ada@example.com\neve@example.com\n")).body).toMatchObject({ created: 2 });
  });

  test("of rows that cannot be read: each is named, and the others are taken", async () => {
    const { body } = await upload(
      "value,kind,reason,expires_at\nada@example.com,,,\nnot an address,,,\na@example.com,alias,,\nb@example.com,,dislike,\nc@example.com,,,soon\nd@example.com,,,2020-01-01T00:00:00Z\n",
    );
    expect(body).toMatchObject({ total: 6, created: 1, rejected: 5 });
    expect(
      body.rejections.map(({ row_index, code }: { row_index: number; code: string }) => [
        row_index,
        code,
      ]),
    ).toEqual([
      [1, "INVALID_VALUE"],
      [2, "INVALID_KIND"],
      [3, "INVALID_REASON"],
      [4, "INVALID_DATE"],
      [5, "EXPIRED"],
    ]);
  });

  test.each([
    ["empty", "", "EMPTY_FILE"],
    ["without a column of values", "name,company\nAda,Engines\n", "VALIDATION_ERROR"],
    ["with an open quote", 'email\n"ada@example.com\n', "UNCLOSED_QUOTE"],
    ["that is a spreadsheet", "PK\u0003\u0004rest", "NOT_CSV"],
  ])("%s is 422 and says so", async (_name, csv, code) => {
    const { status, body } = await upload(csv);
    expect([status, body.detail]).toEqual([422, code]);
    expect(await stored()).toEqual({});
  });

  test("that comes twice changes nothing, and no reason gets lighter", async () => {
    await upload("email,reason\nada@example.com,complaint\n");
    const again = await upload(
      "email,reason\nada@example.com,manual\nADA@example.com,unsubscribe\n",
    );
    expect(again.body).toMatchObject({ total: 2, created: 0, renewed: 1 });
    expect(await stored()).toEqual({ "ada@example.com": "complaint" });
  });

  const ENDS = "2999-01-31T00:00:00Z";
  const LATER = "2999-06-30T00:00:00Z";
  test.each([
    ["a lighter entry without an end", "complaint", ENDS, "unsubscribe", ""],
    ["a later end", "unsubscribe", "", "unsubscribe", ENDS],
    ["a heavier entry that ends sooner", "unsubscribe", LATER, "complaint", ENDS],
    ["a lighter entry that ends later", "complaint", ENDS, "hard_bounce", LATER],
    ["the owner's other end of their own", "manual", "", "manual", ENDS],
    ["the owner's end of what a person said", "unsubscribe", "", "manual", ENDS],
  ])("that says a value twice, %s, says what two files would", async (_, ...told) => {
    const [reason, end, second, secondEnd] = told;
    const header = "email,reason,expires_at\n";
    const [first, then] = [`${reason},${end}\n`, `${second},${secondEnd}\n`];
    await upload(`${header}two@example.com,${first}`);
    await upload(`${header}two@example.com,${then}`);
    await upload(`${header}one@example.com,${first}one@example.com,${then}`);
    const rows = await query`select value, reason, expires_at from suppressions
      where workspace_id = ${tenant.workspaceId} order by value desc`;
    const [asTwo, asOne] = rows.map(({ value: _value, ...entry }) => entry);
    expect(asOne).toEqual(asTwo);
  });

  test("of 5,000 addresses is taken over, and comes out again as it went in", async () => {
    const values = Array.from({ length: 5_000 }, (_, n) => `lead${n}@example.com`);
    expect((await upload(`value\n${values.join("\n")}\n`)).body).toMatchObject({ created: 5_000 });
    const csv = await download();
    expect(csv.split("\r\n").filter((line) => line.startsWith('"lead'))).toHaveLength(5_000);
    const other = await api.tenant();
    tenant = other;
    expect((await upload(csv)).body).toMatchObject({ total: 5_000, created: 5_000, rejected: 0 });
  });
});

test("a list is taken as well as a file; what is neither says what to send", async () => {
  const items = [{ value: "ada@example.com", reason: "unsubscribe" }, { value: "x" }];
  const { status, body } = await tenant.call("POST", "/api/v1/suppression-imports", { items });
  expect(status).toBe(200);
  expect(body).toMatchObject({ total: 2, created: 1, rejected: 1 });
  expect(await stored()).toEqual({ "ada@example.com": "unsubscribe" });
  const wrong = await tenant.call("POST", "/api/v1/suppression-imports", { values: [] });
  expect(wrong.status).toBe(422);
  expect(JSON.stringify(wrong.body)).toContain("multipart/form-data");
});

test("an export neutralises formulas and leaves erased values out", async () => {
  await tenant.call("POST", PATH, { value: "=cmd@example.com" });
  await tenant.call("POST", PATH, { value: "gone@example.com" });
  await query`update suppressions set value = null where value = 'gone@example.com'`;
  const csv = await download();
  expect(csv).toContain(`"'=cmd@example.com"`);
  expect(csv.trim().split("\r\n")).toHaveLength(2);
});
