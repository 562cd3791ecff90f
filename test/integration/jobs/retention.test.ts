/** What is kept ends by its time, and each table says how long that is. */
import { randomUUID } from "node:crypto";
import * as fs from "node:fs";
import * as path from "node:path";
import { expect, test } from "vitest";
import { dropEnded, RETENTIONS } from "#db/base/retention.ts";
import { dropWhatEnded } from "#src/domain/jobs/retention.ts";
import { api, tenant, useApi } from "../../support/use-api.ts";

useApi();

const DAY_MS = 86_400_000;
const PAGE = path.join(import.meta.dirname, "../../../docs/design/retention.md");

test("each table has its row in the page that says how long it is kept", async () => {
  const { rows } = await api.sql.query<{ name: string }>(
    "select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE' order by 1",
  );
  const firstCells = fs
    .readFileSync(PAGE, "utf8")
    .split("\n")
    .filter((line) => line.startsWith("| `"))
    .flatMap((line) => [...line.split("|")[1]!.matchAll(/`(\w+)`/g)].map(([, name]) => name!));
  expect(firstCells.toSorted()).toEqual(rows.map(({ name }) => name).toSorted());
});

/** A row of each table that is of that age, and how to know it again. */
const ROWS: Record<string, { sql: string; waits?: string }> = {
  outbox: {
    sql: "insert into outbox (id, workspace_id, kind, dedup_key, payload, created_at, delivered_at, attempts) values ($1, $2, 'lead_reply', $1::uuid::text, '{}', $3, $3, 0)",
    waits:
      "insert into outbox (id, workspace_id, kind, dedup_key, payload, created_at, attempts) values ($1, $2, 'lead_reply', $1::uuid::text, '{}', $3, 0)",
  },
  notice_deliveries: {
    sql: "insert into notice_deliveries (id, workspace_id, notice_id, channel, state, due_at, attempts, created_at, updated_at) values ($1, $2, $1, 'email', 'sent', $3, 1, $3, $3)",
    waits:
      "insert into notice_deliveries (id, workspace_id, notice_id, channel, state, due_at, attempts, created_at, updated_at) values ($1, $2, $1, 'email', 'waiting', $3, 1, $3, $3)",
  },
  notice_windows: {
    sql: "insert into notice_windows (topic, open_until) select $1::text, $3::timestamptz where $2::uuid is not null",
  },
  placement_tests: {
    sql: "insert into placement_tests (id, workspace_id, user_id, created_at, updated_at, subject, delete_after) values ($1, $2, $1, $3, $3, '', false)",
  },
  inbound_mails: {
    sql: "insert into inbound_mails (id, content_hash, received_at, class, workspace_id) values ($1, $1::uuid::text, $3, 'reply', $2)",
  },
  verified_addresses: {
    sql: "insert into verified_addresses (key_hash, checked_at, expires_at) select $1::text, $3, $3::timestamptz where $2::uuid is not null",
  },
  verified_domains: {
    sql: "insert into verified_domains (domain, is_catch_all, checked_at, expires_at) select $1::text, false, $3, $3::timestamptz where $2::uuid is not null",
  },
  email_events: {
    sql: "insert into email_events (id, workspace_id, send_id, kind, at, link_index, classification, reasons) values ($1, $2, $1, 'open', $3, 0, 'human', '{}')",
    waits:
      "insert into email_events (id, workspace_id, send_id, kind, at, link_index, classification, reasons) values ($1, $2, $1, 'unsubscribe', $3, 0, 'human', '{}')",
  },
  agent_confirmations: {
    sql: "insert into agent_confirmations (id, workspace_id, user_id, actor, tool, digest, status, created_at, expires_at) values ($1, $2, $2, 'key', 'send_email', '', 'spent', $3, $3)",
  },
  idempotency_keys: {
    sql: "insert into idempotency_keys (workspace_id, key_hash, fingerprint, created_at, is_effect) values ($2, $1::text, '', $3, false)",
  },
};

test.each(RETENTIONS.filter(({ table }) => table in ROWS))(
  "$table: a row ends $days days on and not before, and what still waits stays",
  async ({ table, days }) => {
    const now = api.deps.clock.now().getTime();
    const put = async (sql: string, ageMs: number) => {
      const id = randomUUID();
      await api.sql.query(sql, [id, tenant.workspaceId, new Date(now - ageMs)]);
      return id;
    };
    const { sql, waits } = ROWS[table]!;
    const old = await put(sql, days * DAY_MS + 1_000);
    const young = await put(sql, days * DAY_MS - 60_000);
    const waiting = waits === undefined ? null : await put(waits, days * DAY_MS * 2);
    await dropWhatEnded(api.deps);
    const left = await api.sql.query(`select t::text as row from ${table} t`);
    const has = (id: string | null) => left.rows.some(({ row }) => row.includes(String(id)));
    expect([has(old), has(young), waiting === null || has(waiting)]).toEqual([false, true, true]);
  },
);

test("it goes by an index, and in pieces", async () => {
  const { rows } = await api.sql.query<{ on: string }>(
    "select tablename || ' ' || indexdef as on from pg_indexes where schemaname = 'public'",
  );
  for (const { table, since } of RETENTIONS) {
    const leads = new RegExp(`^${table} .*\\(${since}\\b`);
    expect(
      rows.some(({ on }) => leads.test(on)),
      `${table} has no index that begins with ${since}`,
    ).toBe(true);
  }
  const now = api.deps.clock.now();
  const windows = RETENTIONS.find(({ table }) => table === "notice_windows")!;
  for (let n = 0; n < 3; n++)
    await api.sql.query("insert into notice_windows (topic, open_until) values ($1, $2)", [
      randomUUID(),
      new Date(now.getTime() - 2 * DAY_MS),
    ]);
  expect(await dropEnded(api.deps.db, windows, { now, limit: 2 })).toBe(2);
  expect(await dropEnded(api.deps.db, windows, { now, limit: 2 })).toBeGreaterThanOrEqual(1);
});
