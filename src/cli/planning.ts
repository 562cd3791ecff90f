import { type CampaignPlan, type Overture, OvertureError } from "../sdk/index.ts";
import { complaints, type ReadFile, readCampaignFile } from "./campaign-file.ts";
import { Refusal } from "./refusal.ts";

export interface PlannedFile {
  file: ReadFile;
  plan: CampaignPlan;
}

/** All files are read, and none of two is the same campaign's, before the first is asked for. */
export function readFiles(names: string[]): ReadFile[] {
  const files = names.map((name) => readCampaignFile(name));
  const seen = new Map<unknown, string>();
  for (const { name, campaign, where } of files) {
    const first = seen.get(campaign.external_id);
    if (first !== undefined && campaign.external_id !== undefined)
      throw new Refusal(`${where("/external_id")}: ${first} has the same external_id`);
    seen.set(campaign.external_id, name);
  }
  return files;
}

/** What applying a file would change; refused with its places where it does not fit. */
export async function planFile(
  { campaigns }: Overture,
  file: ReadFile,
  campaignId?: string,
): Promise<PlannedFile> {
  const asked = { campaign: file.campaign, ...(campaignId && { campaign_id: campaignId }) };
  try {
    return { file, plan: await campaigns.plan(asked) };
  } catch (error) {
    if (error instanceof OvertureError && [404, 409, 422].includes(error.status))
      throw new Refusal(...complaints(file, error));
    throw error;
  }
}
