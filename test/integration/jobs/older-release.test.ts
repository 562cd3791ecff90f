/**
 * While a deployment goes on, Workers of two releases claim the same rows, and a rollback is the older one alone: each
 * sees the other's claims. The older one's statements are those with which these families began.
 */
import { beforeEach, expect, test } from "vitest";
import { claimJob, type JobClaim } from "#db/base/job-queue.ts";
import { takeOverSettlement } from "#db/billing/wallet-payments.ts";
import { claimCounts } from "#db/network/posts/counting.ts";
import { POSTS } from "#db/network/posts/posts.ts";
import { claimInboxes } from "#db/replies/inbox-reads.ts";
import { claimDeliveries } from "#db/workspace/notice-deliveries.ts";
import { api, query, tenant, useApi } from "../../support/use-api.ts";

useApi();

const NOW = new Date("2026-03-02T09:00:00Z");
const LEASE_SECONDS = 60;
const claimAfter = (seconds: number): JobClaim => {
  const now = new Date(NOW.getTime() + seconds * 1000);
  return { token: crypto.randomUUID(), now, until: new Date(now.getTime() + LEASE_SECONDS * 1000) };
};

const insertPost = (status: string) => query`
  insert into social_posts (id, workspace_id, user_id, created_at, updated_at, status, attachments, is_repost, retry_count, impressions,
    reactions, comments, reposts, due_at)
  select gen_random_uuid(), ${tenant.workspaceId}::uuid, ${tenant.userId}::uuid, ${NOW}::timestamptz, ${NOW}, ${status}, '[]', false, 0, 0,
    0, 0, 0, ${NOW}`;

interface Family {
  insert(): Promise<unknown>;
  /** The rows that a worker of the older release takes. */
  older(claim: JobClaim): Promise<unknown[]>;
  newer(claim: JobClaim): Promise<unknown[]>;
}

const FAMILIES: Record<string, Family> = {
  "a post to be published": {
    insert: () => insertPost("scheduled"),
    older: ({ token, now, until }) => query`
      update social_posts set status = 'publishing', worker_token = ${token}, lease_until = ${until}
      where status in ('scheduled', 'publishing') and due_at <= ${now} and (lease_until is null or lease_until <= ${now}) returning id`,
    newer: async (claim) => {
      const [post] = await query`select id from social_posts`;
      const { kind } = await claimJob(api.deps.db, POSTS, post.id, claim);
      return kind === "claimed" ? [post] : [];
    },
  },
  "a post to be counted": {
    insert: () => insertPost("published"),
    older: ({ token, now, until }) => query`
      update social_posts set worker_token = ${token}, lease_until = ${until}
      where status = 'published' and due_at <= ${now} and (lease_until is null or lease_until <= ${now}) returning id`,
    newer: (claim) => claimCounts(api.deps.db, claim, 5),
  },
  "a notice": {
    insert: () => query`
      insert into notice_deliveries (id, workspace_id, notice_id, channel, state, due_at, attempts, created_at, updated_at)
      select gen_random_uuid(), ${tenant.workspaceId}::uuid, gen_random_uuid(), 'email', 'waiting', ${NOW}::timestamptz, 0, ${NOW}, ${NOW}`,
    older: ({ token, now, until }) => query`
      update notice_deliveries set worker_token = ${token}, due_at = ${until}, attempts = attempts + 1
      where state = 'waiting' and due_at <= ${now} returning id`,
    newer: ({ token: workerToken, now, until: claimedUntil }) =>
      claimDeliveries(api.deps.db, { now, workerToken, claimedUntil, limit: 5 }),
  },
  "an inbox": {
    insert: async () => {
      const { status } = await tenant.call("POST", "/api/v1/mailer/aliases", {
        email: `${crypto.randomUUID()}@sender.zz`,
        display_name: "Ann",
        transport: { kind: "smtp", host: "127.0.0.1", port: 2525, security: "none" },
        inbox: { kind: "imap", host: "imap.sender.zz", password: "secret" },
      });
      expect(status).toBe(201);
      await query`update inboxes set next_read_at = ${NOW}`;
    },
    older: ({ now, until }) => query`
      update inboxes set leased_until = ${until}
      where next_read_at <= ${now} and (leased_until is null or leased_until <= ${now}) returning alias_id`,
    newer: async ({ now, until: leaseUntil }) =>
      (await claimInboxes(api.deps.db, { now, leaseUntil, limit: 5 })).claims,
  },
  "a settlement in doubt": {
    insert: () => query`
      insert into wallet_payments (payer, nonce, state, payment_hash, body_hash, call, amount, claim_token, lease_until, payment,
        requirements, valid_before, created_at)
      select '0xa', '0x1', 'settling', '', '', 'search', 1, gen_random_uuid(), ${NOW}::timestamptz - interval '1 second', '{}', '{}', ${NOW}, ${NOW}`,
    older: ({ token, now, until }) => query`
      update wallet_payments set claim_token = ${token}, lease_until = ${until}
      where payer = '0xa' and nonce = '0x1' and state = 'settling' and lease_until < ${now} returning nonce`,
    newer: async (claim) =>
      (await takeOverSettlement(api.deps.db, { payer: "0xa", nonce: "0x1" }, claim)) ? [1] : [],
  },
};

beforeEach(async () => {
  for (const table of ["social_posts", "notice_deliveries", "inboxes", "wallet_payments"])
    await api.sql.query(`delete from ${table}`);
});

test.each(Object.entries(FAMILIES))(
  "%s that one release has claimed is left alone by the other until the lease is over",
  async (_name, { insert, older, newer }) => {
    await insert();
    expect(await older(claimAfter(0))).toHaveLength(1);
    expect(await newer(claimAfter(LEASE_SECONDS - 1))).toHaveLength(0);
    expect(await newer(claimAfter(LEASE_SECONDS + 1))).toHaveLength(1);
    expect(await older(claimAfter(2 * LEASE_SECONDS))).toHaveLength(0);
    expect(await older(claimAfter(2 * LEASE_SECONDS + 2))).toHaveLength(1);
  },
);
