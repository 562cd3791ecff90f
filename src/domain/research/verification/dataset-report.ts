import { pageOfVerifiedLeads, type VerifiedLead } from "#db/research/dataset-verification-rows.ts";
import {
  type DatasetVerification,
  sumDatasetVerification,
} from "#db/research/dataset-verifications.ts";
import type { Deps } from "#src/deps.ts";

export type { DatasetVerification, VerifiedLead };

export interface VerificationReport {
  job: DatasetVerification;
  total: number;
  processed: number;
  /** Spent, and of a verification under way also what is held for the rows to come. */
  creditsConsumed: number;
  summary: { safe: number; risky: number; invalid: number; unknown: number };
  /** One more than was asked for, if there are that many. */
  results: VerifiedLead[];
}

/** Where a verification stands, and a page of what it found; all of it is derived from its rows. */
export async function reportOf(
  { db }: Deps,
  job: DatasetVerification,
  page: { after: number; limit: number },
): Promise<VerificationReport> {
  const [sums, results] = await Promise.all([
    sumDatasetVerification(db, job.id),
    pageOfVerifiedLeads(db, job.id, { ...page, limit: page.limit + 1 }),
  ]);
  const { all, dropped, processed, spent, ...summary } = sums;
  const total = job.status === "cancelled" ? all : all - dropped;
  const held = job.status === "running" ? all - dropped - processed : 0;
  return { job, total, processed, creditsConsumed: spent + held, summary, results };
}
