import { commit } from "#db/base/client.ts";
import {
  insertVerificationRowsStatement,
  type LeadToVerify,
  type NewVerificationRow,
  pageOfLeadsToVerify,
} from "#db/research/dataset-verification-rows.ts";
import { touchDatasetVerificationStatement } from "#db/research/dataset-verifications.ts";
import { disposableAmong } from "#db/research/disposable-domains.ts";
import { noteVerdictsStatement } from "#db/people/lead-verdicts.ts";
import type { Deps } from "#src/deps.ts";
import { isOverruled } from "./assess.ts";
import { freshOf } from "./cache.ts";
import { prefilter } from "./prefilter/prefilter.ts";
import { requireVerifier } from "./require-verifier.ts";
import { verdictOf } from "./verdict.ts";

const PAGE_ROWS = 2_500;

interface Job {
  id: string;
  workspaceId: string;
  datasetId: string;
}

/** Makes a row for each lead with an address, a page at a time: what is known is done, the numbers of the rest are answered. */
export async function gatherRows(
  deps: Deps,
  { id, workspaceId, datasetId }: Job,
): Promise<number[]> {
  const waiting: number[] = [];
  for (let after = -1; ;) {
    const now = deps.clock.now();
    const page = { after, limit: PAGE_ROWS, now };
    const leads = await pageOfLeadsToVerify(deps.db, workspaceId, datasetId, page);
    if (leads.length === 0) return waiting;
    const rows = await rowsOf(deps, leads, now);
    const fresh = rows.filter(({ verdict }) => verdict === null);
    if (fresh.length > 0) requireVerifier(deps);
    await commit(deps.db, [
      touchDatasetVerificationStatement(deps.db, id, now),
      insertVerificationRowsStatement(deps.db, id, rows, now),
      noteVerdictsStatement(deps.db, workspaceId, foundAmong(leads, rows)),
    ]);
    waiting.push(...fresh.map(({ rowIndex }) => rowIndex));
    if (leads.length < PAGE_ROWS) return waiting;
    after = leads.at(-1)!.rowIndex;
  }
}

async function rowsOf(
  { db }: Deps,
  leads: readonly LeadToVerify[],
  now: Date,
): Promise<NewVerificationRow[]> {
  const disposable = await disposableAmong(db, [...new Set(leads.map(({ domain }) => domain))]);
  return leads.map((lead) => {
    const { rowIndex, leadId, keyHash, domain } = lead;
    const verdict = knownOf(lead, disposable.has(domain), now);
    return { rowIndex, leadId, keyHash, domain, verdict };
  });
}

function knownOf(lead: LeadToVerify, isDisposable: boolean, now: Date) {
  const fresh = freshOf(lead, now);
  if (fresh === null || isOverruled(lead.email, fresh)) return null;
  const { address, isRole } = prefilter(lead.email);
  const traits = { isFormat: address !== null, isRole, isDisposable };
  return verdictOf({ ...fresh, backend: "cache" }, traits);
}

const foundAmong = (leads: readonly LeadToVerify[], rows: readonly NewVerificationRow[]) =>
  rows.flatMap(({ verdict }, index) =>
    verdict === null ? [] : [{ email: leads[index]!.email, verdict }],
  );
