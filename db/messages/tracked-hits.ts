import { sql } from "drizzle-orm";
import type { Db } from "../base/client.ts";
import { readInstant } from "../base/instants.ts";
import { from, instant, integer, orNull, rowReader, text } from "../base/rows.ts";
import type { EventClass } from "../schema/index.ts";

export interface StoredHit {
  id: string;
  kind: "open" | "click";
  at: Date;
  linkIndex: number;
  userAgent: string | null;
  asn: number | null;
  classification: EventClass;
  reasons: string[];
}

/** A sent message with its known hits, and what it counts of these and of those that are kept no more. */
export type TrackedMessage = ReturnType<typeof readMessage>;
const readMessage = rowReader({
  id: text,
  /** When the receiving server accepted it; when it was handed over, if that is uncertain. */
  acceptedAt: from("at", orNull(instant)),
  isUnknown: from("state", { read: (state) => state === "unknown" }),
  /** Changes with every change of the message's row. */
  version: text,
  opens: integer,
  clicks: integer,
  machineOpens: integer,
  machineClicks: integer,
  firstOpenedAt: orNull(instant),
  firstClickedAt: orNull(instant),
  hits: { read: (hits) => ((hits ?? []) as unknown[][]).map(readHit) },
});

export interface NewHit extends StoredHit {
  url: string | null;
}

/** The counters of hits on a message's row. */
export interface MessageCounts {
  opens: number;
  clicks: number;
  machineOpens: number;
  machineClicks: number;
  firstOpenedAt: Date | null;
  firstClickedAt: Date | null;
}

/** New hits of a message, new verdicts on old ones, and the counts that follow from all of them. */
export interface MessageChange extends MessageCounts {
  id: string;
  version: string;
  added: NewHit[];
  rejudged: Pick<StoredHit, "id" | "classification" | "reasons">[];
}

/** Reads the messages that exist, in one statement. */
export async function readTrackedMessages(db: Db, ids: string[]): Promise<TrackedMessage[]> {
  const asked = sql`any(${sql.param(ids)}::uuid[])`;
  const { rows } = await db.execute(sql`
    with hit as (
      select send_id, jsonb_agg(jsonb_build_array(id, kind, at, link_index, user_agent, asn, classification, reasons)) as hits
      from email_events where send_id = ${asked} and kind <> 'unsubscribe' group by send_id
    )
    select s.id, coalesce(s.accepted_at, s.transmitting_at) as at, s.state, s.xmin::text as version, hit.hits,
      s.opens, s.clicks, s.machine_opens, s.machine_clicks, s.first_opened_at, s.first_clicked_at
    from sends s left join hit on hit.send_id = s.id where s.id = ${asked}
    union all
    select e.id, coalesce(e.sent_at, e.updated_at), e.state, e.xmin::text, hit.hits, e.opens, e.clicks, e.machine_opens, e.machine_clicks, null, null
    from emails e left join hit on hit.send_id = e.id where e.id = ${asked}`);
  return rows.map(readMessage);
}

function readHit(hit: unknown[]): StoredHit {
  const [id, kind, at, linkIndex, userAgent, asn, classification, reasons] = hit;
  const read = { id, kind, linkIndex, userAgent, asn, classification, reasons };
  return { ...read, at: readInstant(at) } as StoredHit;
}

/**
 * Writes the changes of messages that still have their version, each as a whole, and answers their
 * ids; a message that is not among them was changed meanwhile and has to be read again. One statement,
 * however many: the rows are locked in one order, and a row's version (Postgres's `xmin`) is compared
 * under its lock, so that two writers of one message never both count.
 */
export async function writeTrackedMessages(db: Db, changes: MessageChange[]): Promise<Set<string>> {
  const messages = changes.map(({ added: _added, rejudged: _rejudged, ...message }) => message);
  const added = changes.flatMap(({ id, added }) => added.map((hit) => ({ ...hit, sendId: id })));
  const rejudged = changes.flatMap(({ id, rejudged }) =>
    rejudged.map((hit) => ({ ...hit, sendId: id })),
  );
  const counts = sql.raw(
    `opens = m.opens, clicks = m.clicks, machine_opens = m."machineOpens", machine_clicks = m."machineClicks"`,
  );
  /** What may identify a person that the workspace has erased is not written down again. */
  const kept = (column: string) => sql.raw(`case when not t.is_erased then h.${column} end`);
  const { rows } = await db.execute<{ id: string }>(sql`
    with message as (
      select * from jsonb_to_recordset(${JSON.stringify(messages)}::jsonb) as m(
        id uuid, version text, opens int, clicks int, "machineOpens" int, "machineClicks" int,
        "firstOpenedAt" timestamptz, "firstClickedAt" timestamptz)
    ), send as (
      select s.id, s.workspace_id, s.campaign_id, s.email_key is null as is_erased from sends s join message m on m.id = s.id
      where s.xmin::text = m.version order by s.id for update of s
    ), email as (
      select e.id, e.workspace_id, e.email_key = '' as is_erased from emails e join message m on m.id = e.id
      where e.xmin::text = m.version order by e.id for update of e
    ), taken as (
      select id, workspace_id, campaign_id, is_erased from send union all select id, workspace_id, null, is_erased from email
    ), counted as (
      update sends s set ${counts}, first_opened_at = m."firstOpenedAt", first_clicked_at = m."firstClickedAt"
      from message m join send on send.id = m.id where s.id = m.id
    ), counted_email as (
      update emails e set ${counts} from message m join email on email.id = m.id where e.id = m.id
    ), noted as (
      insert into email_events (id, workspace_id, campaign_id, send_id, kind, at, link_index, url, classification, reasons, user_agent, asn)
      select h.id, t.workspace_id, t.campaign_id, t.id, h.kind, h.at, h."linkIndex", ${kept("url")}, h.classification, h.reasons, ${kept('"userAgent"')}, ${kept("asn")}
      from jsonb_to_recordset(${JSON.stringify(added)}::jsonb) as h(
        id uuid, "sendId" uuid, kind text, at timestamptz, "linkIndex" int, url text, classification text, reasons text[], "userAgent" text, asn bigint)
      join taken t on t.id = h."sendId"
      on conflict (id) do nothing
    ), rejudged as (
      update email_events e set classification = h.classification, reasons = h.reasons
      from jsonb_to_recordset(${JSON.stringify(rejudged)}::jsonb) as h(id uuid, "sendId" uuid, classification text, reasons text[])
      join taken t on t.id = h."sendId"
      where e.id = h.id
    )
    select id from taken`);
  return new Set(rows.map(({ id }) => id));
}
