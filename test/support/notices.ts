import { randomUUID } from "node:crypto";
import { outboxStatement } from "#db/base/fragments/outbox.ts";
import { commit } from "#db/base/client.ts";
import { deliverOutbox } from "#src/domain/workspace/notifications/deliver-outbox.ts";
import type { Tenant, TestApi } from "./api.ts";
import type { Sending } from "./sending.ts";

const PREFERENCES = "/api/v1/notifications/preferences";

/** Wants to hear of everything, at an address of its own. */
export async function wantsAll(tenant: Tenant, more: object = {}): Promise<string> {
  const personal_email = `me@${tenant.userId}.example`;
  const reply = await tenant.call("PUT", PREFERENCES, {
    personal_email,
    notify_on_reply: true,
    notify_on_bounce: true,
    notify_on_complaint: true,
    ...more,
  });
  if (reply.status !== 200) throw new Error(reply.text);
  return personal_email;
}

/** Owes a notice as a campaign's pause does; each about a campaign of its own unless one is given. */
export async function owe(
  { deps }: TestApi,
  { workspaceId }: Tenant,
  campaignId: string = randomUUID(),
): Promise<string> {
  const statement = outboxStatement(deps.db, {
    id: deps.ids.uuid(),
    workspaceId,
    kind: "campaign_paused",
    dedupKey: `test:${randomUUID()}`,
    payload: { campaign_id: campaignId, campaign_name: "Spring", reason: "missed_schedule" },
    now: deps.clock.now(),
  });
  await commit(deps.db, [statement]);
  return campaignId;
}

export const readOutbox = ({ api }: Pick<Sending, "api">) => deliverOutbox(api.deps);

/** What became of a workspace's notices, in the order in which they were made. */
export async function deliveriesOf({ sql }: TestApi, { workspaceId }: Tenant) {
  const { rows } = await sql.query(
    "select channel, state, attempts, error from notice_deliveries where workspace_id = $1 order by created_at, channel",
    [workspaceId],
  );
  return rows as { channel: string; state: string; attempts: number; error: string | null }[];
}

/** Whatever earlier tests left is told to nobody. */
export async function forgetNotices({ sql }: TestApi): Promise<void> {
  await sql.query("update outbox set delivered_at = created_at where delivered_at is null");
  await sql.query("delete from notice_deliveries");
}
