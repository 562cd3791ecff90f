import { and, asc, eq, gt, ilike, or, sql, type SQL } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { commit, type Db } from "../base/client.ts";
import { lockSuppressionsStatement } from "../engine/index.ts";
import { instantParam } from "../base/instants.ts";
import { deleteOwned, findOwned, type NewOwned, newRow } from "../base/owned.ts";
import { type SuppressionKind, type SuppressionReason, suppressions } from "../schema/index.ts";
import { isErased, suppressionReason, type Way } from "../base/fragments/suppression-reason.ts";
import { renewedSuppression } from "../base/fragments/suppression-renewal.ts";
import { containing } from "../base/patterns.ts";
import { leadEnd } from "../base/fragments/lead-end.ts";

export type SuppressionRow = typeof suppressions.$inferSelect;

export interface SuppressionFilter {
  kind?: SuppressionKind | undefined;
  reason?: SuppressionReason | undefined;
  /** Entries of these values, by their hashes: an erased one is found too. */
  entries?: Pick<SuppressionContent, "kind" | "valueHash">[] | undefined;
  /** Part of the value, whatever its case. */
  part?: string | undefined;
}

/** A place in the list, which is in the order in which entries were made. */
export interface SuppressionPlace {
  after: string | undefined;
  limit: number;
}

const conditionsOf = (
  table: Record<"kind" | "reason" | "value" | "valueHash", PgColumn>,
  { kind, reason, entries, part }: SuppressionFilter,
): (SQL | undefined)[] => [
  kind && eq(table.kind, kind),
  reason && eq(table.reason, reason),
  entries &&
    or(...entries.map((one) => and(eq(table.kind, one.kind), eq(table.valueHash, one.valueHash)))),
  part === undefined ? undefined : ilike(table.value, containing(part)),
];

const isBehind = (workspaceId: string, after: string | undefined): SQL =>
  and(
    eq(suppressions.workspaceId, workspaceId),
    after === undefined ? undefined : gt(suppressions.id, after),
  ) as SQL;

/** `limit + 1` rows after the id `after`. */
export async function listSuppressions(
  db: Db,
  workspaceId: string,
  filter: SuppressionFilter,
  { after, limit }: SuppressionPlace,
): Promise<SuppressionRow[]> {
  return db
    .select()
    .from(suppressions)
    .where(and(isBehind(workspaceId, after), ...conditionsOf(suppressions, filter)))
    .orderBy(asc(suppressions.id))
    .limit(limit + 1);
}

/** So many entries are looked at for a page of those with a part of a value: no index finds a part of one tenant's. */
export const LOOKED_AT = 10_000;

/** The same among the next `lookedAt` entries. `reached` is the id of the last of these, null where that is the last of all. */
export async function searchSuppressions(
  db: Db,
  workspaceId: string,
  filter: SuppressionFilter,
  { after, limit }: SuppressionPlace,
  lookedAt = LOOKED_AT,
): Promise<{ rows: SuppressionRow[]; reached: string | null }> {
  const isNext = isBehind(workspaceId, after);
  const looked = db
    .select()
    .from(suppressions)
    .where(isNext)
    .orderBy(asc(suppressions.id))
    .limit(lookedAt)
    .as("looked");
  const [ends, rows] = await commit(db, [
    db
      .select({ id: suppressions.id })
      .from(suppressions)
      .where(isNext)
      .orderBy(asc(suppressions.id))
      .offset(lookedAt - 1)
      .limit(2),
    db
      .select()
      .from(looked)
      .where(and(...conditionsOf(looked, filter)))
      .orderBy(asc(looked.id))
      .limit(limit + 1),
  ]);
  return { rows, reached: ends.length < 2 ? null : ends[0]!.id };
}

export const getSuppression = (db: Db, workspaceId: string, id: string) =>
  findOwned(db, suppressions, workspaceId, id);

export interface SuppressionContent {
  value: string;
  valueHash: string;
  kind: SuppressionKind;
  reason: SuppressionReason;
  expiresAt: Date | null;
  sourceCampaignId?: string;
}

/**
 * Suppresses a value, or renews its suppression. Built, not run: callers put it
 * into their own transaction (renewedSuppression says what stays). A value that was
 * erased is not written again: its hash still suppresses.
 */
export function suppressStatement(db: Db, owner: NewOwned, content: SuppressionContent) {
  return insertStatement(db, owner.now, [{ ...content, ...newRow(owner) }]).returning();
}

