import { type PersonRecords, recordsOf } from "#db/workspace/person-export.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { sha256Hex } from "#src/platform/encoding.ts";

/**
 * Everything that the workspace keeps about the person with that address, given as it is compared, by where it stands
 * (GDPR articles 15 and 20). Of tables in which there is nothing nothing is said.
 */
export async function exportPerson(
  { db }: Deps,
  { workspaceId }: Principal,
  emailKey: string,
): Promise<PersonRecords[]> {
  const all = await recordsOf(db, { workspaceId, emailKey, emailHash: await sha256Hex(emailKey) });
  return all.filter(({ records }) => records.length > 0);
}
