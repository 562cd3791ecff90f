import { type SQL, sql } from "drizzle-orm";

const hash = (value: SQL): SQL => sql`encode(sha256(convert_to(${value}, 'UTF8')), 'hex')`;

/** Why an address, given as it is compared, gets no mail from a workspace: its own entry or its domain's; null if it does. A scalar subquery. */
export const suppressionReason = (workspaceId: SQL, emailKey: SQL, at: SQL): SQL => sql`(
  select x.reason from suppressions x
  where x.workspace_id = ${workspaceId} and (x.expires_at is null or x.expires_at > ${at})
    and (x.kind, x.value_hash) in (
      ('email', ${hash(emailKey)}), ('domain', ${hash(sql`substring(${emailKey} from '[^@]*$')`)}))
  limit 1)`;

/** Whether the address was erased in the workspace: then it is not written down again. A condition. */
export const isErased = (workspaceId: SQL, emailKey: SQL): SQL => sql`exists (
  select 1 from suppressions x
  where x.workspace_id = ${workspaceId} and x.kind = 'email' and x.value is null and x.value_hash = ${hash(emailKey)})`;
