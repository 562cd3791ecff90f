import { expect } from "vitest";
import type { Tenant } from "../../../support/api.ts";
import { untilWaiting } from "../../../support/locks.ts";
import { queryOf } from "../../../support/query.ts";
import { sending } from "../../../support/sending.ts";
import type { relayThatWaits } from "./relay.ts";

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

export const nothingNamesThem = async () => {
  expect(await tablesWith(EMAIL)).toEqual([]);
  expect(await tablesWith(NAME)).toEqual([]);
};

/** While a row is locked, one thing waits for it, and then another is done or waits for that. */
export async function whileHeld(
  lock: string,
  params: unknown[],
  waits: () => Promise<unknown>,
  then: () => Promise<unknown>,
): Promise<void> {
  const holder = await sending.api.sql.connect();
  await holder.query("begin");
  await holder.query(lock, params);
  const work = [waits()];
  await untilWaiting(sending.api.sql, 1);
  work.push(then());
  await Promise.race([work[1], untilWaiting(sending.api.sql, 2).catch(() => {})]);
  await holder.query("rollback");
  holder.release();
  await Promise.all(work);
}

type Command = Parameters<typeof relayThatWaits>[0];

/** Of the person: what each server says of a message to them. */
export const ANSWERS: [string, Command, string][] = [
  ["takes it", ".", `250 2.6.0 <${EMAIL}> has it`],
  ["knows nobody of that name", "RCPT", `550 5.1.1 <${EMAIL}>: no such user`],
  ["does not like it", ".", `554 5.7.1 Not for <${EMAIL}>`],
  ["puts it off", "RCPT", `450 4.2.1 <${EMAIL}> is busy`],
  ["refuses the sender for now", "MAIL", `421 4.7.0 Too much for <${EMAIL}>`],
  ["refuses the account", "AUTH", `535 5.7.8 Not for <${EMAIL}>`],
];
