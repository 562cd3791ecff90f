import { type SQL, sql } from "drizzle-orm";

const hash = (value: SQL): SQL => sql`encode(sha256(convert_to(${value}, 'UTF8')), 'hex')`;

type Kind = "email" | "domain";

/** On the network counts what somebody said; that a mailbox takes no mail says nothing of it. */
export type Way = "mail" | "network";

const counts = (way: Way): SQL => (way === "mail" ? sql`` : sql` and x.reason <> 'hard_bounce'`);

/** Looked up by the whole key of the index: any other way reads all entries of the workspace with a plan that was made while there were few. */
const reasonOf = (kind: Kind, workspaceId: SQL, value: SQL, at: SQL, way: Way): SQL => sql`(
    select x.reason from suppressions x
    where x.workspace_id = ${workspaceId} and x.kind = ${sql.raw(`'${kind}'`)} and x.value_hash = ${hash(value)}
      and (x.expires_at is null or x.expires_at > ${at})${counts(way)})`;

const domainOf = (emailKey: SQL): SQL => sql`substring(${emailKey} from '[^@]*$')`;

/** Why an address, given as it is compared, gets no mail from a workspace: its own entry or else its domain's; null if it does. A scalar. */
export const suppressionReason = (
  workspaceId: SQL,
  emailKey: SQL,
  at: SQL,
  way: Way = "mail",
): SQL =>
  sql`coalesce(${reasonOf("email", workspaceId, emailKey, at, way)}, ${reasonOf("domain", workspaceId, domainOf(emailKey), at, way)})`;

const hasAny = (kind: Kind, workspaceId: SQL): SQL =>
  sql`(select exists (select 1 from suppressions one where one.workspace_id = ${workspaceId} and one.kind = ${sql.raw(`'${kind}'`)}))`;

/** The entry of an address by the address itself, which costs a third of what a hash and its look-up do; an erased one has none. */
const byAddress = (workspaceId: SQL, emailKey: SQL, at: SQL, way: Way): SQL => sql`(
    select x.reason from suppressions x
    where x.workspace_id = ${workspaceId} and x.kind = 'email' and x.value is not null and x.value = ${emailKey}
      and (x.expires_at is null or x.expires_at > ${at})${counts(way)})`;

const hasErased = (workspaceId: SQL): SQL =>
  sql`(select exists (select 1 from suppressions one where one.workspace_id = ${workspaceId} and one.kind = 'email' and one.value is null))`;

/** Whether there is a reason, for statements over many addresses of one workspace: no hash is taken where it has no entry that is found by one alone. */
export const isSuppressedAmong = (workspaceId: SQL, emailKey: SQL, at: SQL): SQL => sql`(
  ${byAddress(workspaceId, emailKey, at, "mail")} is not null
  or (${hasErased(workspaceId)} and ${reasonOf("email", workspaceId, emailKey, at, "mail")} is not null)
  or (${hasAny("domain", workspaceId)} and ${reasonOf("domain", workspaceId, domainOf(emailKey), at, "mail")} is not null))`;

/** The same, with the reason that counts on every way before a bounce. */
export const reasonAmong = (workspaceId: SQL, emailKey: SQL, at: SQL): SQL => sql`
  case when ${isSuppressedAmong(workspaceId, emailKey, at)}
    then coalesce(${suppressionReason(workspaceId, emailKey, at, "network")}, 'hard_bounce') end`;

/** So many entries are read whole in a few milliseconds. */
const FEW = 5_000;

interface Asked {
  at: SQL;
  way: Way;
  few: number;
}

/** Where the workspace has few entries of a kind they are read once, and of many each value is looked up. `of` narrows them. */
function isAmong(kind: Kind, workspaceId: SQL, value: SQL, of: SQL, { at, way, few }: Asked): SQL {
  const own = sql`from suppressions x where x.workspace_id = ${workspaceId} and x.kind = ${sql.raw(`'${kind}'`)} and ${of}${counts(way)}`;
  // The limits let the planner keep the entries in a hash table, whatever it thinks of the workspace.
  return sql`(case
    when not (select exists (select 1 ${own})) then false
    when (select count(*) <= ${few}::int from (select 1 ${own} limit ${few}::int + 1) counted)
      then ${hash(value)} in (select x.value_hash ${own} and (x.expires_at is null or x.expires_at > ${at}) limit ${sql.raw(String(few))})
    else ${reasonOf(kind, workspaceId, value, at, way)} is not null end)`;
}

/**
 * How many leads of a dataset of the workspace, and of `added` (more leads), could be reached this way and get nothing. Their
 * addresses, which are the identity keys of those that have one, are looked up in turn along two indexes, by a scalar
 * sub-select: a join is one that the planner may make by reading the entries of all workspaces. Hashes are taken where a
 * person was erased, or a whole domain gets none. A scalar.
 */
export function countSuppressed(
  { workspaceId, datasetId, added }: Record<"workspaceId" | "datasetId" | "added", SQL>,
  at: SQL,
  way: Way = "mail",
  few = FEW,
): SQL {
  const byValue = (key: SQL) => sql`(${byAddress(workspaceId, key, at, way)} is not null)`;
  const among = (kind: Kind, value: SQL, of: SQL) =>
    isAmong(kind, workspaceId, value, of, { at, way, few });
  const isReachable = way === "mail" ? sql`` : sql` and lead.profile_url is not null`;
  const byHash = sql`
    lead.email_key is not null${isReachable} and not ${byValue(sql`lead.email_key`)}
    and (${among("email", sql`lead.email_key`, sql`x.value is null`)} or ${among("domain", domainOf(sql`lead.email_key`), sql`true`)})`;
  const ofDataset = sql`leads lead where lead.dataset_id = ${datasetId}`;
  const hasHashed = sql`(${hasAny("domain", workspaceId)} or ${hasErased(workspaceId)})`;
  return sql`(
    (case when ${hasAny("email", workspaceId)} then (select count(*) from ${ofDataset} and ${byValue(sql`lead.identity_key`)}${isReachable})
      + (select count(*) from ${added} lead where ${byValue(sql`lead.email_key`)}${isReachable}) else 0 end)
    + (case when ${hasHashed} then (select count(*) from ${ofDataset} and ${byHash}) + (select count(*) from ${added} lead where ${byHash}) else 0 end))`;
}

/** Whether the address was erased in the workspace: then it is not written down again. A condition. */
export const isErased = (workspaceId: SQL, emailKey: SQL): SQL => sql`exists (
  select 1 from suppressions x
  where x.workspace_id = ${workspaceId} and x.kind = 'email' and x.value is null and x.value_hash = ${hash(emailKey)})`;
