import type { AccountInputs } from "#db/campaigns/launch-inputs.ts";
import type { Step } from "#db/schema/index.ts";
import { noteLengthOf } from "#src/domain/senders/network-limits.ts";
import { isNoted, NOTE_TOO_LONG, writeNetworkStep } from "../network-text.ts";
import {
  type Check,
  type CheckedCampaign,
  type CheckInputs,
  failed,
  passed,
  warned,
} from "./checks.ts";

/** So many leads' notes are written to see how long they become. */
export const NOTES_LOOKED_AT = 1000;

export const hasNotes = ({ steps }: Pick<CheckedCampaign, "steps">): boolean => steps.some(isNoted);

/** Whether the account can do the steps on the network, and whether their notes are short enough for it. */
export function checkAccount(campaign: CheckedCampaign, inputs: CheckInputs): Check {
  const { steps } = campaign;
  if (steps.every(({ channel }) => channel === "email"))
    return passed("connected_account_ready", "The campaign has no professional-network steps.");
  if (!inputs.isNetworkConfigured)
    return failed(
      "connected_account_ready",
      "This deployment has no professional network (UNIPILE_API_URL), so that network steps cannot run.",
    );
  const { account } = inputs;
  if (account === null)
    return failed(
      "connected_account_ready",
      "The campaign's network account does not exist any more.",
    );
  const trouble = troubleOf(account);
  if (trouble !== null) return failed("connected_account_ready", trouble);
  const tooLong = tooLongNotes(campaign, account, inputs);
  if (tooLong === 0)
    return passed("connected_account_ready", `${account.displayName} is connected.`);
  return warned(
    "connected_account_ready",
    `${account.displayName} is connected; of ${inputs.sampleLeads.length} leads looked at, ${tooLong} would get a note of more than the ${noteLengthOf(account)} characters that it may have, and are skipped (NOTE_TOO_LONG).`,
  );
}

function troubleOf({
  displayName,
  status,
  checkpointPending,
  lastError,
}: AccountInputs): string | null {
  if (checkpointPending)
    return `${displayName} waits for its owner to answer the network's challenge.`;
  if (status === "connected") return null;
  return `${displayName} is ${status}; connect it again.${lastError === null ? "" : ` ${lastError}`}`;
}

/** How many of the leads that are looked at would get a note that is too long. */
function tooLongNotes(
  campaign: CheckedCampaign,
  account: AccountInputs,
  inputs: CheckInputs,
): number {
  const noted = campaign.steps.filter(isNoted);
  const templates = inputs.templates.map((each) => ({
    ...each,
    version: 0,
    format: "text" as const,
  }));
  const senderProfiles = inputs.profiles.map(({ id, isDefault, ...fields }) => ({
    id,
    isDefault,
    version: 0,
    fields,
  }));
  const isTooLong = (step: Step, lead: CheckInputs["sampleLeads"][number]): boolean => {
    const written = writeNetworkStep({ step, lead, account, templates, senderProfiles });
    return !written.ok && written.reason.startsWith(NOTE_TOO_LONG);
  };
  return inputs.sampleLeads.filter((lead) => noted.some((step) => isTooLong(step, lead))).length;
}
