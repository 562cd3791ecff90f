import {
  aliasedTable,
  and,
  asc,
  desc,
  eq,
  getTableColumns,
  ilike,
  isNull,
  isNotNull,
  or,
  type SQL,
  sql,
} from "drizzle-orm";
import { commit, type Db } from "../base/client.ts";
import { isCalled } from "../base/fragments/lead-words.ts";
import { containing } from "../base/patterns.ts";
import { campaignLeads, type CampaignLeadStatus, campaigns, leads } from "../schema/index.ts";
import { ownedBy } from "./campaigns.ts";
import type { CampaignLead } from "./leads.ts";

/** Dataset order and its reverse, which an index has; the latest change first, for which all leads of the campaign are read. */
export const LEAD_ORDERS = ["row_index", "-row_index", "-updated_at"] as const;
export type LeadOrder = (typeof LEAD_ORDERS)[number];

/** A place in a list, by what its order goes by: a row's number, or milliseconds. */
export interface LeadPlace {
  at: number;
  id: string;
}

export const placeOf = ({ rowIndex, updatedAt, id }: Ordered, order: LeadOrder): LeadPlace => ({
  at: order === "-updated_at" ? updatedAt.getTime() : rowIndex,
  id,
});
type Ordered = Pick<CampaignLead, "rowIndex" | "updatedAt" | "id">;

export interface LeadPage {
  status?: CampaignLeadStatus | undefined;
  held?: boolean | undefined;
  /** A part of the lead's address, name or company. */
  part?: string | undefined;
  order: LeadOrder;
  /** The place after which the page begins. */
  after?: LeadPlace | undefined;
  limit: number;
}

/** So many leads are looked at for a page of those with a part of a text. */
export const LOOKED_AT = 10_000;

/**
 * One more than `limit`; undefined when there is no such campaign. Of a search `reached` is the last lead that was looked
 * at where more come behind it.
 */
export async function listCampaignLeads(
  db: Db,
  workspaceId: string,
  campaignId: string,
  page: LeadPage,
  lookedAt = LOOKED_AT,
): Promise<{ rows: CampaignLead[]; reached: Ordered | null } | undefined> {
  const { rowIndex, updatedAt, id, leadId } = campaignLeads;
  const inOrder = ordersOf(page.order);
  const isNext = and(
    eq(campaignLeads.workspaceId, workspaceId),
    eq(campaignLeads.campaignId, campaignId),
    page.after && isBehind(page.order, page.after),
  );
  const found = db
    .select({ id: campaigns.id })
    .from(campaigns)
    .where(ownedBy(workspaceId, campaignId));
  const listed = db.select(getTableColumns(campaignLeads)).from(campaignLeads).$dynamic();
  if (page.part === undefined) {
    const wanted = listed
      .where(and(isNext, ...filtersOf(page)))
      .orderBy(...inOrder)
      .limit(page.limit + 1);
    const [campaign, rows] = await commit(db, [found, wanted]);
    return campaign.length === 0 ? undefined : { rows, reached: null };
  }
  const next = db
    .select({ id, rowIndex, updatedAt })
    .from(campaignLeads)
    .where(isNext)
    .orderBy(...inOrder);
  const looked = db
    .select({ id })
    .from(campaignLeads)
    .where(isNext)
    .orderBy(...inOrder)
    .limit(lookedAt)
    .as("looked");
  const [campaign, ends, rows] = await commit(db, [
    found,
    next.offset(lookedAt - 1).limit(2),
    listed
      .innerJoin(looked, eq(looked.id, id))
      .leftJoin(l, eq(l.id, leadId))
      .where(and(...filtersOf(page), hasPart(page.part)))
      .orderBy(...inOrder)
      .limit(page.limit + 1),
  ]);
  if (campaign.length === 0) return undefined;
  return { rows, reached: ends.length < 2 ? null : ends[0]! };
}

const l = aliasedTable(leads, "l");

const ordersOf = (order: LeadOrder): SQL[] => {
  const { rowIndex, updatedAt, id } = campaignLeads;
  if (order === "row_index") return [asc(rowIndex), asc(id)];
  return [desc(order === "-row_index" ? rowIndex : updatedAt), desc(id)];
};

function isBehind(order: LeadOrder, { at, id }: LeadPlace): SQL {
  const { rowIndex, updatedAt, id: own } = campaignLeads;
  if (order === "row_index") return sql`(${rowIndex}, ${own}) > (${at}, ${id}::uuid)`;
  if (order === "-row_index") return sql`(${rowIndex}, ${own}) < (${at}, ${id}::uuid)`;
  return sql`(${updatedAt}, ${own}) < (${new Date(at).toISOString()}::timestamptz, ${id}::uuid)`;
}

const filtersOf = ({ status, held }: LeadPage): (SQL | undefined)[] => [
  status && eq(campaignLeads.status, status),
  held === undefined
    ? undefined
    : held
      ? isNotNull(campaignLeads.holdReason)
      : isNull(campaignLeads.holdReason),
];

/** By the address that the campaign writes to, and what the lead's record says now; nothing of a record that is gone. */
function hasPart(part: string): SQL | undefined {
  const pattern = containing(part);
  return or(ilike(campaignLeads.email, pattern), isCalled(pattern));
}
