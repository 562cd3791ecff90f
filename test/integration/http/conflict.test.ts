/** A record that others change each time before it is written: the database as it is then, by a trigger. */
import { expect, test } from "vitest";
import { insertAlias, insertDataset } from "../../support/campaigns.ts";
import { purchase } from "../../support/payments.ts";
import { api, tenant, useApi } from "../../support/use-api.ts";

useApi();

const RECORDS: Record<string, () => Promise<[path: string, change: object]>> = {
  templates: async () => {
    const made = await tenant.call("POST", "/api/v1/templates", { name: "T", body: "Hello" });
    return [`/api/v1/templates/${made.body.id}`, { body: "Goodbye" }];
  },
  leads: async () => {
    const people = [{ email: "ada@example.zz" }];
    const { datasetId, leadIds } = await insertDataset(api.sql, tenant, people);
    return [`/api/v1/datasets/${datasetId}/leads/${leadIds[0]}`, { first_name: "Eve" }];
  },
  mail_aliases: async () => [
    `/api/v1/mailer/aliases/${await insertAlias(api, tenant)}`,
    { display_name: "Eve" },
  ],
};

test.each(Object.entries(RECORDS))(
  "of %s is 409 CONFLICT, and stays as it is",
  async (table, make) => {
    const [path, change] = await make();
    const before = (await tenant.call("GET", path)).body;
    await api.sql.query(
      `create function ${table}_taken() returns trigger language plpgsql as 'begin return null; end';
     create trigger taken before update on ${table} for each row execute function ${table}_taken()`,
    );
    const { status, body } = await tenant.call("PATCH", path, change);
    expect([status, body.detail]).toEqual([409, "CONFLICT"]);
    expect(body.message).toContain("read it and try again");
    expect((await tenant.call("GET", path)).body).toEqual(before);
    await api.sql.query(`drop trigger taken on ${table}`);
    expect((await tenant.call("PATCH", path, change)).status).toBe(200);
  },
);

test("of a purchase is 409 PAYMENT_CHANGED, and the next click opens its page", async () => {
  await api.sql.query(
    `create function event_taken() returns trigger language plpgsql as $$ begin
       raise unique_violation using constraint = 'payment_events_version'; end $$;
     create trigger taken before insert on payment_events for each row execute function event_taken()`,
  );
  const { status, body } = await purchase(tenant);
  expect([status, body.detail]).toEqual([409, "PAYMENT_CHANGED"]);
  await api.sql.query("drop trigger taken on payment_events");
  expect((await purchase(tenant)).status).toBe(200);
});
