/** How many inboxes are read at once, and whose. */
import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { claimInboxes } from "#db/replies/inbox-reads.ts";
import { enqueueDueReads } from "#src/domain/replies/inbound/inbox/enqueue-reads.ts";
import { readDueInboxes } from "#src/domain/replies/inbound/inbox/read-due.ts";
import { insertActiveCampaign } from "../../../support/engine.ts";
import type { Tenant } from "../../../support/api.ts";
import { withNotedQueue } from "../../../support/noted-queue.ts";
import { rowsIn } from "../../../support/plan-rows.ts";
import { api, query, useApi } from "../../../support/use-api.ts";

useApi();

const MINUTE_MS = 60_000;
const A_MESSAGE = 20;

let large: Tenant;
let small: Tenant;
beforeEach(async () => {
  await api.redis.flush();
  await query`delete from inboxes`;
  large = await api.tenant();
  small = await api.tenant();
});

const now = () => api.deps.clock.now();
const ago = (minutes: number) => new Date(now().getTime() - minutes * MINUTE_MS);
const inFourMinutes = () => new Date(now().getTime() + 4 * MINUTE_MS);

/** So many inboxes of a workspace, due since then and the seconds after. Each names a server that nobody may reach. */
async function due(tenant: Tenant, count: number, since: Date): Promise<void> {
  const { aliasIds } = await insertActiveCampaign(api.sql, tenant, {
    leads: 1,
    aliases: 1,
    domain: `${randomUUID()}.zz`,
    now: now(),
  });
  await query`
    with alias as (
      insert into mail_aliases select (a2).* from (
        select jsonb_populate_record(a, jsonb_build_object('id', gen_random_uuid(), 'email', 'inbox' || n || '-' || a.email, 'is_default', false)) as a2
        from mail_aliases a, generate_series(1, ${count}::int) n where a.id = ${aliasIds[0]}) made
      returning id, workspace_id
    )
    insert into inboxes (alias_id, workspace_id, host, port, folder, secret, next_read_at, failures, stuck, backlog_stuck, broken)
    select id, workspace_id, '10.0.0.1', 993, 'INBOX', 'x', ${since}::timestamptz + row_number() over (order by id) * interval '1 ms', 0, 0, 0, false from alias`;
}

const connections = (count: number) => {
  const { deps } = api;
  const settings = { ...deps.settings, inboxes: { ...deps.settings.inboxes, connections: count } };
  return { ...deps, settings };
};
/** What workers that are still reading have in hand. */
const inHand = async (messages: number, leaseUntil = inFourMinutes()) => {
  for (let taken = 0; taken < messages; taken++)
    await claimInboxes(api.deps.db, { now: now(), leaseUntil, limit: A_MESSAGE });
};
/** How many inboxes of each the next worker looks at. */
async function nextWorker(count: number): Promise<{ large: number; small: number }> {
  await readDueInboxes(connections(count));
  const looked =
    await query`select workspace_id as of, count(*)::int as n from inboxes where failures = 1 group by 1`;
  const of = ({ workspaceId }: Tenant) =>
    looked.find((row) => row["of"] === workspaceId)?.["n"] ?? 0;
  return { large: of(large), small: of(small) };
}

describe("a round", () => {
  test.each([
    [5, 300, 15],
    [25, 300, 15],
    // No more than the connections get through until the next round.
    [1, 2_100, 100],
    [2, 2_100, 105],
  ])(
    "with %i connections and %i due inboxes asks for %i workers, so many at once",
    async (count, inboxes, workers) => {
      await due(large, inboxes, ago(1));
      const { noted, deps } = withNotedQueue(api);
      await enqueueDueReads({ ...connections(count), queue: deps.queue });
      expect(noted).toHaveLength(workers);
      const flows = new Set(noted.map(({ flow }) => JSON.stringify(flow)));
      expect([...flows]).toEqual([`{"key":"read-inboxes","parallelism":${count}}`]);
    },
  );
});

describe("a workspace whose inboxes became due first, all together,", () => {
  beforeEach(async () => {
    await due(large, 200, ago(10));
    await due(small, 3, ago(1));
  });

  test("is served first while it has less than its quarter of all places", async () => {
    await inHand(1);
    expect(await nextWorker(5)).toEqual({ large: 20, small: 0 });
  });

  test("is behind everybody from then on, and gets what they leave", async () => {
    await inHand(2);
    expect(await nextWorker(5)).toEqual({ large: 17, small: 3 });
  });

  test("has a larger quarter where there are more connections", async () => {
    await inHand(2);
    expect(await nextWorker(25)).toEqual({ large: 20, small: 0 });
  });

  test("has all of it where nobody else has anything due", async () => {
    await query`delete from inboxes where workspace_id = ${small.workspaceId}`;
    await inHand(2);
    expect(await nextWorker(5)).toEqual({ large: 20, small: 0 });
  });

  test("is not behind for workers that have died: their leases are over", async () => {
    await inHand(2, new Date(now().getTime() + 1_000));
    api.advance(2);
    expect(await nextWorker(5)).toEqual({ large: 20, small: 0 });
  });

  test("is read at once where an owner waits for one inbox, whoever is served", async () => {
    await inHand(2);
    const [wanted] = await query`
      select alias_id from inboxes where workspace_id = ${large.workspaceId} and leased_until is null order by alias_id desc limit 1`;
    await readDueInboxes(connections(5), wanted!["alias_id"] as string);
    const [row] = await query`select failures from inboxes where alias_id = ${wanted!["alias_id"]}`;
    expect(row).toEqual({ failures: 1 });
  });
});

test("a claim reads what it takes and what others have in hand, not all that is due", async () => {
  await due(large, 12_000, ago(10));
  await due(small, 100, ago(20));
  await api.sql.query("analyze inboxes, workspaces, mail_aliases, mail_logins");
  await inHand(4);
  const asked = new Map<string, unknown[]>();
  const { db } = api.deps;
  const watching = new Proxy(db, {
    get(target, name, receiver) {
      if (name !== "execute") return Reflect.get(target, name, receiver) as unknown;
      return (statement: Parameters<typeof db.execute>[0]) => {
        const { sql, params } = (
          db as unknown as {
            dialect: { sqlToQuery(of: unknown): { sql: string; params: unknown[] } };
          }
        ).dialect.sqlToQuery(statement);
        asked.set(sql, params);
        return target.execute(statement);
      };
    },
  });
  const order = { now: now(), leaseUntil: inFourMinutes(), limit: A_MESSAGE, share: 500 };
  await claimInboxes(watching, order);
  const [[text, params] = ["", []]] = [...asked];
  const { rows } = await api.sql.query(`explain (analyze, format json) ${text}`, params);
  expect(rowsIn(rows[0]["QUERY PLAN"][0].Plan)).toBeLessThan(1_200);
});
