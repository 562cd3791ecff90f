import { sql } from "drizzle-orm";
import { orphansStatements, senderStatements } from "../campaigns/change.ts";
import type { Db, Statement } from "../base/client.ts";
import { deleteLane } from "../engine/index.ts";
import { instantParam } from "../base/instants.ts";
import { type AccountRow, passDefaultOn } from "./accounts.ts";
import { networkDedupKey } from "./messages.ts";

/**
 * Moves all references of a dropped account record, a duplicate of one person, to the record that is kept. Runs after
 * the statement that drops it, in its transaction; changes nothing where it was not dropped.
 */
export function mergeStatements(
  db: Db,
  kept: AccountRow,
  other: AccountRow,
  now: Date,
): Statement[] {
  const ofKept = sql`campaign.workspace_id = ${kept.workspaceId} and campaign.connected_account_id = ${kept.id}
    and campaign.launched_at is not null and campaign.updated_at = ${instantParam(now)}`;
  return [
    deleteLane(db, other.id),
    db.execute(sql`
      update campaigns c set connected_account_id = ${kept.id}, config_version = config_version + 1, updated_at = ${instantParam(now)}
      where c.workspace_id = ${kept.workspaceId} and c.connected_account_id = ${other.id}
        and not exists (select 1 from connected_accounts a where a.id = ${other.id})`),
    ...RECORDS.map((records) => handOnStatement(db, records, kept, other)),
    rekeyMessages(db, kept, other),
    ...senderStatements(db, ofKept),
    ...orphansStatements(db, ofKept, now),
    passDefaultOn(db, kept.workspaceId, now),
  ];
}

/** Tables of an account's messages and actions, which its week counts, with the column that names the account. */
const RECORDS = [
  ["campaign_leads", "alias_id"],
  ["campaign_leads", "connected_account_id"],
  ["sends", "lane_id"],
  ["social_posts", "connected_account_id"],
  ["conversations", "alias_id"],
] as const;

const handOnStatement = (
  db: Db,
  [table, column]: (typeof RECORDS)[number],
  kept: AccountRow,
  other: AccountRow,
): Statement => {
  const account = sql.identifier(column);
  return db.execute(sql`
    update ${sql.identifier(table)} set ${account} = ${kept.id}
    where workspace_id = ${kept.workspaceId} and ${account} = ${other.id}
      and not exists (select 1 from connected_accounts a where a.id = ${other.id})`);
};

/** A message that is told again, to the account that stays, is known as the one that it is. */
function rekeyMessages(db: Db, kept: AccountRow, other: AccountRow): Statement {
  const [to, from] = [networkDedupKey(kept.id, ""), networkDedupKey(other.id, "")];
  const key = sql`${to}::text || substr(m.dedup_key, ${from.length + 1}::int)`;
  return db.execute(sql`
    update conversation_messages m set dedup_key = ${key}
    where m.workspace_id = ${kept.workspaceId} and starts_with(m.dedup_key, ${from})
      and not exists (select 1 from connected_accounts a where a.id = ${other.id})
      and not exists (select 1 from conversation_messages k where k.workspace_id = m.workspace_id and k.dedup_key = ${key})`);
}
