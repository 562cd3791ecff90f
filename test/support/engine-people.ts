import { randomUUID } from "node:crypto";
import type pg from "pg";
import { sql as drizzle } from "drizzle-orm";
import { endDraftHoldStatement } from "#db/campaigns/draft-holds.ts";
import { commit, type Db } from "#db/base/client.ts";
import { lockCampaignLanes } from "#db/engine/index.ts";
import { loadDraftInputs } from "#db/messages/draft-inputs.ts";
import { claimJob } from "#db/base/job-queue.ts";
import { type GenerationEnd, GENERATIONS } from "#db/messages/generations.ts";
import { restSender } from "#db/replies/inbound.ts";
import { saveDomainCheck, suspendFailingDomains } from "#db/senders/domain-checks.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { changeWorkspace } from "#src/domain/access/workspace.ts";
import { patchCampaign } from "#src/domain/campaigns/change.ts";
import { replaceGoneSenders } from "#src/domain/campaigns/guardrails.ts";
import { endGeneration } from "#src/domain/messages/drafts/end-generation.ts";
import { planDraft } from "#src/domain/messages/drafts/plan-draft.ts";
import { prefetchDrafts } from "#src/domain/messages/drafts/prefetch.ts";
import { LEASE_MS } from "#src/domain/messages/drafts/write-generation.ts";
import { newClaim } from "#src/domain/job.ts";
import { addLeads } from "#src/domain/campaigns/leads.ts";
import { finishCampaigns } from "#src/domain/campaigns/finish.ts";
import { holdLead, markLead, releaseLead, stopLead } from "#src/domain/campaigns/lead-actions.ts";
import { pauseCampaign, resumeCampaign } from "#src/domain/campaigns/pause.ts";
import { drainCampaign } from "#src/domain/campaigns/drain-and-reset.ts";
import { applyFeedback, confirmArrived } from "#src/domain/replies/feedback/apply.ts";
import { changeLead } from "#src/domain/people/leads/leads.ts";
import { changeAlias } from "#src/domain/senders/aliases.ts";
import { changeDomain } from "#src/domain/senders/domain-limit.ts";
import { FAILING_LIMIT_MS } from "#src/domain/senders/domain-verify.ts";
import { suppress } from "#src/domain/people/suppressions.ts";
import { AppError } from "#src/errors.ts";
import { markRestored } from "#db/engine/restored.ts";
import { restored } from "../../scripts/admin/restored.ts";
import type { Actions, DraftEnd } from "../simulation/actions.ts";
import { RESTING } from "../simulation/sender-actions.ts";
import { insertLeadRows, type Owner } from "./engine-rows.ts";
import { answerOnNetwork, networkPeople } from "./network-people.ts";

/** Actions as they are on a database. */
export type Acts = {
  [verb in keyof Actions]: (
    ...args: Parameters<Actions[verb]>
  ) => Promise<ReturnType<Actions[verb]>>;
};

