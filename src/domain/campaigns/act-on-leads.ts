import { changeCampaignLeads, ledgersOf } from "#db/campaigns/lead-change.ts";
import { type CampaignLead, getCampaignLeads } from "#db/campaigns/leads.ts";
import type { Campaign } from "#db/campaigns/campaigns.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { AppError, notFound } from "#src/errors.ts";
import { finishCampaigns } from "./finish.ts";
import {
  endOf,
  holdOf,
  impossible,
  type LeadOrder,
  type Mark,
  markLead,
  RELEASE,
  tryToGoOn,
} from "./lead-actions.ts";
import { requireCampaign } from "./read.ts";

export type LeadAction =
  | { action: "hold"; until: Date | null; reason: string }
  | { action: "release" }
  | { action: "stop" }
  | { action: "mark"; as: Mark };

/** What became of one lead: as it is now, or why it is not as asked. */
export type Acted = { id: string } & ({ lead: CampaignLead } | { fault: AppError });

/** Of an action that is planned for each lead, so many at once. */
const AT_ONCE = 5;

/** Acts on these leads of a campaign, each by itself: one that it is not possible for is told, and holds up no other. */
export async function actOnLeads(
  deps: Deps,
  principal: Principal,
  campaignId: string,
  ids: readonly string[],
  action: LeadAction,
): Promise<Acted[]> {
  const campaign = await requireCampaign(deps, principal, campaignId);
  const acted =
    action.action === "mark" && action.as !== "replied"
      ? await goOnWith(deps, principal, campaign, ids, action.as)
      : await changeAll(deps, campaign, ids, orderOf(action, deps.clock.now()));
  return ids.map((id) => acted.get(id)!);
}

type GoingOn = Exclude<Mark, "replied">;

/** The same for each lead; where one goes on, its own ledger says. */
function orderOf(action: LeadAction, now: Date): LeadOrder {
  switch (action.action) {
    case "hold":
      return holdOf(action, now);
    case "release":
      return RELEASE;
    case "stop":
      return endOf("stopped");
    case "mark":
      return endOf("replied");
  }
}

/** In one transaction, however many they are. */
async function changeAll(
  deps: Deps,
  { id: campaignId, workspaceId }: Campaign,
  ids: readonly string[],
  order: LeadOrder,
): Promise<Map<string, Acted>> {
  const now = deps.clock.now();
  const changed = await changeCampaignLeads(deps.db, {
    ...order,
    workspaceId,
    campaignId,
    ids,
    now,
  });
  if (order.set.status !== undefined && changed.length > 0)
    await finishCampaigns(deps, [campaignId]);
  const acted = new Map<string, Acted>(changed.map((lead) => [lead.id, { id: lead.id, lead }]));
  const others = ids.filter((id) => !acted.has(id));
  const found = await byId(deps, { workspaceId, id: campaignId }, others);
  for (const id of others) acted.set(id, unchanged(id, found.get(id), order));
  return acted;
}

function unchanged(id: string, lead: CampaignLead | undefined, order: LeadOrder): Acted {
  if (lead === undefined) return { id, fault: notFound("Campaign lead") };
  if (lead.status === order.set.status) return { id, lead };
  return { id, fault: impossible(lead.status, order.from) };
}

async function goOnWith(
  deps: Deps,
  principal: Principal,
  campaign: Campaign,
  ids: readonly string[],
  mark: GoingOn,
): Promise<Map<string, Acted>> {
  const found = await byId(deps, campaign, ids);
  const ledgers = await ledgersOf(deps.db, [...found.keys()]);
  const goOn = async (id: string): Promise<Acted> => {
    const lead = found.get(id);
    try {
      if (lead === undefined) throw notFound("Campaign lead");
      const path = { campaignId: campaign.id, id };
      const gone = await tryToGoOn(deps, campaign, lead, ledgers.get(id)!, mark);
      return { id, lead: gone ?? (await markLead(deps, principal, path, mark)) };
    } catch (error) {
      if (error instanceof AppError) return { id, fault: error };
      throw error;
    }
  };
  const acted = new Map<string, Acted>();
  for (let at = 0; at < ids.length; at += AT_ONCE)
    for (const each of await Promise.all(ids.slice(at, at + AT_ONCE).map(goOn)))
      acted.set(each.id, each);
  return acted;
}

async function byId(
  { db }: Deps,
  { workspaceId, id }: Pick<Campaign, "workspaceId" | "id">,
  ids: readonly string[],
): Promise<Map<string, CampaignLead>> {
  if (ids.length === 0) return new Map();
  const leads = await getCampaignLeads(db, workspaceId, id, ids);
  return new Map(leads.map((lead) => [lead.id, lead]));
}
