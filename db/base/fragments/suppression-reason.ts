import { type SQL, sql } from "drizzle-orm";

const hash = (value: SQL): SQL => sql`encode(sha256(convert_to(${value}, 'UTF8')), 'hex')`;

/**
 * Why an address, given as it is compared, gets no mail from a workspace: its own entry or else its domain's; null if
 * it does. A scalar. Each is looked up by the whole key of its index: any other way reads all entries of the
 * workspace with a plan that was made while there were few.
 */
export const suppressionReason = (workspaceId: SQL, emailKey: SQL, at: SQL): SQL => {
  const reasonOf = (kind: SQL, value: SQL) => sql`(
    select x.reason from suppressions x
    where x.workspace_id = ${workspaceId} and x.kind = ${kind} and x.value_hash = ${hash(value)}
      and (x.expires_at is null or x.expires_at > ${at}))`;
  return sql`coalesce(${reasonOf(sql`'email'`, emailKey)}, ${reasonOf(sql`'domain'`, sql`substring(${emailKey} from '[^@]*$')`)})`;
};

/** Whether the address was erased in the workspace: then it is not written down again. A condition. */
export const isErased = (workspaceId: SQL, emailKey: SQL): SQL => sql`exists (
  select 1 from suppressions x
  where x.workspace_id = ${workspaceId} and x.kind = 'email' and x.value is null and x.value_hash = ${hash(emailKey)})`;