/** What people do, by the service's own verbs. */
export function peopleOnPostgres({ db, sql, owner }: { db: Db; sql: pg.Pool; owner: Owner }): Acts {
  const principal: Principal = {
    ...owner,
    plan: "paid",
    role: "owner",
    via: "key",
    actor: "key:of a test",
    scopes: null,
    confirm: "human",
  };
  const depsAt = (at: Date) => depsOf(db, at);
  const campaignOf = async (id: string): Promise<string> =>
    (await sql.query("select campaign_id from campaign_leads where id = $1", [id])).rows[0]
      .campaign_id;
  const pathOf = async (id: string) => ({ campaignId: await campaignOf(id), id });
  const checkedDomain = (
    id: string,
    now: Date,
    found: { status: "failing" | "verified"; failingSince: Date | null },
  ) => saveDomainCheck(db, { workspaceId: owner.workspaceId, id }, { ...found, records: [], now });
  return {
    pause: (id, at) => took(pauseCampaign(depsAt(at), principal, id)),
    resume: (id, at) => took(resumeCampaign(depsAt(at), principal, id)),
    drain: (id, at) => took(drainCampaign(depsAt(at), principal, id)),
    edit: (id, at, change) => took(patchCampaign(depsAt(at), principal, id, change)),
    changeSteps: (id, at, steps) => took(patchCampaign(depsAt(at), principal, id, { steps })),
    async addLeads(id, at, leads) {
      await insertLeadRows(sql, owner, leads, at);
      const leadIds = leads.map(({ leadId }) => leadId);
      return took(addLeads(depsAt(at), principal, id, leadIds));
    },
    async endLead(id, at, how) {
      const path = await pathOf(id);
      if (how === "stopped") return took(stopLead(depsAt(at), principal, path));
      return took(markLead(depsAt(at), principal, path, how));
    },
    async hear(leadId, step, at, sign) {
      const { rows } = await sql.query(
        `select s.id, s.email_key, s.campaign_id, s.lane_id from sends s
         where s.campaign_lead_id = $1 and s.step = $2 and s.transmitting_at is not null`,
        [leadId, step],
      );
      if (rows.length === 0) return false;
      if (rows[0].email_key === null)
        return (
          sign === "answered" && answerOnNetwork(depsAt(at), { sql, leadId, step }, rows[0].lane_id)
        );
      const sent = {
        ...messageTo(rows[0].email_key, owner),
        kind: "campaign" as const,
        id: rows[0].id,
      };
      const deps = depsAt(at);
      return took(
        sign === "opened" ? confirmArrived(deps, sent) : applyFeedback(deps, sent, "reply"),
      );
    },
    hold: async (id, at, until) =>
      took(holdLead(depsAt(at), principal, await pathOf(id), { until, reason: "on holiday" })),
    release: async (id, at) => took(releaseLead(depsAt(at), principal, await pathOf(id))),
    async approve(id, step, at, approvedAt) {
      const entry = { [String(step)]: { approved_at: approvedAt } };
      await commit(db, [
        lockCampaignLanes(db, await campaignOf(id)),
        db.execute(drizzle`
          update campaign_leads set metadata = metadata || jsonb_build_object(
            'approved_emails', coalesce(metadata -> 'approved_emails', '{}') || ${JSON.stringify(entry)}::jsonb)
          where id = ${id}`),
        endDraftHoldStatement(db, { campaignLeadIds: [id], step, now: at }),
      ]);
      return true;
    },
    ...networkPeople({
      db,
      sql,
      finish: (at, campaignId) => finishCampaigns(depsAt(at), [campaignId]),
    }),
    async prefetch(at) {
      const before = await openDrafts(sql);
      await prefetchDrafts(depsAt(at));
      return (await openDrafts(sql)).filter((key) => !before.includes(key));
    },
    async endDraft(id, step, at, answer) {
      const { rows } = await sql.query(
        "select id from generations where campaign_lead_id = $1 and step = $2 and status = 'pending'",
        [id, step],
      );
      return endDraft(depsAt(at), rows[0].id, answer);
    },
    async endWait(id, step, at) {
      const wait = { campaignLeadIds: [id], step, holds: ["awaiting_draft"] as const, now: at };
      await commit(db, [
        lockCampaignLanes(db, await campaignOf(id)),
        endDraftHoldStatement(db, wait),
      ]);
      return true;
    },
    suppress(emailKey, at, reason) {
      const deps = depsAt(at);
      if (reason !== "manual") return took(applyFeedback(deps, messageTo(emailKey, owner), reason));
      const wish = { value: emailKey, kind: "email" as const, expiresAt: null };
      return took(suppress(deps, principal, wish));
    },
    async moveLead(id, at, timezone) {
      const { rows } = await sql.query(
        "select dataset_id, lead_id from campaign_leads where id = $1",
        [id],
      );
      const { dataset_id: datasetId, lead_id: leadId } = rows[0];
      return took(changeLead(depsAt(at), principal, datasetId, leadId, { timezone }));
    },
    changeSender: (id, at, change) => took(changeAlias(depsAt(at), principal, id, change)),
    restSender: (laneId, at, until) =>
      took(restSender(db, { laneId, until, reason: RESTING, now: at })),
    async failDomain(id, at) {
      const failingSince = new Date(at.getTime() - FAILING_LIMIT_MS);
      await checkedDomain(id, at, { status: "failing", failingSince });
      return (await suspendFailingDomains(db, failingSince, at)).sort();
    },
    healDomain: (id, at) => took(checkedDomain(id, at, { status: "verified", failingSince: null })),
    limitDomain: (id, at, dailyLimit) =>
      took(changeDomain(depsAt(at), principal, id, { dailyLimit })),
    moveWorkspace: (timezone, at) => took(changeWorkspace(depsAt(at), principal, { timezone })),
    replaceGoneSenders: (at) => replaceGoneSenders(depsAt(at)),
    async restored(since, now) {
      const ids = (await markRestored(db, { since, now, campaignId: null })).map(({ id }) => id);
      const { rows } = await sql.query(
        "select campaign_lead_id || '/' || step as key from sends where id = any($1) or (state = 'unknown' and starts_with(reason, 'The database was restored'))",
        [ids],
      );
      const { rows: held } = await sql.query(
        "select id || '/' || next_step + 1 as key from campaign_leads where hold_reason = 'restored'",
      );
      return [...rows, ...held].map(({ key }) => key as string).sort();
    },
    async settleRestored(leadId, step, at, isSent) {
      const { rows } = await sql.query(
        "select id from sends where campaign_lead_id = $1 and step = $2 and state = 'unknown' union all select id from campaign_leads where id = $1 and next_step = $2 and status = 'active' and hold_reason = 'restored' and next_action_at is not null",
        [leadId, step],
      );
      if (rows.length === 0) return false;
      await restored(db, [rows[0].id], { list: false, sent: isSent, again: !isSent }, at);
      return true;
    },
  };
}

