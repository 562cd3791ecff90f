import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { api, query, tenant, useApi } from "../../../support/use-api.ts";

useApi();

async function dataset(owner = tenant): Promise<string> {
  const { body } = await owner.call("POST", "/api/v1/datasets", { name: "Leads" });
  return body.id;
}

function form(csv: string | Uint8Array, mapping?: unknown): FormData {
  const data = new FormData();
  if (mapping !== undefined) data.append("mapping", JSON.stringify(mapping));
  data.append(
    "file",
    new Blob([typeof csv === "string" ? csv : Uint8Array.from(csv)], { type: "text/csv" }),
    "leads.csv",
  );
  return data;
}

const upload = (id: string, csv: string | Uint8Array, mapping?: unknown) =>
  tenant.call("POST", `/api/v1/datasets/${id}/import`, form(csv, mapping));
const leadsOf = async (id: string) =>
  (await tenant.call("GET", `/api/v1/datasets/${id}/leads?limit=200`)).body.items;
const getDataset = async (id: string) => (await tenant.call("GET", `/api/v1/datasets/${id}`)).body;

describe("a CSV file", () => {
  test("becomes leads, each column where its header says", async () => {
    const id = await dataset();
    const reply = await upload(
      id,
      [
        "E-Mail;First Name;role;company_name;linkedin_url;Country;Deal size;Tags",
        "Ann@Example.com;Ann;CTO;Acme;linkedin.com/in/ann;Germany;10;a,b",
        "bob@example.com;Bob;;;;;;",
        ";Cid;;;https://www.linkedin.com/in/cid/;;;",
      ].join("\r\n"),
    );
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({
      total: 3,
      created: 3,
      updated: 0,
      duplicate: 0,
      rejected: 0,
      rejections: [],
    });
    const [ann, bob, cid] = await leadsOf(id);
    expect(ann).toMatchObject({
      row_index: 1,
      dataset_id: id,
      workspace_id: tenant.workspaceId,
      email: "ann@example.com",
      first_name: "Ann",
      title: "CTO",
      company: "Acme",
      profile_url: "https://linkedin.com/in/ann",
      country: "DE",
      custom: { deal_size: "10" },
      tags: ["a", "b"],
      verification: null,
    });
    expect(ann).not.toHaveProperty("email_key");
    expect(bob).toMatchObject({ row_index: 2, title: null, custom: {}, tags: [] });
    expect(cid).toMatchObject({ row_index: 3, email: null });
    expect(await getDataset(id)).toMatchObject({
      source: "csv",
      status: "ready",
      row_count: 3,
      columns: expect.arrayContaining([
        { key: "email", label: "E-Mail", type: "email", sample: "Ann@Example.com" },
        { key: "custom.deal_size", label: "Deal size", type: "text", sample: "10" },
      ]),
    });
  });

  test("names each row it cannot use, and imports the others", async () => {
    const id = await dataset();
    const reply = await upload(
      id,
      'email,country,timezone,"multi\nline"\nok@example.com,,,\nbad@,,,\n\n,,,\n,,,x\na@b.co,Atlantis,,\nc@b.co,,Mars,\nd@b.co,,,1,2\n',
    );
    expect(reply.body).toMatchObject({ total: 6, created: 1, rejected: 5 });
    expect(
      reply.body.rejections.map(
        (rejection: { row_index: number; code: string; message: string }) => [
          rejection.row_index,
          rejection.code,
          rejection.message.split(":")[0],
        ],
      ),
    ).toEqual([
      [1, "INVALID_EMAIL", "Line 4"],
      [2, "MISSING_IDENTITY", "Line 7"],
      [3, "INVALID_COUNTRY", "Line 8"],
      [4, "INVALID_TIMEZONE", "Line 9"],
      [5, "TOO_MANY_CELLS", "Line 10"],
    ]);
  });

  test("reads addresses out of what people and programs put around them", async () => {
    const id = await dataset();
    const reply = await upload(
      id,
      'email\nmailto:ann@example.com\n"Bob <bob@example.com>"\ncid@example.com.\n"<dan@example.com>, "\nmailto:eve@example.com?subject=Hi\n',
    );
    expect(reply.body).toMatchObject({ total: 5, created: 5, rejected: 0 });
    expect((await leadsOf(id)).map((lead: { email: string }) => lead.email)).toEqual(
      ["ann", "bob", "cid", "dan", "eve"].map((name) => `${name}@example.com`),
    );
  });

  test("lists at most 1,000 rejected rows and counts all", async () => {
    const reply = await upload(await dataset(), `email\n${"no address\n".repeat(1500)}`);
    expect(reply.body).toMatchObject({ total: 1500, created: 0, rejected: 1500 });
    expect(reply.body.rejections).toHaveLength(1000);
  });

  test("imported twice changes leads instead of doubling them, and blanks nothing", async () => {
    const id = await dataset();
    await upload(
      id,
      "email,first_name,company,note\na@example.com,Ann,Acme,x\nb@example.com,Bob,,\n",
    );
    const again = await upload(
      id,
      "email,first_name,company,other\nA@example.com,Anna,,y\nc@example.com,Cid,,\na@example.com,Third,,\n",
    );
    expect(again.body).toMatchObject({ total: 3, created: 1, updated: 1, duplicate: 1 });
    const leads = await leadsOf(id);
    expect(leads.map((lead: { row_index: number }) => lead.row_index)).toEqual([1, 2, 3]);
    expect(leads[0]).toMatchObject({
      first_name: "Anna",
      company: "Acme",
      custom: { note: "x", other: "y" },
    });
    expect((await getDataset(id)).row_count).toBe(3);
    expect((await getDataset(id)).columns.map((column: { key: string }) => column.key)).toEqual([
      "email",
      "first_name",
      "company",
      "custom.note",
      "custom.other",
    ]);
  });

  test("takes its mapping from the request, and the dataset remembers it", async () => {
    const id = await dataset();
    const csv = "Kontakt,Firma X,Geheim\na@example.com,Acme,s3cret\n";
    const missing = await upload(id, csv);
    expect(missing.status).toBe(422);
    expect(missing.body).toMatchObject({
      detail: "MISSING_COLUMNS",
      columns: ["Kontakt", "Firma X", "Geheim"],
    });
    const mapping = { Kontakt: "email", "firma x": "company", Geheim: null };
    expect((await upload(id, csv, mapping)).body.created).toBe(1);
    expect((await leadsOf(id))[0]).toMatchObject({ company: "Acme", custom: {} });
    expect((await getDataset(id)).mapping).toEqual(mapping);
    expect((await upload(id, csv)).body).toMatchObject({ created: 0, updated: 1 });
  });

  test("keeps formulas as text, and gives them back neutralised", async () => {
    const id = await dataset();
    const name = '=HYPERLINK("http://evil.example","x")';
    await upload(
      id,
      `email,first_name,phone,=cmd\na@example.com,"${name.replaceAll('"', '""')}",+49 30,-1\n`,
    );
    const [lead] = await leadsOf(id);
    expect(lead).toMatchObject({ first_name: name, phone: "+49 30", custom: { cmd: "-1" } });
    const csv = await tenant.call("GET", `/api/v1/datasets/${id}/leads.csv`);
    expect(csv.status).toBe(200);
    expect(csv.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(csv.text).toContain(`"'${name.replaceAll('"', '""')}"`);
    expect(csv.text).toContain(`"'+49 30"`);
    expect(csv.text).toContain(`"'-1"`);
    const copy = await dataset();
    expect((await upload(copy, csv.text)).body).toMatchObject({ total: 1, created: 1 });
    const { id: _a, dataset_id: _b, created_at: _c, updated_at: _d, ...same } = lead;
    expect((await leadsOf(copy))[0]).toMatchObject(same);
  });

  test.each([
    ["EMPTY_FILE", ""],
    ["MISSING_COLUMNS", "first_name,last_name\nA,B\n"],
    ["NOT_UTF8", Buffer.from("email,name\na@b.co,Jos\xe9\n", "latin1")],
    ["NOT_CSV", Buffer.from("PK\x03\x04 a workbook")],
    ["UNCLOSED_QUOTE", 'email,name\na@b.co,"open\nb@b.co,x\n'],
    ["ROW_TOO_LARGE", `email,name\na@b.co,x\nb@b.co,${"x".repeat(10_000_000)}\n`],
    ["TOO_MANY_COLUMNS", `email,name\na@b.co${",".repeat(600)}\n`],
  ])("that cannot be read is refused as %s, and changes nothing", async (code, csv) => {
    const id = await dataset();
    await upload(id, "email\nthere@example.com\n");
    const before = await getDataset(id);
    const reply = await upload(id, csv);
    expect([reply.status, reply.body.detail]).toEqual([422, code]);
    await api.settled();
    expect(await getDataset(id)).toEqual(before);
    expect(await leadsOf(id)).toHaveLength(1);
    const rows = await query`select 1 from lead_import_chunks`;
    expect(rows).toHaveLength(0);
  });
});

test("a NUL character refuses its row, of a file and of rows, and a header of them the file", async () => {
  const rejections = [
    expect.objectContaining({ row_index: 1, code: "NUL_CHARACTER" }),
    expect.objectContaining({ row_index: 2, code: "NUL_CHARACTER" }),
  ];
  const report = { total: 4, created: 2, rejected: 2, rejections };
  const csv = "email,title,size\na@b.co,CTO,1\nb@b.co,C\u0000TO,2\nc@b.co,,\u00003\nd@b.co,,4\n";
  const ofFile = await dataset();
  expect((await upload(ofFile, csv)).body).toMatchObject(report);
  const rows = [
    { email: "a@b.co" },
    { email: "b@b.co", title: "C\u0000TO" },
    { email: "c@b.co", size: "\u00003" },
    { email: "d@b.co" },
  ];
  const path = `/api/v1/datasets/${await dataset()}/import`;
  expect((await tenant.call("POST", path, { rows })).body).toMatchObject(report);
  const header = await upload(ofFile, "email,ti\u0000tle\na@b.co,CTO\n");
  expect([header.status, header.body.detail]).toEqual([422, "NUL_CHARACTER"]);
});

describe("a list of objects", () => {
  const post = (id: string, body: unknown) =>
    tenant.call("POST", `/api/v1/datasets/${id}/import`, body);

  test("becomes leads by the same rules, and keeps JSON in custom fields", async () => {
    const id = await dataset();
    const reply = await post(id, {
      rows: [
        {
          email: "a@example.com",
          job_title: "CTO",
          tags: ["x"],
          size: 12,
          deep: { a: [1] },
          custom: { k: true },
        },
        { email: 5 },
        { email: { no: 1 } },
        { linkedin_url: "linkedin.com/in/b", phone: 4930 },
        { first_name: "  " },
      ],
    });
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({ total: 5, created: 2, rejected: 3 });
    expect(
      reply.body.rejections.map((r: { row_index: number; code: string }) => [r.row_index, r.code]),
    ).toEqual([
      [1, "INVALID_EMAIL"],
      [2, "INVALID_TEXT"],
      [4, "MISSING_IDENTITY"],
    ]);
    const [first, second] = await leadsOf(id);
    expect(first).toMatchObject({
      title: "CTO",
      tags: ["x"],
      custom: { size: 12, deep: { a: [1] }, k: true },
    });
    expect(second).toMatchObject({ phone: "4930" });
    expect((await getDataset(id)).source).toBe("api");
  });

  test("of rows of different shapes maps each row's own keys", async () => {
    const id = await dataset();
    const reply = await post(id, {
      rows: [
        { email: "a@example.com", company_name: "Acme" },
        { "E-Mail": "b@example.com", Firma: "Bolt", Größe: 4 },
        { Kontakt: "c@example.com", "E-Mail": "", organization: "Cord" },
        { Kontakt: "d@example.com", email: "e@example.com" },
      ],
      mapping: { Kontakt: "email" },
    });
    expect(reply.body).toMatchObject({ total: 4, created: 4, rejected: 0 });
    const own = (lead: Record<string, unknown>) => [lead["email"], lead["company"], lead["custom"]];
    const leads = await leadsOf(id);
    expect(leads.map(own)).toEqual([
      ["a@example.com", "Acme", {}],
      ["b@example.com", "Bolt", { größe: 4 }],
      ["c@example.com", "Cord", {}],
      ["d@example.com", null, { email: "e@example.com" }],
    ]);
    const { columns } = await getDataset(id);
    expect(columns.map(({ key }: { key: string }) => key)).toEqual([
      "email",
      "company",
      "custom.größe",
      "custom.e_mail",
      "custom.email",
    ]);
  });

  test("nested too deeply, or of 10,000 keys, is the row's fault or refused at once", async () => {
    const id = await dataset();
    const deep = `${"[".repeat(50_000)}${"]".repeat(50_000)}`;
    for (const place of ['"note"', '"custom"', '"email"', '"__proto__"']) {
      const body = `{"rows":[{"email":"deep@example.com",${place}:${deep}},{"email":"x@example.com"}]}`;
      const reply = await tenant.call("POST", `/api/v1/datasets/${id}/import`, body);
      expect([place, reply.status]).toEqual([place, 200]);
    }
    const wide = Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`k${n}`, n]));
    for (const row of [wide, { email: "a@example.com", custom: wide }]) {
      const reply = await post(id, { rows: [row] });
      expect([reply.status, reply.body.detail]).toEqual([422, "TOO_MANY_COLUMNS"]);
    }
  });

  test("that is empty imports nothing", async () => {
    expect((await post(await dataset(), { rows: [] })).body).toMatchObject({
      total: 0,
      created: 0,
    });
  });

  test("with values that Postgres cannot keep loses those rows only", async () => {
    const reply = await post(await dataset(), {
      rows: [
        { email: "a@example.com", note: "a\u0000b" },
        { email: "b@example.com", first_name: "\ud800" },
        { email: "c@example.com", note: { deep: "\ud800" } },
        { email: "d@example.com", "x\u0000\ud800": "key", ["__proto__"]: { x: 1 } },
      ],
    });
    expect(reply.body).toMatchObject({ total: 4, created: 1, rejected: 3 });
    const mapped = await post(await dataset(), { rows: [], mapping: { "a\u0000": "email" } });
    expect(mapped.status).toBe(422);
  });

  test("without rows, or of the wrong kind, is a validation error", async () => {
    const id = await dataset();
    for (const body of [{}, { rows: "x" }, { rows: [1] }, { url: "https://x" }]) {
      const reply = await post(id, body);
      expect(reply.status).toBe(422);
      expect(reply.body).toMatchObject({
        error: "Validation Error",
        details: [{ loc: expect.arrayContaining(["body", "rows"]) }],
      });
    }
    const mapped = await post(id, { rows: [], mapping: { a: "nonsense" } });
    expect(mapped.body.details[0].loc).toEqual(["body", "mapping", "a"]);
    expect(
      (await post(id, { rows: [{ email: "a@b.co" }], mapping: { b: "email" } })).body.detail,
    ).toBe("VALIDATION_ERROR");
  });
});

