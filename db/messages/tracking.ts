import { and, asc, eq, sql } from "drizzle-orm";
import type { Db } from "../base/client.ts";
import { sumRows } from "../campaigns/sums.ts";
import { from, integer, rowReader } from "../base/rows.ts";
import { emailEvents, type EventClass, type EventKind } from "../schema/index.ts";

/** Records a recipient's unsubscription by a message; once, as it first came. */
export async function recordUnsubscribe(
  db: Db,
  sent: { id: string; workspaceId: string; campaignId: string | null },
  { eventId, isOneClick, now }: { eventId: string; isOneClick: boolean; now: Date },
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
      reasons: isOneClick ? ["one_click"] : [],
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

/** What was sent of a campaign by mail, and opened and clicked; undefined when the workspace has no such campaign. */
export async function campaignClickStats(
  db: Db,
  workspaceId: string,
  campaignId: string,
): Promise<ClickStats | undefined> {
  const { rows } = await db.execute(sql`
    select x.* from campaigns c cross join lateral (
      select sum(clicks) as total_clicks, sum(leads_clicked) as clicked, sum(opens) as total_opens, sum(leads_opened) as opened,
             sum(sent) filter (where key = 'email') as sent, sum(machine_opens) as machine_opens, sum(machine_clicks) as machine_clicks
      from (${sumRows(sql`array[${campaignId}]::uuid[]`, "channel")}) rows) x
    where c.workspace_id = ${workspaceId} and c.id = ${campaignId} and c.deleted_at is null`);
  return rows[0] && readClickStats(rows[0]);
}
