/** A reader of events goes on with a cursor of the hours that a restored database lost. */
import { expect, test } from "vitest";
import { runAdmin } from "../../../scripts/admin/run.ts";
import { takeBackup } from "../../support/backup.ts";
import { api, query, tenant, useApi } from "../../support/use-api.ts";

useApi();
const EVENTS = "/api/v2/events";
const LOST = 1_000;

const insert = () => query`insert into events (workspace_id, id, type, at, data)
  values (${tenant.workspaceId}, gen_random_uuid(), 'reply.received', now(), '{}')`;

/** What the restored database has come to when the reader asks again. */
const useUpNumbers = () =>
  api.sql.query(
    `do $$ begin for n in 1..${LOST + 1} loop perform pg_current_xact_id(); commit; end loop; end $$`,
  );

test("a place in what a restored database lost is gone, also once its numbers were given out again", async () => {
  const backup = await takeBackup(api.sql);
  const since = api.deps.clock.now();
  api.advance(300);
  const { body } = await tenant.call("GET", `${EVENTS}?after=now`);
  // The copy of the database keeps its count of transactions, which a branch would set back: so much further on then.
  const place = Buffer.from(body.next_cursor, "base64url").toString();
  const [tx, ...rest] = place.split(".");
  const cursor = Buffer.from([BigInt(tx!) + BigInt(LOST), ...rest].join(".")).toString("base64url");
  api.advance(300);
  await backup.restore();
  const now = api.deps.clock.now();
  await runAdmin(["restored", "--since", since.toISOString()], api.databaseUrl, now);
  await insert();
  await useUpNumbers();
  api.advance(300);
  const again = await tenant.call("GET", `${EVENTS}?after=${cursor}`);
  expect([again.status, again.body.code]).toEqual([410, "CURSOR_EXPIRED"]);
  const anew = await tenant.call("GET", `${EVENTS}?after=now`);
  const next = await tenant.call("GET", `${EVENTS}?after=${anew.body.next_cursor}`);
  expect(next.status).toBe(200);
});

test("what was arriving in the restored database is arriving still", async () => {
  const at = api.deps.clock.now();
  const { workspaceId } = tenant;
  await query`update workspaces set frozen_at = ${at}, cell = 'b', arrived_at = ${at} where id = ${workspaceId}`;
  api.advance(60);
  await runAdmin(["restored", "--since", at.toISOString()], api.databaseUrl, api.deps.clock.now());
  const [row] = await query`
    select frozen_at = arrived_at as is_arriving from workspaces where id = ${workspaceId}`;
  expect(row).toEqual({ is_arriving: true });
});
