import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { queryOf } from "../../support/query.ts";
import { sending, tenant, useSending } from "../../support/sending.ts";

useSending();
const query = queryOf(() => sending.api.sql);
const now = () => sending.api.deps.clock.now();
const inDays = (days: number) => new Date(now().getTime() + days * 86_400_000);

interface Item {
  kind: string;
  severity: string;
  subject: { type: string; id: string | null; name: string | null };
  message: string;
  until: string | null;
  campaign_ids: string[];
}
const attention = async (of = tenant): Promise<Item[]> => {
  const { status, body } = await of.call("GET", "/api/v2/attention");
  expect([status, body]).toEqual([200, expect.anything()]);
  return body.items;
};
const kinds = async () => (await attention()).map(({ kind }) => kind);

describe("what needs its owner", () => {
  test("is nothing of a campaign that sends, waits for its day or was paused by hand", async () => {
    const { campaignId } = await sending.campaign(tenant, {
      leads: 2,
      steps: [{ delayDays: 0 }, { delayDays: 2 }],
    });
    expect(await attention()).toEqual([]);
    await sending.tick();
    expect(await attention()).toEqual([]);
    await tenant.call("POST", `/api/v1/campaigns/${campaignId}/pause`);
    expect(await attention()).toEqual([]);
  });

  test("is an alias that cannot send, with the campaigns that it holds back", async () => {
    const { campaignId, aliasIds } = await sending.campaign(tenant, { leads: 2, aliases: 2 });
    const other = await sending.campaign(tenant, { leads: 1 });
    await query`update mail_aliases set status = 'error', last_error = 'The login was refused.' where id = ${aliasIds[0]}`;
    await query`update sender_lanes set open = false where id = ${aliasIds[0]}`;
    const [alias] = await query`select email from mail_aliases where id = ${aliasIds[0]}`;
    expect(await attention()).toEqual([
      {
        kind: "alias_error",
        severity: "error",
        subject: { type: "alias", id: aliasIds[0], name: alias!.email },
        message: `${alias!.email} cannot send until its account is mended. The login was refused.`,
        until: null,
        campaign_ids: [campaignId],
      },
    ]);
    await query`update sender_lanes set open = false where id = any(${[...aliasIds, ...other.aliasIds]}::uuid[])`;
    const stuck = (await attention()).filter(({ kind }) => kind === "no_sender_available");
    expect(stuck.map(({ subject }) => subject.id).sort()).toEqual(
      [campaignId, other.campaignId].sort(),
    );
    expect(stuck[0]).toMatchObject({ severity: "error", subject: { type: "campaign" } });
  });

  test("is a campaign that the service stopped, and one with leads that wait for a person", async () => {
    const stopped = await sending.campaign(tenant, { leads: 1 });
    const failed = await sending.campaign(tenant, { leads: 1 });
    const held = await sending.campaign(tenant, { leads: 2 });
    await query`update campaigns set status = 'paused', paused_reason = 'bounce_rate_exceeded' where id = ${stopped.campaignId}`;
    await query`update campaigns set status = 'failed', launch_error = 'No leads.' where id = ${failed.campaignId}`;
    await query`update campaign_leads set hold_reason = 'suspect' where campaign_id = ${held.campaignId}`;
    // Of two that are as bad the newer comes first, and both may be made in one millisecond.
    const rank = ({ severity, kind }: { severity: string; kind: string }) =>
      `${severity} ${kind === "launch_failed" ? 0 : 1}`;
    const found = await attention();
    const items = found.toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1));
    expect(found.at(-1)).toEqual(items.at(-1));
    expect(items.map(({ kind, severity, subject }) => [kind, severity, subject.id])).toEqual([
      ["launch_failed", "error", failed.campaignId],
      ["bounce_rate_exceeded", "error", stopped.campaignId],
      ["leads_held", "warning", held.campaignId],
    ]);
    expect(items.map(({ message }) => message)).toEqual([
      "Its launch failed: No leads. Mend that and launch it again.",
      expect.stringContaining("look at the leads' addresses before you resume it"),
      "2 leads are held.",
    ]);
  });

  test("is what is wrong beside the campaigns, each until it is mended", async () => {
    const { aliasIds, campaignId } = await sending.campaign(tenant, { leads: 1 });
    const owner = [tenant.workspaceId, tenant.userId] as const;
    const [domain, conversation, webhook, gone, post, key] = Array.from({ length: 6 }, () =>
      randomUUID(),
    );
    await query`
      insert into mail_domains (id, workspace_id, user_id, created_at, updated_at, domain, status, dkim_selector, dkim_public_key, dkim_private_key)
      values (${domain}, ${owner[0]}, ${owner[1]}, now(), now(), ${`${domain}.zz`}, 'failing', 'a', 'b', 'c')`;
    await query`update mail_aliases set domain_id = ${domain} where id = ${aliasIds[0]}`;
    await query`
      insert into conversations (id, workspace_id, user_id, created_at, updated_at, alias_id, peer_key, channel, subject, last_message_at, unread, class)
      values (${conversation}, ${owner[0]}, ${owner[1]}, now(), now(), ${aliasIds[0]}, 'ada@example.zz', 'email', 'Hello', now(), 1, 'possible_opt_out')`;
    for (const [id, status, reason, failing] of [
      [webhook, "active", null, now()],
      [gone, "disabled", "gone", null],
    ] as const)
      await query`
        insert into webhooks (id, workspace_id, user_id, created_at, updated_at, url, status, disabled_reason, failing_since, secret, tx, seq, due_at)
        values (${id}, ${owner[0]}, ${owner[1]}, now(), now(), ${`https://${id}.zz/`}, ${status}, ${reason}, ${failing}, 'x', '1', 1, now())`;
    await query`
      insert into social_posts (id, workspace_id, user_id, created_at, updated_at, status, text, attachments, is_repost, retry_count, last_error, impressions, reactions, comments, reposts)
      values (${post}, ${owner[0]}, ${owner[1]}, now(), ${now()}, 'failed', 'We are hiring', '[]', false, 0, 'The network refused it.', 0, 0, 0, 0)`;
    const expires = inDays(3);
    for (const [id, at] of [
      [key, expires],
      [randomUUID(), inDays(30)],
      [randomUUID(), inDays(-1)],
    ] as const)
      await query`
        insert into api_keys (id, workspace_id, user_id, name, key_prefix, key_hash, expires_at, created_at, updated_at)
        values (${id}, ${owner[0]}, ${owner[1]}, 'robot', 'ov_abc', ${id}, ${at}, now(), now())`;
    await query`insert into credit_balances (workspace_id, available, held, owed, updated_at) values (${owner[0]}, 7, 0, 0, now())
      on conflict (workspace_id) do update set available = 7`;
    await query`insert into inboxes (alias_id, workspace_id, host, port, folder, next_read_at, failures, stuck, last_error, broken)
      values (${aliasIds[0]}, ${owner[0]}, 'imap.zz', 993, 'INBOX', now(), 3, 0, 'The login was refused.', true)`;
    const items = await attention();
    expect(items.map(({ kind, subject }) => [kind, subject.id])).toEqual(
      expect.arrayContaining([
        ["inbox_broken", aliasIds[0]],
        ["webhook_disabled", gone],
        ["domain_failing", domain],
        ["possible_opt_out", conversation],
        ["webhook_failing", webhook],
        ["post_failed", post],
        ["key_expires", key],
        ["credits_low", null],
      ]),
    );
    expect(items).toHaveLength(8);
    const ranks = items.map(({ severity }) => ["error", "warning", "info"].indexOf(severity));
    expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
    for (const { kind, campaign_ids } of items)
      expect([kind, campaign_ids]).toEqual([
        kind,
        ["domain_failing", "inbox_broken"].includes(kind) ? [campaignId] : [],
      ]);
    expect(items.find(({ kind }) => kind === "key_expires")).toMatchObject({
      until: expires.toISOString(),
    });

    await tenant.call("POST", `/api/v1/conversations/${conversation}/read`);
    sending.api.advance(8 * 86_400);
    await query`update mail_domains set status = 'verified' where id = ${domain}`;
    await query`update inboxes set broken = false where alias_id = ${aliasIds[0]}`;
    await query`update webhooks set status = 'active', failing_since = null where workspace_id = ${owner[0]}`;
    await query`update credit_balances set available = 0 where workspace_id = ${owner[0]}`;
    expect(await kinds()).toEqual(["credits_exhausted"]);
  });

  test("is nobody else's", async () => {
    const { campaignId } = await sending.campaign(tenant, { leads: 1 });
    await query`update campaigns set status = 'failed', launch_error = 'No leads.' where id = ${campaignId}`;
    expect(await attention()).toHaveLength(1);
    expect(await attention(await sending.api.tenant())).toEqual([]);
  });
});