describe("the request", () => {
  test("that is no form, or too large, is refused before its dataset is looked for", async () => {
    const id = await dataset();
    const path = `/api/v1/datasets/${id}/import`;
    expect(
      (await tenant.call("POST", path, "{", { "content-type": "application/json" })).status,
    ).toBe(400);
    expect(
      (await tenant.call("POST", path, "x", { "content-type": "multipart/form-data" })).status,
    ).toBe(400);
    const big = JSON.stringify({ rows: [{ email: "x".repeat(10 * 1024 * 1024) }] });
    expect((await tenant.call("POST", path, big)).status).toBe(413);
    const unknown = `/api/v1/datasets/${randomUUID()}/import`;
    expect((await tenant.call("POST", unknown, form("email\na@b.co"))).body.detail).toBe(
      "DATASET_NOT_FOUND",
    );
  });

  test("without a file, with two, or with a mapping behind it, is refused", async () => {
    const id = await dataset();
    const path = `/api/v1/datasets/${id}/import`;
    const none = new FormData();
    none.append("other", "x");
    expect((await tenant.call("POST", path, none)).body.message).toContain("no part named file");
    const two = form("email\na@b.co\n");
    two.append("file", new Blob(["email\n"]), "b.csv");
    expect((await tenant.call("POST", path, two)).status).toBe(422);
    const late = form("email\na@b.co\n");
    late.append("mapping", "{}");
    expect((await tenant.call("POST", path, late)).body.message).toContain("mapping before file");
    expect((await tenant.call("POST", path, form("email\n", { a: "b" }))).status).toBe(422);
    expect((await getDataset(id)).row_count).toBe(0);
  });
});
