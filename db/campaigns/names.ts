import { type SQL, sql } from "drizzle-orm";
import type { Db } from "../base/client.ts";
import { bool, rowReader, text, typed } from "../base/rows.ts";

/** Records that a campaign refers to, with what people call them by. */
const NAMED = {
  dataset: sql`select id, name from datasets r where deleted_at is null`,
  alias: sql`select id, email as name from mail_aliases r where true`,
  account: sql`select id, display_name as name from connected_accounts r where true`,
  template: sql`select id, name from templates r where true`,
  profile: sql`select id, name from sender_profiles r where true`,
} satisfies Record<string, SQL>;

export type NamedKind = keyof typeof NAMED;
export const NAMED_KINDS = Object.keys(NAMED) as NamedKind[];

export type Named = ReturnType<typeof readNamed>;
const readNamed = rowReader({
  kind: typed<NamedKind>(),
  id: text,
  name: text,
  /** Another record of the kind is called the same. */
  isShared: bool,
});

/** Ids are those of records that have no name among `names`, too; names are compared exactly. */
export interface AskedNames {
  ids: string[];
  names: string[];
}

/** The workspace's records of these ids and names: of a name that many have, three. */
export async function findNamed(
  db: Db,
  workspaceId: string,
  asked: Record<NamedKind, AskedNames>,
): Promise<Named[]> {
  const kinds = NAMED_KINDS.filter((kind) => asked[kind].ids.length + asked[kind].names.length > 0);
  if (kinds.length === 0) return [];
  const ofKind = (kind: NamedKind) => {
    const { ids, names } = asked[kind];
    const [wanted, known] = [sql.param(names), sql.param(ids)];
    return sql`(
      with own as materialized (${NAMED[kind]} and r.workspace_id = ${workspaceId})
      select * from (
        select ${kind}::text as kind, id, name, count(*) over same > 1 as is_shared, row_number() over (partition by name order by id) as place
        from own where name = any(${wanted}::text[]) or name in (select named.name from own named where named.id = any(${known}::uuid[]))
        window same as (partition by name)
      ) found where place <= 3 or id = any(${known}::uuid[]))`;
  };
  const { rows } = await db.execute(sql.join(kinds.map(ofKind), sql` union all `));
  return rows.map(readNamed);
}
