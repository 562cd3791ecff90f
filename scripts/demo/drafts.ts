import { setTimeout as delay } from "node:timers/promises";
import type { DemoClients } from "./clients.ts";

interface Progress {
  done: boolean;
  total: number;
  generated: number;
  failed: number;
}

interface Draft {
  campaign_lead_id: string;
  status: string;
  body: string | null;
  claims: { source_index: number | null }[];
}

const LOOK_MS = 200;
const LONGEST_MS = 60_000;

/** Has a step's texts written for every lead, shows one, and approves them, as a reviewer would over the API. */
export async function approveDrafts(
  api: DemoClients["api"],
  campaignId: string,
  step: number,
): Promise<void> {
  const playground = `/api/v1/campaigns/${campaignId}/playground`;
  const { batch_id: batch } = (await api("POST", `${playground}/generate`, {
    step_index: step,
  })) as { batch_id: string };
  const progress = await untilDone(api, `${playground}/status?batch_id=${batch}`);
  const { drafts } = (await api("GET", `${playground}/drafts?batch_id=${batch}`)) as {
    drafts: Draft[];
  };
  const { approved } = (await api("POST", `${playground}/approve`, { batch_id: batch })) as {
    approved: number;
  };
  const claims = drafts.flatMap(({ claims: of }) => of);
  const held = claims.filter(({ source_index: source }) => source !== null).length;
  console.log(
    `  ${progress.generated} of ${progress.total} drafts of step ${step} written and ${approved} approved; of the ${claims.length} facts they state, ${held} stand in what is known of the lead. One of them:`,
  );
  const [shown] = drafts.filter(({ status }) => status === "generated");
  for (const line of (shown?.body ?? "").split("\n")) console.log(`    | ${line}`);
}

async function untilDone(api: DemoClients["api"], path: string): Promise<Progress> {
  for (let waited = 0; ; waited += LOOK_MS) {
    const progress = (await api("GET", path)) as Progress;
    if (progress.done) return progress;
    if (waited > LONGEST_MS)
      throw new Error(
        `Only ${progress.generated} of ${progress.total} drafts were written in a minute.`,
      );
    await delay(LOOK_MS);
  }
}
