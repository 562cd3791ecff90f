import { expect, test } from "vitest";
import { tenant, useApi } from "../../../support/use-api.ts";

useApi();

test("a lead that imports gave more custom fields than one request may is changed as any other", async () => {
  const { id } = (await tenant.call("POST", "/api/v1/datasets", { name: "Leads" })).body;
  const leads = `/api/v1/datasets/${id}/leads`;
  const fieldsOf = (prefix: string) =>
    Object.fromEntries(Array.from({ length: 150 }, (_, at) => [`${prefix}_${at}`, `${at}`]));
  for (const prefix of ["a", "b"]) {
    const rows = [{ email: "ann@example.com", ...fieldsOf(prefix) }];
    const imported = await tenant.call("POST", `/api/v1/datasets/${id}/import`, { rows });
    expect([imported.status, imported.body.rejected]).toEqual([200, 0]);
  }
  const [lead] = (await tenant.call("GET", leads)).body.items;
  const all = { ...fieldsOf("a"), ...fieldsOf("b") };
  const changed = await tenant.call("PATCH", `${leads}/${lead.id}`, { title: "CTO" });
  expect(changed.body).toMatchObject({ title: "CTO", custom: all });
  const given = await tenant.call("PATCH", `${leads}/${lead.id}`, { custom: all });
  expect(given.status).toBe(422);
  const fewer = await tenant.call("PATCH", `${leads}/${lead.id}`, { custom: { size: 3 } });
  expect(fewer.body).toMatchObject({ title: "CTO", custom: { size: 3 } });
});
