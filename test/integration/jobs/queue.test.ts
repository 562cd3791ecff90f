/** What all jobs share, on a table of them. */
import { sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { commit } from "#db/base/client.ts";
import { isFenced } from "#db/base/fence.ts";
import {
  claimDueStatement,
  claimJob,
  endJobStatement,
  overdueJobs,
  putBackJob,
  stillMineStatement,
} from "#db/base/job-queue.ts";
import { POSTS } from "#db/network/posts/posts.ts";
import { VERIFICATION_JOBS as JOBS } from "#db/research/verification-jobs.ts";
import { api, query, tenant, useApi } from "../../support/use-api.ts";

useApi();

const NOW = new Date("2026-03-02T09:00:00Z");
const after = (seconds: number) => new Date(NOW.getTime() + seconds * 1000);
const claim = (now = NOW) => ({
  token: crypto.randomUUID(),
  now,
  until: new Date(now.getTime() + 60_000),
});

/** Due a second apart, the first since now. */
async function jobs(count: number): Promise<string[]> {
  const rows = await query`
    insert into verification_jobs (id, workspace_id, user_id, created_at, updated_at, email, force, status, attempts, due_at)
    select gen_random_uuid(), ${tenant.workspaceId}::uuid, ${tenant.userId}::uuid, ${NOW}::timestamptz, ${NOW}, gen_random_uuid() || '@inbox.zz',
      false, 'pending', 0, ${NOW}::timestamptz + n * interval '1 second' from generate_series(0, ${count - 1}::int) n returning id`;
  return rows.map(({ id }) => id);
}
beforeEach(() => query`delete from verification_jobs`);

test("of claims at once one gets the job, and the next gets it when the lease is over", async () => {
  const [id] = (await jobs(1)) as [string];
  const kinds = (
    await Promise.all([1, 2, 3].map(() => claimJob(api.deps.db, JOBS, id, claim())))
  ).map(({ kind }) => kind);
  expect(kinds.toSorted()).toEqual(["claimed", "waits", "waits"]);
  expect((await claimJob(api.deps.db, JOBS, id, claim(after(59)))).kind).toBe("waits");
  const second = await claimJob(api.deps.db, JOBS, id, claim(after(60)));
  expect(second).toMatchObject({ kind: "claimed", job: { attempts: 2 } });
});

test("the longest due are taken first, no more than were asked for and none twice", async () => {
  const ids = await jobs(5);
  const take = (limit: number) => claimDueStatement(api.deps.db, JOBS, claim(after(3)), { limit });
  expect((await take(2)).map(({ id }) => id).toSorted()).toEqual(ids.slice(0, 2).toSorted());
  expect((await take(5)).map(({ id }) => id).toSorted()).toEqual(ids.slice(2, 4).toSorted());
});

test("one that is asked for is taken before those that have been due longer", async () => {
  const [, , last] = (await jobs(3)) as [string, string, string];
  const first = sql`${JOBS.table.id} is distinct from ${last}::uuid`;
  const taken = await claimDueStatement(api.deps.db, JOBS, claim(after(3)), { limit: 1, first });
  expect(taken.map(({ id }) => id)).toEqual([last]);
});

test("a worker that was overtaken ends nothing, puts nothing back, and nothing of its transaction takes effect", async () => {
  const [id, other] = (await jobs(2)) as [string, string];
  const { db } = api.deps;
  const first = claim();
  await claimJob(db, JOBS, id, first);
  const second = claim(after(60));
  await claimJob(db, JOBS, id, second);
  const late = { id, token: first.token };
  expect(await endJobStatement(db, JOBS, late, { status: "completed" })).toEqual([]);
  expect(await putBackJob(db, JOBS, late, { status: "pending", dueAt: NOW })).toBe(false);
  const ending = commit(db, [
    db.update(JOBS.table).set({ status: "failed" }),
    stillMineStatement(db, JOBS, late),
  ]);
  expect(isFenced(await ending.catch((error: unknown) => error))).toBe(true);
  const status = await query`select status from verification_jobs where id = ${other}`;
  expect(status).toEqual([{ status: "pending" }]);
  const mine = { id, token: second.token };
  expect(await putBackJob(db, JOBS, mine, { status: "pending", dueAt: after(90) })).toBe(true);
  expect((await claimJob(db, JOBS, id, claim(after(89)))).kind).toBe("waits");
});

test("overdue is what is open and was due before then, the longest first", async () => {
  const [first, second, third] = (await jobs(3)) as [string, string, string];
  const { db } = api.deps;
  const { token, ...times } = claim();
  await claimJob(db, JOBS, first, { token, ...times });
  const overdue = async (seconds: number) =>
    (await overdueJobs(db, JOBS, after(seconds), 10)).map(({ id }) => id);
  expect(await overdue(3)).toEqual([second, third]);
  expect(await overdue(61)).toEqual([second, third, first]);
  await endJobStatement(db, JOBS, { id: first, token }, { status: "completed" });
  expect(await overdue(61)).toEqual([second, third]);
});

test("where the lease is a column beside the due time, that stays as it was and both have to pass", async () => {
  const { db } = api.deps;
  await query`
    insert into social_posts (id, workspace_id, user_id, created_at, updated_at, status, attachments, is_repost, retry_count, impressions,
      reactions, comments, reposts, due_at)
    select gen_random_uuid(), ${tenant.workspaceId}::uuid, ${tenant.userId}::uuid, ${NOW}::timestamptz, ${NOW}, 'scheduled', '[]', false, 0, 0,
      0, 0, 0, ${NOW}`;
  const [{ id }] = (await query`select id from social_posts`) as [{ id: string }];
  const row = async () =>
    (await query`select due_at, lease_until, worker_token from social_posts`)[0];
  const first = claim();
  expect((await claimJob(db, POSTS, id, first)).kind).toBe("claimed");
  const held = { due_at: NOW, lease_until: first.until, worker_token: first.token };
  expect(await row()).toEqual(held);
  expect((await claimJob(db, POSTS, id, claim(after(59)))).kind).toBe("waits");
  const second = claim(after(60));
  expect((await claimJob(db, POSTS, id, second)).kind).toBe("claimed");
  const end = (token: string) => endJobStatement(db, POSTS, { id, token }, { dueAt: after(300) });
  expect(await end(first.token)).toEqual([]);
  expect(await end(second.token)).toEqual([{ id }]);
  expect(await row()).toEqual({ due_at: after(300), lease_until: null, worker_token: null });
  expect((await claimJob(db, POSTS, id, claim(after(299)))).kind).toBe("waits");
  expect((await claimJob(db, POSTS, id, claim(after(300)))).kind).toBe("claimed");
});
