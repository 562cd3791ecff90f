import type pg from "pg";
import type { Db } from "#db/base/client.ts";
import { type Draw, loadContexts, type StepContext } from "#db/engine/index.ts";
import { isAfterInvitation, isAfterInvitationAt } from "#db/engine/step-hold.ts";
import { stepPlan, stepPlanColumns } from "#db/engine/step-plan.ts";
import { bool, integer, rowReader, text, typed } from "#db/base/rows.ts";
import type { LaneKind, Step } from "#db/schema/index.ts";
import { loadSteps } from "#src/domain/engine/memory/load.ts";
import type { Send } from "#src/domain/engine/memory/rows.ts";
import type { State } from "#src/domain/engine/memory/state.ts";
import { PgDialect } from "drizzle-orm/pg-core";
import { type SQL, sql } from "drizzle-orm";

/** What the simulated channels know of a claimed step. */
export interface SimulatedStep extends StepContext {
  step: Step;
  campaignId: string;
  leadId: string;
  laneId: string;
  address: string;
  /** It is for who has accepted, and the engine knows of no acceptance. */
  lacksAcceptance: boolean;
  /** Messages of the thread so far, oldest first, and its subject. */
  references: string[];
  firstSubject: string | null;
  /** On Postgres: how the arm is drawn of a step that is tried out. */
  draw?: Draw | null;
}

export const stepsOfState =
  (state: State) =>
  async (kind: LaneKind, sendIds: string[]): Promise<SimulatedStep[]> =>
    loadSteps(state, sendIds)
      .filter(({ send }) => send.lane.kind === kind)
      .map(({ send, ...step }) => ({
        ...step,
        step: send.campaign.steps[send.step - 1]!,
        campaignId: send.campaign.id,
        leadId: send.lead.id,
        laneId: send.lane.id,
        address: send.lead.emailKey!,
        lacksAcceptance:
          isAfterInvitation(send.campaign.steps, send.step - 1) && send.lead.connectedAt === null,
        ...(kind === "email" ? threadOf(send) : NO_THREAD),
      }));

const NO_THREAD = { references: [], firstSubject: null };

function threadOf({
  lead,
  lane,
  step,
}: Send): typeof NO_THREAD | Pick<SimulatedStep, "references" | "firstSubject"> {
  const sent = lead.sends
    .slice(0, step)
    .filter((send) => send?.state === "accepted" || send?.state === "assumed_sent")
    .map((send) => send!);
  return {
    references: sent.flatMap((send) =>
      send.lane === lane && send.messageId !== null ? [send.messageId] : [],
    ),
    firstSubject: sent.find(({ subject }) => subject !== null)?.subject ?? null,
  };
}

/** Emails as the service loads them; of the other channel, which only tests have, by a query like the service's. */
export const stepsOnPostgres =
  (db: Db, pool: pg.Pool) =>
  async (kind: LaneKind, sendIds: string[]): Promise<SimulatedStep[]> => {
    if (kind !== "email") return readSteps(pool, sendIds);
    return (await loadContexts(db, sendIds)).map(
      ({ campaign, lead, alias, previous, ...step }) => ({
        ...step,
        campaignId: campaign.id,
        leadId: lead.campaignLeadId,
        laneId: alias.id,
        address: lead.email,
        lacksAcceptance: false,
        references: previous.map(({ messageId }) => messageId),
      }),
    );
  };

const readStep = rowReader({
  sendId: text,
  attempts: integer,
  ...stepPlanColumns,
  step: typed<Step>(),
  campaignId: text,
  leadId: text,
  laneId: text,
  address: text,
  lacksAcceptance: bool,
});

const textOf = (part: SQL): string => new PgDialect().sqlToQuery(part).sql;

async function readSteps(pool: pg.Pool, sendIds: string[]): Promise<SimulatedStep[]> {
  const plan = textOf(stepPlan(sql`s.step`));
  const isAfter = textOf(isAfterInvitationAt(sql`(s.step - 1)`));
  const { rows } = await pool.query(
    `select s.id as send_id, s.attempts, ${plan}, c.steps -> (s.step - 1) as step, s.campaign_id,
       s.campaign_lead_id as lead_id, s.lane_id, l.email as address, ${isAfter} and l.connected_at is null as lacks_acceptance
     from sends s join campaigns c on c.id = s.campaign_id join campaign_leads l on l.id = s.campaign_lead_id
       join sender_lanes lane on lane.id = s.lane_id
     where s.id = any($1) and lane.kind <> 'email'`,
    [sendIds],
  );
  return rows.map((row) => ({ ...readStep(row), ...NO_THREAD }));
}
