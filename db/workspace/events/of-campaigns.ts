import { CAMPAIGN_ARROWS, CAMPAIGN_LEAD_STATUSES } from "./catalogue.ts";
import { becomes, byState, changed, quoted, toldOf, words, type EventSource } from "./source.ts";

const arrow = "old.status || '>' || new.status";
const OPEN_LEAD = "('pending', 'active')";
/** Holds that a step's own work sets and ends, often within a minute; that a person has to approve a text is told. */
const OWN_HOLDS = "('awaiting_draft', 'awaiting_acceptance', 'notes_used_up')";
const isToldHold = (row: string) => `coalesce(${row}.hold_reason not in ${OWN_HOLDS}, false)`;
const aboutLead = { campaign_lead_id: "new.id", lead_id: "new.lead_id" };
/** What campaigns and their leads tell. */
export const OF_CAMPAIGNS: readonly EventSource[] = [
  {
    name: "campaign_created",
    table: "campaigns",
    on: "insert",
    type: quoted("campaign.created"),
    campaign: "new.id",
    data: { status: "new.status" },
  },
  {
    name: "campaign_status",
    table: "campaigns",
    on: ["status"],
    // A change by hand that is no arrow is not told, and not refused either.
    when: `${changed("status")} and ${arrow} in (${toldOf(CAMPAIGN_ARROWS)
      .map(([each]) => quoted(each))
      .join(", ")})`,
    type: `case when ${arrow} = 'scheduled>draft' and nullif(current_setting('overture.actor', true), '') is null then 'campaign.launch_cancelled'
      when ${arrow} = 'scheduled>paused' and new.paused_reason = 'personalization_review_pending' then 'campaign.launch_held'
      else case ${arrow} ${toldOf(CAMPAIGN_ARROWS)
        .map(([each, type]) => `when ${quoted(each)} then ${quoted(type)}`)
        .join(" ")} end end`,
    campaign: "new.id",
    data: {
      status: "new.status",
      previous_status: "old.status",
      reason: "case when new.status = 'paused' then new.paused_reason end",
      error: `case when new.status = 'failed' then ${words("launch_error")} end`,
      leads: "case when new.status in ('active', 'completed') then new.total_leads end",
    },
  },
  {
    name: "campaign_changed",
    table: "campaigns",
    on: ["config_version"],
    when: changed("config_version"),
    type: quoted("campaign.changed"),
    campaign: "new.id",
    data: { version: "new.config_version" },
  },
  {
    name: "experiment_version",
    table: "experiment_versions",
    on: "insert",
    type: "case new.reason when 'winner' then 'experiment.winner' else 'experiment.changed' end",
    campaign: "new.campaign_id",
    data: {
      step: "new.step",
      weights_version: "new.version",
      reason: "new.reason",
      variant: "new.winner_label",
    },
  },
  {
    name: "campaign_deleted",
    table: "campaigns",
    on: ["deleted_at"],
    when: becomes("deleted_at"),
    type: quoted("campaign.deleted"),
    campaign: "new.id",
    data: { status: "new.status" },
  },
  {
    name: "campaign_lead_status",
    table: "campaign_leads",
    on: ["status"],
    // The leads of a drain are told by its campaign: there may be hundreds of thousands, none of them ever begun.
    when: `${changed("status")} and (new.status not in ${OPEN_LEAD} or old.status not in ${OPEN_LEAD})
      and new.stop_reason is distinct from 'campaign_drained'`,
    type: `case when new.status in ${OPEN_LEAD} then 'campaign_lead.reopened' else ${byState("status", CAMPAIGN_LEAD_STATUSES).type} end`,
    campaign: "new.campaign_id",
    data: {
      ...aboutLead,
      status: "new.status",
      previous_status: "old.status",
      step: "new.current_step",
      reason: "new.stop_reason",
    },
  },
  {
    name: "campaign_lead_hold",
    table: "campaign_leads",
    on: ["hold_reason", "hold_until"],
    when: `new.status in ${OPEN_LEAD} and (${changed("hold_reason")} or ${changed("hold_until")}) and (${isToldHold("old")} or ${isToldHold("new")})`,
    type: `case when ${isToldHold("new")} then 'campaign_lead.held' else 'campaign_lead.released' end`,
    campaign: "new.campaign_id",
    data: {
      ...aboutLead,
      reason: "coalesce(new.hold_reason, old.hold_reason)",
      until: "new.hold_until",
    },
  },
  {
    name: "draft_approval",
    table: "campaign_leads",
    on: ["metadata"],
    when: "(old.metadata -> 'approved_emails') is distinct from (new.metadata -> 'approved_emails')",
    // A text that is approved anew has its step already.
    type: `case when coalesce(new.metadata -> 'approved_emails', '{}') @> coalesce(old.metadata -> 'approved_emails', '{}') or
        (select count(*) from jsonb_object_keys(coalesce(new.metadata -> 'approved_emails', '{}'))) >=
        (select count(*) from jsonb_object_keys(coalesce(old.metadata -> 'approved_emails', '{}')))
      then 'draft.approved' else 'draft.unapproved' end`,
    campaign: "new.campaign_id",
    data: {
      ...aboutLead,
      steps:
        "(select jsonb_agg(step::int order by step::int) from jsonb_object_keys(coalesce(new.metadata -> 'approved_emails', '{}')) step)",
    },
  },
  {
    name: "network_connected",
    table: "campaign_leads",
    on: ["connected_at"],
    when: becomes("connected_at"),
    type: quoted("network.connected"),
    campaign: "new.campaign_id",
    data: { ...aboutLead, account_id: "new.alias_id" },
  },
];
