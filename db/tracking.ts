import { and, asc, eq, sql } from "drizzle-orm";
import type { Db } from "./client.ts";
import { instantParam, readOptionalInstant } from "./engine/instants.ts";
import { emailEvents, type EventClass, type EventKind } from "./schema/index.ts";

/** When a message was accepted, and whether that is uncertain; undefined when there is no such message. */
export async function findSentAt(
  db: Db,
  sendId: string,
): Promise<{ acceptedAt: Date | null; isUnknown: boolean } | undefined> {
  const { rows } = await db.execute(sql`
    select coalesce(accepted_at, transmitting_at) as at, state from sends where id = ${sendId}
    union all select coalesce(sent_at, updated_at), state from emails where id = ${sendId}`);
  return (
    rows[0] && {
      acceptedAt: readOptionalInstant(rows[0]["at"]),
      isUnknown: rows[0]["state"] === "unknown",
    }
  );
}

export interface NewEvent {
  id: string;
  sendId: string;
  kind: Exclude<EventKind, "unsubscribe">;
  at: Date;
  linkIndex: number;
  url: string | null;
  classification: EventClass;
  reasons: string[];
  userAgent: string | null;
}

/**
 * Notes an open or click once per (send, link, minute) and counts it on the
 * ledger row, human and machine apart; a repeated report changes nothing.
 */
export async function recordEvent(db: Db, event: NewEvent): Promise<void> {
  const at = instantParam(event.at);
  const minute = Math.floor(event.at.getTime() / 60_000);
  const human = event.classification === "human" || event.classification === "proxy";
  const opens = event.kind === "open";
  await db.execute(sql`
    with noted as (
      insert into email_events (id, workspace_id, campaign_id, send_id, kind, at, link_index, url, classification, reasons, user_agent, minute)
      select ${event.id}, workspace_id, campaign_id, id, ${event.kind}, ${at}, ${event.linkIndex}, ${event.url},
             ${event.classification}, ${sql.param(event.reasons)}::text[], ${event.userAgent}, ${minute}
      from (
        select id, workspace_id, campaign_id from sends where id = ${event.sendId}
        union all select id, workspace_id, null from emails where id = ${event.sendId}
      ) message
      on conflict (send_id, kind, link_index, minute) do nothing
      returning send_id
    ), email as (
      update emails e set
        opens = e.opens + ${opens && human ? 1 : 0}, machine_opens = e.machine_opens + ${opens && !human ? 1 : 0},
        clicks = e.clicks + ${!opens && human ? 1 : 0}, machine_clicks = e.machine_clicks + ${!opens && !human ? 1 : 0}
      from noted where e.id = noted.send_id
    )
    update sends s set
      opens = s.opens + ${opens && human ? 1 : 0}, machine_opens = s.machine_opens + ${opens && !human ? 1 : 0},
      clicks = s.clicks + ${!opens && human ? 1 : 0}, machine_clicks = s.machine_clicks + ${!opens && !human ? 1 : 0},
      first_opened_at = case when ${opens && human} then coalesce(s.first_opened_at, ${at}) else s.first_opened_at end,
      first_clicked_at = case when ${!opens && human} then coalesce(s.first_clicked_at, ${at}) else s.first_clicked_at end
    from noted where s.id = noted.send_id`);
}

/** Notes who asked for no more mail by which message; once. */
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
      minute: 0,
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

export interface ClickStats {
  totalClicks: number;
  clickedCount: number;
  totalOpens: number;
  openedCount: number;
  totalSent: number;
  machineOpens: number;
  machineClicks: number;
}

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
           count(*) filter (where s.state in ('accepted', 'assumed_sent')) as sent,
           coalesce(sum(s.machine_opens), 0) as machine_opens, coalesce(sum(s.machine_clicks), 0) as machine_clicks
    from campaigns c left join sends s on s.campaign_id = c.id
    where c.workspace_id = ${workspaceId} and c.id = ${campaignId} and c.deleted_at is null
    group by c.id`);
  const [row] = rows;
  if (row === undefined) return undefined;
  return {
    totalClicks: Number(row["total_clicks"]),
    clickedCount: Number(row["clicked"]),
    totalOpens: Number(row["total_opens"]),
    openedCount: Number(row["opened"]),
    totalSent: Number(row["sent"]),
    machineOpens: Number(row["machine_opens"]),
    machineClicks: Number(row["machine_clicks"]),
  };
}
