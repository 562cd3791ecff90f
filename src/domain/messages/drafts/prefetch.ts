import { commit } from "#db/base/client.ts";
import { isInsufficient } from "#db/billing/credits.ts";
import { isFenced } from "#db/base/fence.ts";
import { isMoving } from "#db/base/moving.ts";
import { allInsertedStatement } from "#db/messages/generation-batches.ts";
import {
  campaignsLackingDrafts,
  insertSendTimeDraftsStatement,
  type LeadToWriteFor,
  leadsToWriteFor,
  type PrefetchCampaign,
  type PrefetchOrder,
} from "#db/messages/send-time-drafts.ts";
import type { Deps } from "#src/deps.ts";
import { enqueuePrefetch } from "#src/domain/campaigns/enqueue-prefetch.ts";
import { hold } from "#src/domain/billing/credits/charge.ts";
import { CREDIT_COSTS } from "#src/domain/billing/credits/packs.ts";
import { promptVersionHash, resolvePrompt } from "#src/domain/research/personalization/prompts.ts";
import type { ChatModel } from "#src/providers/model/index.ts";
import { chargeOf } from "./charge.ts";
import { guardDrafts, pauseForCredit } from "./guard-drafts.ts";
import { enqueueGenerations } from "./queue.ts";

/** How far ahead of their slots texts are written: a model that is slow, or away for a while, costs none. */
const HORIZON_MS = 60 * 60_000;
/** A lead whose text failed is tried again after this, so that a short outage is over. */
const TRIED_AGAIN_MS = 2 * 60_000;
/** One run serves so many campaigns; for the rest it queues another run. */
const CAMPAIGNS_A_RUN = 20;
const DRAFTS_OF_A_CAMPAIGN = 200;

const orderAt = (now: Date): PrefetchOrder => ({
  now,
  until: new Date(now.getTime() + HORIZON_MS),
  newLeadsAtLeast: 20,
  newLeadsAtMost: DRAFTS_OF_A_CAMPAIGN,
  triedBefore: new Date(now.getTime() - TRIED_AGAIN_MS),
  triesADay: 5,
});

/** Whether any campaign lacks texts for what it will send soon: what a tick can ask, in one statement. */
export async function lacksDrafts(deps: Deps): Promise<boolean> {
  if (deps.model === null) return false;
  return (await campaignsLackingDrafts(deps.db, orderAt(deps.clock.now()), 1)).length > 0;
}

/**
 * The queue's callback: requests the texts that campaigns will need within the hour, each with its credit, so that no
 * tick waits for a model. Follow-ups first, then as many new leads as the senders can serve. Safe to repeat and to run
 * beside itself: two runs never request the same text. Answers how many were requested.
 */
export async function prefetchDrafts(deps: Deps): Promise<number> {
  const { model } = deps;
  if (model === null) return 0;
  const order = orderAt(deps.clock.now());
  const lacking = await campaignsLackingDrafts(deps.db, order, CAMPAIGNS_A_RUN);
  const paused = new Set(
    await guardDrafts(
      deps,
      lacking.map(({ id }) => id),
    ),
  );
  let asked = 0;
  let isCut = lacking.length === CAMPAIGNS_A_RUN;
  for (const campaign of lacking) {
    if (paused.has(campaign.id)) continue;
    const leads = await leadsToWriteFor(deps.db, campaign, order, DRAFTS_OF_A_CAMPAIGN);
    isCut ||= leads.length === DRAFTS_OF_A_CAMPAIGN;
    asked += await askFor(deps, model, campaign, leads);
  }
  if (isCut && asked > 0) await enqueuePrefetch(deps, deps.ids.uuid());
  return asked;
}

/** Requests as many texts as there are credits for; with none the campaign pauses. */
async function askFor(
  deps: Deps,
  model: ChatModel,
  campaign: PrefetchCampaign,
  leads: readonly LeadToWriteFor[],
): Promise<number> {
  if (leads.length === 0) return 0;
  const affordable = Math.floor(campaign.creditsAvailable / CREDIT_COSTS.send_time_generation);
  if (affordable === 0) {
    await pauseForCredit(deps, campaign.id);
    return 0;
  }
  const drafts = leads
    .slice(0, affordable)
    .map((lead) => ({ ...lead, generationId: deps.ids.uuid() }));
  const ids = drafts.map(({ generationId }) => generationId);
  const prompt = resolvePrompt({ campaign: campaign.systemPrompt });
  const work = {
    drafts,
    promptVersionHash: await promptVersionHash(prompt, model),
    now: deps.clock.now(),
  };
  try {
    await commit(deps.db, [
      insertSendTimeDraftsStatement(deps.db, campaign, work),
      allInsertedStatement(deps.db, ids),
      hold(deps, chargeOf({ workspaceId: campaign.workspaceId, kind: "send_time" }, ids)),
    ]);
  } catch (error) {
    // Another request inserted the same ones, or spent the credits, or it is moved, meanwhile: the next prefetch sees it.
    if (isFenced(error) || isInsufficient(error) || isMoving(error)) return 0;
    throw error;
  }
  await enqueueGenerations(deps, ids);
  return ids.length;
}
