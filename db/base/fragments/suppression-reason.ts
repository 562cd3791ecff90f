import { type SQL, sql } from "drizzle-orm";

const hash = (value: SQL): SQL => sql`encode(sha256(convert_to(${value}, 'UTF8')), 'hex')`;

type Kind = "email" | "domain";

/** Looked up by the whole key of the index: any other way reads all entries of the workspace with a plan that was made while there were few. */
const reasonOf = (kind: Kind, workspaceId: SQL, value: SQL, at: SQL): SQL => sql`(
    select x.reason from suppressions x
    where x.workspace_id = ${workspaceId} and x.kind = ${sql.raw(`'${kind}'`)} and x.value_hash = ${hash(value)}
      and (x.expires_at is null or x.expires_at > ${at}))`;

const domainOf = (emailKey: SQL): SQL => sql`substring(${emailKey} from '[^@]*$')`;

/** Why an address, given as it is compared, gets no mail from a workspace: its own entry or else its domain's; null if it does. A scalar. */
export const suppressionReason = (workspaceId: SQL, emailKey: SQL, at: SQL): SQL =>
  sql`coalesce(${reasonOf("email", workspaceId, emailKey, at)}, ${reasonOf("domain", workspaceId, domainOf(emailKey), at)})`;

const hasAny = (kind: Kind, workspaceId: SQL): SQL =>
  sql`(select exists (select 1 from suppressions one where one.workspace_id = ${workspaceId} and one.kind = ${sql.raw(`'${kind}'`)}))`;

/** Whether there is a reason, for statements over many addresses of one workspace: nothing is looked up of a kind of which it has no entry. */
export const isSuppressedAmong = (workspaceId: SQL, emailKey: SQL, at: SQL): SQL => {
  const has = (kind: Kind, value: SQL) =>
    sql`(${hasAny(kind, workspaceId)} and ${reasonOf(kind, workspaceId, value, at)} is not null)`;
  return sql`(${has("email", emailKey)} or ${has("domain", domainOf(emailKey))})`;
};

/** So many entries are read whole in a few milliseconds. */
const FEW = 5_000;

/** The same for a whole dataset: where the workspace has few entries of a kind they are read once, and of many each address is looked up. */
export const isSuppressedInBulk = (workspaceId: SQL, emailKey: SQL, at: SQL, few = FEW): SQL => {
  const has = (kind: Kind, value: SQL) => {
    const own = sql`from suppressions x where x.workspace_id = ${workspaceId} and x.kind = ${sql.raw(`'${kind}'`)}`;
    // The limits let the planner keep the entries in a hash table, whatever it thinks of the workspace.
    return sql`(case
      when not ${hasAny(kind, workspaceId)} then false
      when (select count(*) <= ${few}::int from (select 1 ${own} limit ${few}::int + 1) counted)
        then ${hash(value)} in (select x.value_hash ${own} and (x.expires_at is null or x.expires_at > ${at}) limit ${sql.raw(String(few))})
      else ${reasonOf(kind, workspaceId, value, at)} is not null end)`;
  };
  return sql`(${has("email", emailKey)} or ${has("domain", domainOf(emailKey))})`;
};

/** Whether the address was erased in the workspace: then it is not written down again. A condition. */
export const isErased = (workspaceId: SQL, emailKey: SQL): SQL => sql`exists (
  select 1 from suppressions x
  where x.workspace_id = ${workspaceId} and x.kind = 'email' and x.value is null and x.value_hash = ${hash(emailKey)})`;
