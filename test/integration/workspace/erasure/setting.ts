import type { Tenant } from "../../../support/api.ts";
import { queryOf } from "../../../support/query.ts";
import { sending } from "../../../support/sending.ts";

export const query = queryOf(() => sending.api.sql);

export const EMAIL = "lead1@example.zz";
export const NAME = "Zyxwva";
export const erase = (tenant: Tenant, email = EMAIL) =>
  tenant.call("POST", "/api/v1/leads/erase", { email });

export async function importRows(tenant: Tenant, rows: object[]) {
  const { id } = (await tenant.call("POST", "/api/v1/datasets", { name: "People" })).body;
  return {
    id,
    report: (await tenant.call("POST", `/api/v1/datasets/${id}/import`, { rows })).body,
  };
}

export const PERSON = {
  email: ` ${EMAIL.toUpperCase()} `,
  first_name: NAME,
  phone: `+49 30 ${NAME}`,
  note: `${NAME} likes chess`,
  tags: NAME,
  profile_url: `https://www.linkedin.com/in/${NAME}`,
};

/** Tables in which a text is found, whatever the column. */
export async function tablesWith(text: string): Promise<string[]> {
  const { sql } = sending.api;
  const rows =
    await query`select table_name from information_schema.tables where table_schema = 'public'`;
  const found: string[] = [];
  for (const { table_name: name } of rows) {
    const hits = await sql.query(
      `select 1 from "${name}" each where each::text ilike '%' || $1 || '%' limit 1`,
      [text],
    );
    if (hits.rows.length > 0) found.push(name);
  }
  return found.toSorted();
}
