import { and, desc, eq, getTableColumns, isNull, type SQL, sql } from "drizzle-orm";
import type { PgUpdateSetSource } from "drizzle-orm/pg-core";
import { commit, type Db, prepared } from "../base/client.ts";
import { type CampaignRow, type CampaignStatus, campaigns } from "../schema/index.ts";
import { canTake } from "../base/fragments/transitions.ts";

/** The columns that an update may set, to values or SQL; the status changes by `moveStatement` and `transition`. */
export type CampaignSet = Omit<PgUpdateSetSource<typeof campaigns>, "status">;
export type Campaign = CampaignRow & { processedLeads: number };

/** A row with what is counted beside it, for `select` and `returning`. */
export const campaignColumns = {
  ...getTableColumns(campaigns),
  processedLeads: sql<number>`(
    select count(*)::int from campaign_leads l
    where l.campaign_id = campaigns.id and l.status not in ('pending', 'active'))`,
};

export const ownedBy = (workspaceId: string, id: string): SQL =>
  and(
    eq(campaigns.workspaceId, workspaceId),
    eq(campaigns.id, id),
    isNull(campaigns.deletedAt),
  ) as SQL;

export async function insertCampaign(
  db: Db,
  values: typeof campaigns.$inferInsert,
): Promise<CampaignRow> {
  const [row] = await db.insert(campaigns).values(values).returning();
  return row!;
}

const campaignOf = prepared((db) =>
  db
    .select(campaignColumns)
    .from(campaigns)
    .where(
      and(
        eq(campaigns.workspaceId, sql.placeholder("workspaceId")),
        eq(campaigns.id, sql.placeholder("id")),
        isNull(campaigns.deletedAt),
      ),
    ),
);

export async function getCampaign(
  db: Db,
  workspaceId: string,
  id: string,
): Promise<Campaign | undefined> {
  const [row] = await campaignOf(db, { workspaceId, id });
  return row;
}

/** For callbacks of the queue, which know no workspace. */
export async function findCampaign(db: Db, id: string): Promise<CampaignRow | undefined> {
  const [row] = await db
    .select()
    .from(campaigns)
    .where(and(eq(campaigns.id, id), isNull(campaigns.deletedAt)));
  return row;
}

export interface CampaignFilter {
  offset: number;
  limit: number;
  name?: string | undefined;
  status?: CampaignStatus | undefined;
}

/** Newest first, with the number of all that match. */
export async function listCampaigns(
  db: Db,
  workspaceId: string,
  { offset, limit, name, status }: CampaignFilter,
): Promise<{ rows: Campaign[]; total: number }> {
  const where = and(
    eq(campaigns.workspaceId, workspaceId),
    isNull(campaigns.deletedAt),
    status === undefined ? undefined : eq(campaigns.status, status),
    name === undefined ? undefined : sql`${campaigns.name} ilike ${likePattern(name)}`,
  );
  const [rows, counts] = await commit(db, [
    db
      .select(campaignColumns)
      .from(campaigns)
      .where(where)
      .orderBy(desc(campaigns.id))
      .limit(limit)
      .offset(offset),
    db
      .select({ total: sql<number>`count(*)::int` })
      .from(campaigns)
      .where(where),
  ]);
  return { rows, total: counts[0]!.total };
}

const likePattern = (part: string) =>
  `%${part.replace(/[\\%_]/g, (character) => `\\${character}`)}%`;

/** True when its status let it be deleted and it is now gone. */
export async function softDeleteCampaign(
  db: Db,
  workspaceId: string,
  id: string,
  now: Date,
): Promise<boolean> {
  const rows = await db
    .update(campaigns)
    .set({ deletedAt: now, updatedAt: now })
    .where(and(ownedBy(workspaceId, id), canTake("remove")))
    .returning({ id: campaigns.id });
  return rows.length > 0;
}
