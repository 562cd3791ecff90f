import { isPersonsHit } from "#db/base/fragments/persons-hit.ts";
import { ACTION_TYPES, actionOf } from "#db/schema/actions.ts";
import { EMAIL_STATES_TOLD, GENERATION_STATUSES_TOLD, SEND_STATES_TOLD } from "./catalogue.ts";
import { becomes, byState, changed, quoted, toldOf, type EventSource } from "./source.ts";

const aboutSend = {
  send_id: "new.id",
  campaign_lead_id: "new.campaign_lead_id",
  step: "new.step",
  variant: "new.variant_label",
  message_id: "new.message_id",
};
const aboutEmail = {
  email_id: "new.id",
  conversation_id: "new.conversation_id",
  alias_id: "new.alias_id",
};
const isMail = "new.budget = ''";
const NETWORK_EVENTS = ACTION_TYPES.map((type) => [type, actionOf(type).event] as const)
  .filter(([, event]) => event !== undefined && event !== "network.messaged")
  .map(([type, event]) => `when '${type}' then '${event}'`)
  .join("\n      ");
const OPEN_PLACEMENT = "('queued', 'transmitting', 'looking')";

/** What messages, answers and texts tell. */
export const OF_MESSAGES: readonly EventSource[] = [
  {
    name: "email_of_campaign",
    table: "sends",
    ...byState(
      "state",
      SEND_STATES_TOLD,
      "when new.state = 'canceled' and new.reason = 'suppressed' then 'email.suppressed'",
    ),
    when: `${byState("state", SEND_STATES_TOLD).when} and ${isMail}`,
    campaign: "new.campaign_id",
    data: {
      ...aboutSend,
      alias_id: "new.lane_id",
      attempts: "new.attempts",
      assumed: "case when new.state = 'assumed_sent' then true end",
    },
  },
  {
    name: "network_action",
    table: "sends",
    on: ["state"],
    when: `${changed("state")} and new.state in ('accepted', 'assumed_sent') and not (${isMail})`,
    type: `coalesce((select case c.steps -> (new.step - 1) ->> 'action_type' ${NETWORK_EVENTS} else 'network.messaged' end from campaigns c where c.id = new.campaign_id), 'network.messaged')`,
    campaign: "new.campaign_id",
    data: {
      send_id: "new.id",
      campaign_lead_id: "new.campaign_lead_id",
      step: "new.step",
      account_id: "new.lane_id",
      assumed: "case when new.state = 'assumed_sent' then true end",
    },
  },
  {
    name: "email_bounced",
    table: "sends",
    on: ["bounced_at", "soft_bounced_at"],
    when: `(${becomes("bounced_at")}) or (${changed("soft_bounced_at")} and new.soft_bounced_at is not null)`,
    type: quoted("email.bounced"),
    campaign: "new.campaign_id",
    data: { ...aboutSend, hard: becomes("bounced_at") },
  },
  {
    name: "email_complained",
    table: "sends",
    on: ["complained_at"],
    when: becomes("complained_at"),
    type: quoted("email.complained"),
    campaign: "new.campaign_id",
    data: aboutSend,
  },
  {
    name: "email_unsubscribed",
    table: "sends",
    on: ["unsubscribed_at"],
    when: `${becomes("unsubscribed_at")} and ${isMail}`,
    type: quoted("email.unsubscribed"),
    campaign: "new.campaign_id",
    data: aboutSend,
  },
  {
    name: "single_email_bounced",
    table: "outbox",
    on: "insert",
    when: "new.kind in ('email_hard_bounce', 'email_complaint')",
    type: "case new.kind when 'email_complaint' then 'email.complained' else 'email.bounced' end",
    at: "new.created_at",
    data: {
      email_id: "new.payload ->> 'email_id'",
      hard: "case new.kind when 'email_hard_bounce' then true end",
    },
  },
  {
    name: "inbox_failing",
    table: "outbox",
    on: "insert",
    when: "new.kind = 'inbox_failing'",
    type: quoted("alias.inbox_failing"),
    at: "new.created_at",
    data: { alias_id: "new.payload ->> 'alias_id'", error: "left(new.payload ->> 'why', 300)" },
  },
  {
    name: "email_hit",
    table: "email_events",
    on: "insert",
    // Of a campaign's message its row tells that, by whatever way it came.
    when: "new.kind <> 'unsubscribe' or new.campaign_id is null",
    type: "case new.kind when 'open' then 'email.opened' when 'click' then 'email.clicked' else 'email.unsubscribed' end",
    at: "new.at",
    campaign: "new.campaign_id",
    data: {
      send_id: "case when new.campaign_id is not null then new.send_id end",
      email_id: "case when new.campaign_id is null then new.send_id end",
      link_index: "case when new.kind = 'click' then new.link_index end",
      machine: `case when new.kind <> 'unsubscribe' then not ${isPersonsHit("new")} end`,
    },
  },
  {
    name: "email_made",
    table: "emails",
    on: "insert",
    type: "case new.state when 'suppressed' then 'email.suppressed' else 'email.queued' end",
    data: { ...aboutEmail, send_at: "new.scheduled_at" },
  },
  {
    name: "email_state",
    table: "emails",
    ...byState("state", EMAIL_STATES_TOLD, "when new.state = 'queued' then 'email.deferred'"),
    when: `${changed("state")} and ((old.state = 'transmitting' and new.state = 'queued') or new.state in (${toldOf(
      EMAIL_STATES_TOLD,
    )
      .map(([state]) => quoted(state))
      .join(", ")}))`,
    data: { ...aboutEmail, attempts: "new.attempts", message_id: "new.message_id" },
  },
  {
    name: "reply",
    table: "conversation_messages",
    on: "insert",
    when: "new.direction = 'in'",
    type: "case when new.class in ('reply', 'possible_opt_out') then 'reply.received' else 'reply.auto_received' end",
    at: "new.sent_at",
    campaign: "v_row.campaign_id",
    data: {
      conversation_id: "new.conversation_id",
      conversation_message_id: "new.id",
      channel: "v_row.channel",
      class: "new.class",
      intent: "new.intent",
      lead_id: "v_row.lead_id",
      campaign_lead_id: "v_row.campaign_lead_id",
    },
    first: {
      declare: "v_row conversations%rowtype;",
      body: "select c.* into v_row from conversations c where c.id = new.conversation_id;",
      found: "true",
    },
  },
  {
    name: "draft",
    table: "generations",
    ...byState("status", GENERATION_STATUSES_TOLD),
    campaign: "new.campaign_id",
    data: {
      draft_id: "new.id",
      batch_id: "new.batch_id",
      campaign_lead_id: "new.campaign_lead_id",
      lead_id: "new.lead_id",
      step: "new.step",
    },
  },
  {
    name: "batch_done",
    table: "generations",
    on: ["status"],
    when: `new.batch_id is not null and old.status in ('pending', 'running') and new.status not in ('pending', 'running', 'cancelled')`,
    type: quoted("batch.done"),
    campaign: "new.campaign_id",
    data: { batch_id: "new.batch_id", total: "v_total" },
    first: {
      declare: "v_total int;",
      // Of two that end at once each sees the other under way: the second waits here, and then sees that it has ended.
      body: `perform pg_advisory_xact_lock(hashtextextended(new.batch_id::text || ':batch_done', 0));
  select b.total into v_total from generation_batches b where b.id = new.batch_id and b.cancelled_at is null
    and not exists (select from generations g where g.batch_id = b.id and g.status in ('pending', 'running'));`,
      found: "v_total is not null",
    },
  },
  {
    name: "placement_test_completed",
    table: "placement_mails",
    on: ["state"],
    when: `old.state in ${OPEN_PLACEMENT} and new.state not in ${OPEN_PLACEMENT}`,
    type: quoted("placement_test.completed"),
    // A release that knows no `ended_at` ends mails, too.
    at: "coalesce(new.ended_at, new.due_at)",
    campaign: "v_test.campaign_id",
    data: {
      placement_test_id: "new.test_id",
      mails: "v_test.mails",
      inbox: "v_test.inbox",
      spam: "v_test.spam",
      other: "v_test.other",
      missing: "v_test.missing",
      bounced: "v_test.bounced",
    },
    first: {
      declare: "v_test record;",
      // As of a batch's texts; and of several that end by one statement, which sees all of them ended, one tells.
      body: `perform pg_advisory_xact_lock(hashtextextended(new.test_id::text || ':placement_done', 0));
  select t.campaign_id, count(*) as mails, count(*) filter (where m.place = 'inbox') as inbox, count(*) filter (where m.place = 'spam') as spam,
    count(*) filter (where m.place = 'other') as other, count(*) filter (where m.state = 'missing') as missing, count(*) filter (where m.state = 'bounced') as bounced
  into v_test from placement_tests t join placement_mails m on m.test_id = t.id
  where t.id = new.test_id and t.deleted_at is null
    and not exists (select from events e where e.workspace_id = new.workspace_id and e.tx = pg_current_xact_id() and e.data ->> 'placement_test_id' = new.test_id::text)
  group by t.id having count(*) filter (where m.state in ${OPEN_PLACEMENT}) = 0;`,
      found: "found",
    },
  },
  {
    name: "batch_cancelled",
    table: "generation_batches",
    on: ["cancelled_at"],
    when: becomes("cancelled_at"),
    type: quoted("batch.cancelled"),
    campaign: "new.campaign_id",
    data: { batch_id: "new.id", total: "new.total" },
  },
];