/** Texts that are asked for, by lead and step. */
async function openDrafts(sql: pg.Pool): Promise<string[]> {
  const { rows } = await sql.query(
    "select campaign_lead_id || '/' || step as key from generations where kind = 'send_time' and status in ('pending', 'running') order by 1",
  );
  return rows.map(({ key }) => key);
}

/** The task of a text, but for what the model says. */
async function endDraft(deps: Deps, id: string, answer: DraftEnd): Promise<DraftEnd | "skipped"> {
  const claim = newClaim(deps, LEASE_MS);
  const claimed = await claimJob(deps.db, GENERATIONS, id, claim);
  if (claimed.kind !== "claimed") throw new Error(`The text is ${claimed.kind}.`);
  const { job: generation } = claimed;
  const plan = await planDraft(generation, await loadDraftInputs(deps.db, generation));
  const end = async (ended: GenerationEnd) =>
    (await endGeneration(deps, { generation, token: claim.token }, ended)).outcome as
      | DraftEnd
      | "skipped";
  if (plan.kind !== "write") return end({ status: "skipped", error: plan.reason });
  if (answer === "failed") return end({ status: "failed", error: "The model was away." });
  return end({
    status: "generated",
    heldReason: null,
    usage: null,
    subject: "Hello",
    body: "Hello",
    ...plan.basis,
    model: "simulated",
    latencyMs: 20_000,
    promptVersionHash: "hash",
    promptSnapshot: "prompt",
    leadIdentityFingerprint: "identity",
    researchFingerprint: null,
    draftHash: "hash",
    commonality: null,
    claims: [],
    sources: [],
    leadSnapshot: {},
  });
}

/** What these verbs touch of what the service has, at an instant of virtual time. */
const depsOf = (db: Db, at: Date): Deps =>
  ({
    db,
    clock: { now: () => at },
    ids: { uuid: randomUUID },
    wake: async () => {},
    wakeOutbox() {},
    model: { name: "simulated", parameters: { temperature: null, maxTokens: 1 } },
    queue: { publish: async () => ({ messageId: "" }), publishAll: async () => {} },
    log: { info() {}, error() {} },
    settings: { spfInclude: null, inboundMx: null, reportsDomain: null, trackingOnDomains: false },
  }) as unknown as Deps;

/** Whether the service did it; false where it refuses. */
async function took(work: Promise<unknown>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    if (error instanceof AppError && REFUSALS.includes(error.kind)) return false;
    throw error;
  }
}

const REFUSALS: readonly AppError["kind"][] = ["conflict", "unprocessable"];

/** A message of the API, so that what comes back about it is about its address alone. */
const messageTo = (emailKey: string, { workspaceId, userId }: Owner) => ({
  kind: "email" as const,
  id: randomUUID(),
  workspaceId,
  ownerUserId: userId,
  laneId: randomUUID(),
  emailKey,
  campaignId: null,
  campaignLeadId: null,
  leadId: null,
  conversationId: null,
});
