import { countReferences } from "#db/campaigns/references.ts";
import type { CampaignRow } from "#db/schema/index.ts";
import type { Deps } from "#src/deps.ts";
import { notFound } from "#src/errors.ts";
import type { StepInput } from "./steps.ts";

/** A campaign's settings, in the order in which a person reads them; `steps` come last. */
export const SETTINGS = [
  "name",
  "description",
  "type",
  "datasetId",
  "aliasIds",
  "connectedAccountId",
  "launchType",
  "startDate",
  "dailyLimit",
  "maxNewLeadsPerDay",
  "minIntervalSeconds",
  "sendingWindowStart",
  "sendingWindowEnd",
  "timezone",
  "useLeadTimezone",
  "sendDays",
  "stopOnReply",
  "stopOnAutoReply",
  "stopOnCompanyReply",
  "unreviewedLaunchPolicy",
  "systemPrompt",
] as const;

/** A campaign's configuration by its caller: the body of a create, and, in parts, of a change. */
export type CampaignConfig = Pick<CampaignRow, (typeof SETTINGS)[number]> & { steps: StepInput[] };

type ConditionalFields = Pick<
  CampaignConfig,
  "type" | "aliasIds" | "connectedAccountId" | "launchType" | "startDate"
>;

export interface ConfigFault {
  field: "alias_ids" | "connected_account_id" | "start_date";
  message: string;
}

/** Fields that the campaign's type and launch type make necessary. */
export function missingFields(config: ConditionalFields): ConfigFault[] {
  const faults: ConfigFault[] = [];
  if (config.type !== "socialnet" && (config.aliasIds ?? []).length === 0)
    faults.push({
      field: "alias_ids",
      message: `A campaign of type ${config.type} needs alias_ids.`,
    });
  if (config.type !== "email" && config.connectedAccountId === null)
    faults.push({
      field: "connected_account_id",
      message: `A campaign of type ${config.type} needs a connected_account_id.`,
    });
  if (config.launchType === "scheduled" && config.startDate === null)
    faults.push({ field: "start_date", message: "A scheduled launch needs a start_date." });
  return faults;
}

/** The records that a configuration refers to; absent ones are not looked up. */
export interface References {
  datasetId?: string;
  aliasIds?: string[];
  connectedAccountId?: string | null;
  templateIds?: string[];
  profileIds?: string[];
}

/** 404 of the kind of the first record that the workspace does not have. */
export async function requireReferences(
  deps: Deps,
  workspaceId: string,
  { datasetId, aliasIds = [], connectedAccountId, templateIds = [], profileIds = [] }: References,
): Promise<void> {
  const datasetIds = datasetId === undefined ? [] : [datasetId];
  const accountIds = connectedAccountId == null ? [] : [connectedAccountId];
  const wanted = { datasetIds, aliasIds, accountIds, templateIds, profileIds };
  if (Object.values(wanted).every((ids) => ids.length === 0)) return;
  const found = await countReferences(deps.db, workspaceId, wanted);
  if (found.datasets < datasetIds.length) throw notFound("Dataset");
  if (found.aliases < aliasIds.length) throw notFound("Mail alias");
  if (found.accounts < accountIds.length) throw notFound("Connected account");
  if (found.templates < templateIds.length) throw notFound("Template");
  if (found.profiles < profileIds.length) throw notFound("Sender profile");
}
