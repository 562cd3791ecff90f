import { and, desc, eq, getTableColumns, isNull, type SQL, sql, lt } from "drizzle-orm";
import type { PgUpdateSetSource } from "drizzle-orm/pg-core";
import { type Db, prepared, UNIQUE_VIOLATION, violates } from "../base/client.ts";
import { containing } from "../base/patterns.ts";
import { type CampaignRow, type CampaignStatus, campaigns } from "../schema/index.ts";
import { canTake } from "../base/fragments/transitions.ts";
import { endedLeads } from "./lead-sums.ts";

/** The columns that an update may set, to values or SQL; the status changes by `moveStatement` and `transition`. */
export type CampaignSet = Omit<PgUpdateSetSource<typeof campaigns>, "status">;
export type Campaign = CampaignRow & { processedLeads: number };
/** As a list reads it; `total` is that of the list. */
export type ListedCampaign = Campaign & { total?: number };

/** A row with what is counted beside it, for `select` and `returning`. */
export const campaignColumns = {
  ...getTableColumns(campaigns),
  processedLeads: endedLeads(sql`campaigns.id`),
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

/** The campaign that a file calls so. */
export async function findByExternalId(
  db: Db,
  workspaceId: string,
  externalId: string,
): Promise<Campaign | undefined> {
  const [row] = await db
    .select(campaignColumns)
    .from(campaigns)
    .where(
      and(
        eq(campaigns.workspaceId, workspaceId),
        eq(campaigns.externalId, externalId),
        isNull(campaigns.deletedAt),
      ),
    );
  return row;
}

/** Whether a write failed because another campaign is called so. */
export const isExternalIdTaken = (error: unknown): boolean =>
  violates(error, UNIQUE_VIOLATION, "campaigns_external_id");

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
  /** The campaign that the page comes behind. */
  after?: string | undefined;
  name?: string | undefined;
  status?: CampaignStatus | undefined;
  externalId?: string | null | undefined;
}

const HIGHEST_ID = "ffffffff-ffff-ffff-ffff-ffffffffffff";

const matches = (byStatus: boolean, byName: boolean): SQL =>
  and(
    eq(campaigns.workspaceId, sql.placeholder("workspaceId")),
    isNull(campaigns.deletedAt),
    byStatus ? eq(campaigns.status, sql.placeholder("status")) : undefined,
    sql`(${sql.placeholder("externalId")}::text is null or ${campaigns.externalId} = ${sql.placeholder("externalId")})`,
    byName ? sql`${campaigns.name} ilike ${sql.placeholder("name")}` : undefined,
  ) as SQL;

const countOf = (match: SQL) =>
  sql<number>`(select count(*)::int from ${campaigns} where ${match})`;

/** A page and the number of all that match, in one statement: by whether there is a status, and by whether there is a name. */
const pages = [false, true].map((byStatus) =>
  [false, true].map((byName) => {
    const match = matches(byStatus, byName);
    return {
      page: prepared((db) =>
        db
          .select({ ...campaignColumns, total: countOf(match) })
          .from(campaigns)
          .where(and(match, lt(campaigns.id, sql.placeholder("after"))))
          .orderBy(desc(campaigns.id))
          .limit(sql.placeholder("limit"))
          .offset(sql.placeholder("offset")),
      ),
      count: prepared((db) =>
        db
          .select({ total: sql<number>`count(*)::int` })
          .from(campaigns)
          .where(match),
      ),
    };
  }),
);

/** Newest first, with the number of all that match. */
export async function listCampaigns(
  db: Db,
  workspaceId: string,
  { offset, limit, after, name, status, externalId = null }: CampaignFilter,
): Promise<{ rows: ListedCampaign[]; total: number }> {
  const { page, count } = pages[Number(status !== undefined)]![Number(name !== undefined)]!;
  const match = {
    workspaceId,
    status,
    externalId,
    name: name === undefined ? undefined : containing(name),
  };
  const rows = await page(db, { ...match, after: after ?? HIGHEST_ID, offset, limit });
  // A page beyond the last has no row that could say it.
  const isFirst = offset === 0 && after === undefined;
  const [counted] = rows.length > 0 || isFirst ? rows : await count(db, match);
  return { rows, total: counted?.total ?? 0 };
}

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
