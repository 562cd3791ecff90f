import { afterEach, beforeEach, expect, test } from "vitest";
import { dropStaleImports } from "#db/people/lead-imports.ts";
import { api, query, tenant, useApi } from "../../../support/use-api.ts";

let id: string;

useApi();

beforeEach(async () => {
  id = (await tenant.call("POST", "/api/v1/datasets", { name: "Leads" })).body.id;
});
afterEach(async () => {
  await api.settled();
});

const csvOf = (from: number, until: number) =>
  `email,first_name\n${Array.from({ length: until - from }, (_, n) => `p${from + n}@example.com,P${from + n}\n`).join("")}`;

async function upload(csv: string) {
  const data = new FormData();
  data.append("file", new Blob([csv]), "leads.csv");
  return tenant.call("POST", `/api/v1/datasets/${id}/import`, data);
}
const read = async () => (await tenant.call("GET", `/api/v1/datasets/${id}`)).body;
const staged = async () => Number((await query`select count(*) from lead_import_chunks`)[0].count);
const stored = async () =>
  await query`select row_index, email from leads where dataset_id = ${id} order by row_index`;

/** A form whose file is sent piece by piece, as the test says. */
function slowUpload() {
  const encoder = new TextEncoder();
  let controller!: ReadableStreamDefaultController<Uint8Array>;
  const body = new ReadableStream<Uint8Array>({
    start(given) {
      controller = given;
      controller.enqueue(
        encoder.encode(
          '--b\r\nContent-Disposition: form-data; name="file"; filename="x.csv"\r\n\r\n',
        ),
      );
    },
  });
  const reply = api.request(`/api/v1/datasets/${id}/import`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${tenant.key}`,
      "content-type": "multipart/form-data; boundary=b",
    },
    body,
    // Node wants it said that the answer may come before the end of the request.
    duplex: "half",
  } as RequestInit);
  return {
    reply,
    send: (text: string) => controller.enqueue(encoder.encode(text)),
    end: () => {
      controller.enqueue(encoder.encode("\r\n--b--\r\n"));
      controller.close();
    },
    cut: () => controller.close(),
    fail: () => controller.error(new Error("connection lost")),
  };
}

/** Resolves once that many chunks lie staged; each look is a round trip to the database. */
async function untilStaged(count: number) {
  for (let looks = 0; looks < 2000; looks++) if ((await staged()) >= count) return;
  throw new Error(`never ${count} chunks`);
}

test("the same file four times at once makes each lead once, numbered without gaps", async () => {
  const replies = await Promise.all(Array.from({ length: 4 }, () => upload(csvOf(0, 2500))));
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  const created = replies.map(({ body }) => body.created).sort((a, b) => a - b);
  expect(created).toEqual([0, 0, 0, 2500]);
  expect(replies.map(({ body }) => body.created + body.updated)).toEqual([2500, 2500, 2500, 2500]);
  const rows = await stored();
  expect(rows.map((row) => row.row_index)).toEqual(Array.from({ length: 2500 }, (_, n) => n + 1));
  expect(new Set(rows.map((row) => row.email)).size).toBe(2500);
  expect((await read()).row_count).toBe(2500);
  expect(await staged()).toBe(0);
});

test("imports, single leads and deletions at once leave a right count", async () => {
  await upload(csvOf(0, 100));
  const leads = (await tenant.call("GET", `/api/v1/datasets/${id}/leads?limit=50`)).body.items;
  const replies = await Promise.all([
    upload(csvOf(50, 300)),
    upload(csvOf(200, 400)),
    ...leads
      .slice(0, 20)
      .map((lead: { id: string }) =>
        tenant.call("DELETE", `/api/v1/datasets/${id}/leads/${lead.id}`),
      ),
    ...Array.from({ length: 20 }, (_, n) =>
      tenant.call("POST", `/api/v1/datasets/${id}/leads`, { email: `single${n}@example.com` }),
    ),
  ]);
  expect(replies.map(({ status }) => status).filter((status) => status >= 300)).toEqual([]);
  const rows = await stored();
  expect(rows).toHaveLength(400 - 20 + 20);
  expect(new Set(rows.map((row) => row.row_index)).size).toBe(rows.length);
  expect((await read()).row_count).toBe(rows.length);
});

test("while a file arrives nothing of it is visible, and the dataset says that it is importing", async () => {
  await upload(csvOf(0, 3));
  const slow = slowUpload();
  slow.send(csvOf(0, 2500));
  await untilStaged(2);
  expect(await read()).toMatchObject({ status: "importing", row_count: 3 });
  expect(await stored()).toHaveLength(3);
  slow.end();
  expect((await slow.reply).status).toBe(200);
  expect(await read()).toMatchObject({ status: "ready", row_count: 2500 });
});

test.each(["cut", "fail"] as const)(
  "a file whose connection is lost (%s) leaves the dataset as it was",
  async (how) => {
    await upload(csvOf(0, 3));
    const before = await read();
    const slow = slowUpload();
    slow.send(csvOf(0, 2500));
    await untilStaged(2);
    slow[how]();
    expect((await slow.reply).status).toBeGreaterThanOrEqual(400);
    await api.settled();
    expect(await staged()).toBe(0);
    expect(await read()).toEqual(before);
    expect(await stored()).toHaveLength(3);
  },
);

test("a database that fails in the middle leaves the dataset as it was", async () => {
  await upload(csvOf(0, 3));
  const before = await read();
  await api.sql.query(`
    create function refuse_poison() returns trigger language plpgsql as
      $$ begin if new.email = 'poison@example.com' then raise 'poison'; end if; return new; end $$;
    create trigger poison before insert on leads for each row execute function refuse_poison()`);
  const reply = await upload(`${csvOf(0, 2500)}poison@example.com,X\n`);
  expect(reply.status).toBe(500);
  await api.settled();
  expect(await staged()).toBe(0);
  expect(await read()).toEqual(before);
  await query`drop trigger poison on leads; drop function refuse_poison`;
  expect((await upload(csvOf(0, 2500))).body).toMatchObject({ created: 2497, updated: 3 });
});

test("a form that ends behind its file, but before its own end, is not imported", async () => {
  const slow = slowUpload();
  slow.send(`${csvOf(0, 10)}\r\n--b\r\nContent-Disposition: form-data; name="x"\r\n\r\nva`);
  slow.cut();
  expect((await slow.reply).status).toBe(400);
  expect(await stored()).toHaveLength(0);
});

test.each(["before", "after"])(
  "a dataset deleted %s its last chunk was staged gets nothing",
  async (when) => {
    const slow = slowUpload();
    slow.send(csvOf(0, 2500));
    await untilStaged(2);
    if (when === "before") {
      expect((await tenant.call("DELETE", `/api/v1/datasets/${id}`)).status).toBe(200);
      slow.send("last@example.com,X\n");
    } else {
      // The deletion's first half: as if every chunk came after it.
      await query`update datasets set deleted_at = now() where id = ${id}`;
    }
    slow.end();
    expect((await slow.reply).status).toBe(404);
    await api.settled();
    expect(await staged()).toBe(0);
    expect(await stored()).toHaveLength(0);
  },
);

test("what a killed import left is invisible, harmless, and gone an hour later", async () => {
  const importId = "00000000-0000-4000-8000-000000000001";
  const abandoned = () =>
    api.sql.query(
      "insert into lead_import_chunks (import_id, chunk, dataset_id, rows, staged_at) values ($1, 0, $2, $3, $4)",
      [
        importId,
        id,
        '[{"place":1,"email":"x@example.com","identity_key":"x@example.com","tags":[],"custom":{}}]',
        api.deps.clock.now(),
      ],
    );
  await abandoned();
  expect((await read()).status).toBe("importing");
  expect((await upload(csvOf(0, 3))).body.created).toBe(3);
  expect(await stored()).toHaveLength(3);
  api.advance(3 * 60);
  expect((await read()).status).toBe("ready");
  api.advance(3600);
  await upload(csvOf(0, 3));
  expect(await staged()).toBe(0);
  await abandoned();
  await dropStaleImports(api.deps.db, new Date(api.deps.clock.now().getTime() + 1));
  expect(await staged()).toBe(0);
});
