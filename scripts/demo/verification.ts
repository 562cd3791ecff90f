import { setTimeout as delay } from "node:timers/promises";
import type { DemoClients } from "./clients.ts";

interface Report {
  status: string;
  total: number;
  processed: number;
  credits_consumed: number;
  summary: Record<"safe" | "risky" | "invalid" | "unknown", number>;
  results: { lead_id: string; email: string; result: string }[];
}

const LOOK_MS = 200;
const LONGEST_MS = 60_000;

/** Asks the mail hosts about every lead, by the API, and deletes those whose address has no mailbox. */
export async function leaveOutInvalid(api: DemoClients["api"], datasetId: string): Promise<void> {
  const path = `/api/v1/email-verification/dataset/${datasetId}`;
  let report = (await api("POST", path)) as Report;
  for (let waited = 0; report.status === "running"; waited += LOOK_MS) {
    if (waited > LONGEST_MS)
      throw new Error(
        `Only ${report.processed} of ${report.total} leads were verified in a minute.`,
      );
    await delay(LOOK_MS);
    report = (await api("GET", path)) as Report;
  }
  const invalid = report.results.filter(({ result }) => result === "invalid");
  for (const { lead_id: lead } of invalid)
    await api("DELETE", `/api/v1/datasets/${datasetId}/leads/${lead}`);
  const { safe, risky, unknown } = report.summary;
  console.log(
    `  ${report.processed} verified for ${report.credits_consumed} credits: ${safe} safe, ${risky} risky, ${unknown} unknown; left out as invalid: ${invalid.map(({ email }) => email).join(", ")}`,
  );
}
