import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import type { Db } from "../base/client.ts";
import {
  connectedAccounts,
  datasets,
  mailAliases,
  senderProfiles,
  templates,
} from "../schema/index.ts";

export interface CampaignReferences {
  datasetIds: string[];
  aliasIds: string[];
  accountIds: string[];
  templateIds: string[];
  profileIds: string[];
}

type Counts = Record<"datasets" | "aliases" | "accounts" | "templates" | "profiles", number>;

/** How many of the records that a campaign points at exist in the workspace. Ids are expected once each. */
export async function countReferences(
  db: Db,
  workspaceId: string,
  references: CampaignReferences,
): Promise<Counts> {
  const count = (
    table:
      | typeof connectedAccounts
      | typeof datasets
      | typeof mailAliases
      | typeof senderProfiles
      | typeof templates,
    ids: string[],
  ) =>
    sql<number>`(${db
      .select({ count: sql`count(*)::int` })
      .from(table)
      .where(
        and(
          eq(table.workspaceId, workspaceId),
          inArray(table.id, ids),
          table === datasets ? isNull(datasets.deletedAt) : undefined,
        ),
      )})`;
  const { rows } = await db.execute<Counts>(sql`
    select ${count(datasets, references.datasetIds)} as datasets,
           ${count(mailAliases, references.aliasIds)} as aliases,
           ${count(connectedAccounts, references.accountIds)} as accounts,
           ${count(templates, references.templateIds)} as templates,
           ${count(senderProfiles, references.profileIds)} as profiles`);
  return rows[0]!;
}
