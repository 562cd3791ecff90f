import { and, asc, eq, sql } from "drizzle-orm";
import type { Db } from "../base/client.ts";
import { from, integer, rowReader } from "../base/rows.ts";
import { emailEvents, type EventClass, type EventKind } from "../schema/index.ts";

/** Records a recipient's unsubscription by a message; once. */
export async function recordUnsubscribe(
  db: Db,
  sent: { id: string; workspaceId: string; campaignId: string | null },
  eventId: string,
  now: Date,
): Promise<void> {
  await db
    .insert(emailEvents)
    .values({
      id: eventId,
      workspaceId: sent.workspaceId,
      campaignId: sent.campaignId,
      sendId: sent.id,
      kind: "unsubscribe",
      at: now,
      linkIndex: 0,
      classification: "human",
      reasons: [],
    })
    .onConflictDoNothing();
}

export interface EmailEvent {
  id: string;
  kind: EventKind;
  at: Date;
  url: string | null;
  classification: EventClass;
  reasons: string[];
}

/** Opens and clicks of one message, oldest first. */
export function listEmailEvents(
  db: Db,
  workspaceId: string,
  messageId: string,
): Promise<EmailEvent[]> {
  const { id, kind, at, url, classification, reasons } = emailEvents;
  return db
    .select({ id, kind, at, url, classification, reasons })
    .from(emailEvents)
    .where(and(eq(emailEvents.workspaceId, workspaceId), eq(emailEvents.sendId, messageId)))
    .orderBy(asc(at), asc(id))
    .limit(500);
}

export type ClickStats = ReturnType<typeof readClickStats>;
const readClickStats = rowReader({
  totalClicks: integer,
  clickedCount: from("clicked", integer),
  totalOpens: integer,
  openedCount: from("opened", integer),
  totalSent: from("sent", integer),
  machineOpens: integer,
  machineClicks: integer,
});

/** Counts of a campaign's ledger; undefined when the workspace has no such campaign. */
export async function campaignClickStats(
  db: Db,
  workspaceId: string,
  campaignId: string,
): Promise<ClickStats | undefined> {
  const { rows } = await db.execute(sql`
    select coalesce(sum(s.clicks), 0) as total_clicks,
           count(distinct s.campaign_lead_id) filter (where s.clicks > 0) as clicked,
           coalesce(sum(s.opens), 0) as total_opens,
           count(distinct s.campaign_lead_id) filter (where s.opens > 0) as opened,
           count(*) filter (where s.state in ('accepted', 'assumed_sent') and s.email_key is not null) as sent,
           coalesce(sum(s.machine_opens), 0) as machine_opens, coalesce(sum(s.machine_clicks), 0) as machine_clicks
    from campaigns c left join sends s on s.campaign_id = c.id
    where c.workspace_id = ${workspaceId} and c.id = ${campaignId} and c.deleted_at is null
    group by c.id`);
  return rows[0] && readClickStats(rows[0]);
}
