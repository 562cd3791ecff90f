import type { VerificationVerdict } from "#db/schema/index.ts";
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
  return withoutOthersAnswers(all).filter(({ records }) => records.length > 0);
}

/** Where verdicts on the address stand that are the workspace's own. */
const VERDICTS: Record<string, string> = {
  leads: "verification",
  verification_jobs: "verdict",
  dataset_verification_rows: "verdict",
};

/**
 * Of the address's answer that all workspaces share, what was found for this one: an own verdict is of that very instant,
 * and did not come out of the cache. Otherwise the answer would tell that, when and what another workspace asked. Decided
 * here, over records that were read anyhow: in SQL it would look for the verification jobs a second time.
 */
function withoutOthersAnswers(all: readonly PersonRecords[]): PersonRecords[] {
  const foundAt = new Set(all.flatMap(verdictsIn).map(({ checked_at: at }) => Date.parse(at)));
  return all.map((each) =>
    each.table === "verified_addresses"
      ? {
          ...each,
          records: each.records.filter(({ checked_at: at }) => foundAt.has(Date.parse(String(at)))),
        }
      : each,
  );
}

function verdictsIn({ table, records }: PersonRecords): VerificationVerdict[] {
  const name = VERDICTS[table];
  if (name === undefined) return [];
  return records.flatMap((record) => {
    const verdict = record[name] as unknown as VerificationVerdict | undefined;
    return verdict === undefined || verdict.backend === "cache" ? [] : [verdict];
  });
}
