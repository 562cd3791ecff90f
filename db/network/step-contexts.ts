import { type SQL, sql } from "drizzle-orm";
import { commit, type Db } from "../base/client.ts";
import {
  byWorkspace,
  leadFields,
  profilesStatement,
  readProfile,
  readTemplate,
  templatesStatement,
} from "../engine/context.ts";
import { type Draw, drawColumn, drawOfSend } from "../engine/draw.ts";
import { isAfterInvitationAt } from "../engine/step-hold.ts";
import { stepPlan, stepPlanColumns } from "../engine/step-plan.ts";
import type { SenderProfileContext, StepContext, TemplateContext } from "../engine/step-context.ts";
import {
  bool,
  from,
  instant,
  integer,
  nested,
  orNull,
  type Row,
  rowReader,
  text,
  typed,
} from "../base/rows.ts";
import { uuidArray } from "../base/text-array.ts";
import type { Step } from "../schema/index.ts";

/** The inputs of a step on the network. */
export interface NetworkContext extends StepContext {
  workspaceId: string;
  step: Step;
  lead: NetworkLead;
  account: NetworkAccountContext;
  /** The step only reaches connected people, and an earlier step invites to connect. */
  isAfterInvitation: boolean;
  draw: Draw | null;
  templates: TemplateContext[];
  senderProfiles: SenderProfileContext[];
  /** The page that the ledger keeps of this step's last attempt; null before the first. */
  said: string | null;
}

export interface NetworkLead {
  campaignLeadId: string;
  fields: Record<string, unknown>;
  profileUrl: string | null;
  /** The network's id of this person; null until a step has looked it up. */
  personId: string | null;
  connectedAt: Date | null;
}

export interface NetworkAccountContext {
  /** The account record's id, not the provider's. */
  id: string;
  providerAccountId: string;
  isPremium: boolean;
  /** No note of it is tried before then, and why. */
  notesClosedUntil: Date | null;
  notesRefusal: string | null;
}

/** Reads the contexts in one round trip. Sends whose lead, account or step is gone are absent. */
export async function loadNetworkContexts(db: Db, sendIds: string[]): Promise<NetworkContext[]> {
  if (sendIds.length === 0) return [];
  const ids = uuidArray(sendIds);
  const [contexts, templates, profiles] = await commit(db, [
    db.execute(contextStatement(ids)),
    db.execute(templatesStatement(ids)),
    db.execute(profilesStatement(ids)),
  ]);
  const templatesOf = byWorkspace(templates.rows, readTemplate);
  const profilesOf = byWorkspace(profiles.rows, readProfile);
  return contexts.rows.map((row) => ({
    ...readContext(row),
    lead: readLead(row),
    templates: templatesOf.get(row["workspace_id"]) ?? [],
    senderProfiles: profilesOf.get(row["workspace_id"]) ?? [],
  }));
}

const contextStatement = (ids: SQL): SQL => sql`
  select s.id as send_id, s.workspace_id, s.attempts, c.steps -> (s.step - 1) as step, ${stepPlan(sql`s.step`)},
         l.id as campaign_lead_id, l.profile_url, l.person_id, l.connected_at, to_jsonb(lead) as lead,
         to_jsonb(a) as account, body.html as said, ${isAfterInvitationAt(sql`(s.step - 1)`)} as is_after_invitation,
         ${drawOfSend} as draw
  from sends s
  join campaigns c on c.id = s.campaign_id
  join campaign_leads l on l.id = s.campaign_lead_id
  join leads lead on lead.id = l.lead_id
  join connected_accounts a on a.id = s.lane_id
  left join send_bodies body on body.send_id = s.id
  where s.id = any(${ids}) and c.steps -> (s.step - 1) is not null`;

const readAccount = rowReader({
  id: text,
  providerAccountId: text,
  isPremium: bool,
  notesClosedUntil: orNull(instant),
  notesRefusal: orNull(text),
});
const readContext = rowReader({
  sendId: text,
  workspaceId: text,
  attempts: integer,
  step: typed<Step>(),
  ...stepPlanColumns,
  draw: drawColumn,
  account: nested(readAccount),
  isAfterInvitation: bool,
  said: orNull(text),
});
const readLeadColumns = rowReader({
  campaignLeadId: text,
  fields: from("lead", typed<Row>()),
  profileUrl: orNull(text),
  personId: orNull(text),
  connectedAt: orNull(instant),
});

function readLead(row: Row): NetworkLead {
  const { fields, ...lead } = readLeadColumns(row);
  return { ...lead, fields: leadFields(fields) };
}
