import { loadLaunchInputs } from "#db/campaigns/launch-inputs.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { unprocessable } from "#src/errors.ts";
import {
  type Check,
  CHECK_NAMES,
  type CheckedCampaign,
  type CheckInputs,
  failed,
  passed,
  warned,
} from "./checks.ts";
import { checkAccount, hasNotes, NOTES_LOOKED_AT } from "./account.ts";
import { checkOpenTracking } from "./open-tracking.ts";
import { checkSenders } from "./senders.ts";
import { checkTexts, type TextCost, textCost } from "./texts.ts";
import { windowInterval } from "#src/domain/engine/window.ts";
import { requireCampaign } from "../read.ts";
import { referencesOf } from "../steps.ts";
import { inlineVariables } from "./campaign-texts.ts";
import { windowOf } from "#src/domain/engine/window-columns.ts";

/** Everything that is looked at before a launch, in the order of `CHECK_NAMES`. Pure. */
export function checkLaunch(campaign: CheckedCampaign, inputs: CheckInputs, now: Date): Check[] {
  const checks = [
    checkLeads(campaign, inputs),
    checkAccount(campaign, inputs),
    ...checkSenders(campaign, inputs, now),
    ...checkTexts(campaign, inputs),
    checkWindow(campaign, now),
    checkOpenTracking(campaign, inputs),
    checkSuppressed(inputs),
    checkVerification(campaign, inputs),
  ];
  return checks.toSorted((a, b) => CHECK_NAMES.indexOf(a.name) - CHECK_NAMES.indexOf(b.name));
}

export const stopsLaunch = (check: Check) => !check.ok && check.severity === "error";
export const warns = (check: Check) => !check.ok && check.severity === "warning";

async function inputsOf(deps: Deps, campaign: CheckedCampaign, now: Date): Promise<CheckInputs> {
  const inputs = await loadLaunchInputs(deps.db, {
    campaign,
    ...referencesOf(campaign.steps),
    inlineVariables: inlineVariables(campaign.steps),
    sampleSize: hasNotes(campaign) ? NOTES_LOOKED_AT : 0,
    now,
  });
  const configured = {
    isModelConfigured: deps.model !== null,
    isNetworkConfigured: deps.network !== null,
  };
  return { ...inputs, ...configured };
}

export const runPreflight = async (
  deps: Deps,
  campaign: CheckedCampaign,
  now: Date,
): Promise<Check[]> => checkLaunch(campaign, await inputsOf(deps, campaign, now), now);

/** What a launch at this moment would find, and what its texts would cost. */
export async function preflightCampaign(
  deps: Deps,
  principal: Principal,
  id: string,
): Promise<{ ok: boolean; checks: Check[]; cost: TextCost }> {
  const campaign = await requireCampaign(deps, principal, id);
  const now = deps.clock.now();
  const inputs = await inputsOf(deps, campaign, now);
  const checks = checkLaunch(campaign, inputs, now);
  return { ok: !checks.some(stopsLaunch), checks, cost: textCost(campaign, inputs) };
}

/** Every check, where none stops the launch; else 422 LAUNCH_PREFLIGHT_FAILED with all of them. */
export async function requirePreflight(
  deps: Deps,
  campaign: CheckedCampaign,
  now: Date,
): Promise<Check[]> {
  const checks = await runPreflight(deps, campaign, now);
  const stopping = checks.filter(stopsLaunch);
  if (stopping.length === 0) return checks;
  throw unprocessable(
    "LAUNCH_PREFLIGHT_FAILED",
    `The campaign cannot launch: ${describe(stopping)}`,
    { detail: { checks } },
  );
}

/** The checks that stop a launch, as one sentence. */
export const describe = (checks: Check[]): string =>
  checks.map(({ name, message }) => `${name}: ${message}`).join(" ");

function checkLeads({ type }: CheckedCampaign, { leads }: CheckInputs): Check {
  const { datasetStatus, total, reachable, having } = leads;
  if (datasetStatus === null) return failed("has_leads", "The dataset no longer exists.");
  if (datasetStatus === "importing")
    return failed("has_leads", "The dataset is still being imported.");
  if (total === 0) return failed("has_leads", "The dataset has no leads.");
  if (reachable === 0)
    return failed(
      "has_leads",
      `None of the ${total} leads has ${type === "socialnet" ? "a profile URL" : "an address to write to"}.`,
    );
  const words = `${reachable} of ${total} leads can be written to.`;
  if (type !== "mixed") return passed("has_leads", words);
  return passed(
    "has_leads",
    `${words} ${having["email"] ?? 0} have an email address, and ${having["profile_url"] ?? 0} a profile URL; a lead that lacks what a step needs is skipped there.`,
  );
}

function checkWindow(campaign: CheckedCampaign, now: Date): Check {
  const interval = windowInterval(windowOf(campaign), now);
  if (interval === null) return failed("window_valid", "The sending window never opens.");
  const where = campaign.useLeadTimezone ? ` in ${campaign.timezone}` : "";
  return passed("window_valid", `The window opens ${interval.openFrom.toISOString()}${where}.`);
}

/** From this share of suppressed leads on, the list itself is questionable. */
const QUESTIONABLE_SHARE = 0.1;

function checkSuppressed({ leads: { reachable, suppressed } }: CheckInputs): Check {
  const message = `${suppressed} of ${reachable} leads are suppressed and will be skipped.`;
  if (reachable > 0 && suppressed === reachable) return failed("suppressed_share", message);
  return suppressed > 0 && suppressed / reachable >= QUESTIONABLE_SHARE
    ? warned("suppressed_share", message)
    : passed("suppressed_share", message);
}

/** Bounces cost the sender's reputation, and pause the campaign by a guardrail: unverified addresses are worth a warning. */
function checkVerification({ steps }: CheckedCampaign, { leads }: CheckInputs): Check {
  if (steps.every(({ channel }) => channel !== "email"))
    return passed("verification_share", "The campaign sends no email.");
  const { reachable, risky, invalid, unverified } = leads;
  if (risky + invalid + unverified === 0)
    return passed("verification_share", "Every address is verified and safe.");
  return warned(
    "verification_share",
    `Of ${reachable} leads ${invalid} have an invalid address, ${risky} a risky and ${unverified} an unverified one; POST /api/v1/email-verification/dataset/{dataset_id} verifies them.`,
  );
}