function insertStatement(db: Db, now: Date, rows: (typeof suppressions.$inferInsert)[]) {
  const renewed = renewedSuppression(instantParam(now));
  return db
    .insert(suppressions)
    .values(rows)
    .onConflictDoUpdate({
      target: [suppressions.workspaceId, suppressions.kind, suppressions.valueHash],
      set: {
        reason: renewed.reason,
        expiresAt: renewed.expires_at,
        sourceCampaignId: renewed.source_campaign_id,
        updatedAt: now,
      },
    });
}

/** Suppresses a value: once this has returned nothing begins to it any more. */
export async function createSuppression(
  db: Db,
  owner: NewOwned,
  content: SuppressionContent,
): Promise<{ row: SuppressionRow; endedIn: string[] }> {
  const [, rows, ended] = await commit(db, [
    lockSuppressionsStatement(db, owner.workspaceId),
    suppressStatement(db, owner, content),
    endLeadsStatement(db, owner, [content.valueHash]),
  ]);
  return { row: rows[0]!, endedIn: ended.rows.map((each) => each.campaign_id) };
}

/** Suppresses many values at once, each of them once; answers how many were not suppressed before, and in which campaigns leads ended. */
export async function createSuppressions(
  db: Db,
  owner: Omit<NewOwned, "id">,
  rows: (SuppressionContent & { id: string })[],
): Promise<{ created: number; endedIn: string[] }> {
  const { workspaceId, now } = owner;
  const values = rows.map((row) => ({ ...row, ...newRow({ ...owner, id: row.id }) }));
  const hashes = rows.map(({ valueHash }) => valueHash);
  const [, made, ended] = await commit(db, [
    lockSuppressionsStatement(db, workspaceId),
    // A row that this statement inserted has no deleting transaction.
    insertStatement(db, now, values).returning({ isNew: sql<boolean>`xmax = 0` }),
    endLeadsStatement(db, owner, hashes),
  ]);
  return {
    created: made.filter(({ isNew }) => isNew).length,
    endedIn: ended.rows.map((each) => each.campaign_id),
  };
}

const statusOf = (reason: SQL): SQL => sql`case ${reason}
  when 'unsubscribe' then 'unsubscribed' when 'complaint' then 'complained' when 'hard_bounce' then 'bounced' else 'stopped' end`;

/**
 * Ends the waiting leads of addresses that are suppressed for good, in all
 * campaigns, instead of each at its turn. The guard before each send ends the rest:
 * leads in flight, those of whole domains, and those of entries that run out.
 */
const endLeadsStatement = (
  db: Db,
  { workspaceId, now }: Pick<NewOwned, "workspaceId" | "now">,
  hashes: string[],
) =>
  db.execute<{ campaign_id: string }>(sql`
    with ended as (
      update campaign_leads l set ${leadEnd({ status: statusOf(sql`s.reason`), stopReason: "suppressed" }, now)}
      from suppressions s
      where s.workspace_id = ${workspaceId} and s.kind = 'email' and s.value_hash = any(${sql.param(hashes)}::text[])
        and s.expires_at is null and l.workspace_id = s.workspace_id and l.email_key = s.value
        and l.status in ('pending', 'active') and l.next_action_at is not null
      returning l.campaign_id
    ) select distinct campaign_id from ended`);

/** What the workspace knows of a recipient. */
export interface Recipient {
  /** Why they get nothing; null if they may. */
  suppressionReason: string | null;
  /** A person with that address was erased. */
  isErased: boolean;
}

/** Of each address key and this way, in one statement. */
export async function recipientsOf(
  db: Db,
  workspaceId: string,
  emailKeys: readonly string[],
  now: Date,
  way: Way = "mail",
): Promise<Map<string, Recipient>> {
  const owner = sql`${workspaceId}::uuid`;
  const { rows } = await db.execute<{ key: string; reason: string | null; erased: boolean }>(sql`
    select asked.key, ${suppressionReason(owner, sql`asked.key`, instantParam(now), way)} as reason, ${isErased(owner, sql`asked.key`)} as erased
    from unnest(${sql.param([...new Set(emailKeys)])}::text[]) asked(key)`);
  return new Map(
    rows.map(({ key, reason, erased }) => [key, { suppressionReason: reason, isErased: erased }]),
  );
}

export const deleteSuppression = (db: Db, workspaceId: string, id: string) =>
  deleteOwned(db, suppressions, workspaceId, id);
