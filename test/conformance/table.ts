/**
 * The API as the specification and the contract promise it, written by hand from them and not from
 * the code: success status, who may call, which error body the operation speaks, what its body
 * needs, and the bounds of its fields. An operation that is not built yet has no row.
 */
export interface Row {
  status: number;
  /** Further statuses of success. */
  also?: number[];
  access: "public" | "key or login" | "login" | "wallet";
  /** `legacy` operations answer `{detail: text}` where the contract names no code. */
  errors: "coded" | "legacy";
  required?: string[];
  /** Field of body or query to its least and greatest value, length or number of items. */
  bounds?: Record<string, [least: number | null, greatest: number | null]>;
  defaults?: Record<string, unknown>;
  /** Fields of the first answer that the contract names beside the specification's; `items.kind` is the kind of each item. */
  answers?: string[];
  /** Those of them that are null where there is nothing, and never absent. */
  nulls?: string[];
  /** Every word that such a field may hold. */
  words?: Record<string, string[]>;
}

const open = (status = 200): Row => ({ status, access: "public", errors: "coded" });
const coded = (status: number, more: Partial<Row> = {}): Row => ({
  status,
  access: "key or login",
  errors: "coded",
  ...more,
});
const legacy = (status: number, more: Partial<Row> = {}): Row => ({
  status,
  access: "key or login",
  errors: "legacy",
  ...more,
});
/** Paid by any wallet: 402 first. */
const sold = (more: Partial<Row> = {}): Row => ({
  status: 200,
  access: "wallet",
  errors: "coded",
  ...more,
});
const PAGE: Pick<Row, "bounds" | "defaults"> = {
  bounds: { limit: [1, 200] },
  defaults: { limit: 50 },
};

const list = (words: string) => words.split(" ");
/** Names of the fields within one. */
const within = (field: string, names: string) => list(names).map((name) => `${field}.${name}`);

const STATS =
  "key sent first_messages follow_ups opened clicked replied auto_replied bounced soft_bounced unsubscribed complained";
const MESSAGE_NULLS =
  "lead_id email profile_url variant_label alias_id connected_account_id subject reason replied_at auto_replied_at bounced_at soft_bounced_at unsubscribed_at complained_at";
const MESSAGE = `id kind at date assumed campaign_lead_id step opened clicked ${MESSAGE_NULLS}`;
const PROFILE = ["profile_url", "linkedin_url", "match_confidence"];

export const table: Record<string, Row> = {
  "GET /health": open(),
  "GET /api/v1/health": open(),
  "GET /api/v1/ready": open(),
  "GET /api/v1/status": open(),
  "GET /api/v1/api/v1/status": open(),

  "GET /api/v1/auth/verify": legacy(200, { access: "login" }),
  "GET /api/v1/auth/me": legacy(200),
  "GET /api/v1/auth/config": { ...open(), answers: ["login", "paste"] },
  "POST /api/v1/auth/session": {
    ...open(201),
    required: ["credential"],
    answers: ["via", "user_id", "workspace_id", "role", "plan", "expires_at"],
    nulls: ["expires_at"],
    words: { via: list("login key"), role: list("viewer member admin owner") },
  },
  "GET /api/v1/auth/session": coded(200),
  "PATCH /api/v1/auth/session": coded(200, { access: "login", required: ["workspace_id"] }),
  "DELETE /api/v1/auth/session": open(),
  "GET /api/v1/auth/workspaces": coded(200, {
    access: "login",
    answers: within("items", "id name plan role is_current"),
    words: { "items.role": list("viewer member admin owner") },
  }),
  "POST /api/v1/auth/sessions/revoke": coded(200, { access: "login" }),
  "POST /api/v1/api-keys": legacy(201, {
    access: "login",
    required: ["name"],
    bounds: { name: [1, 100] },
  }),
  "GET /api/v1/api-keys": coded(200, { access: "login" }),
  "DELETE /api/v1/api-keys/{api_key_id}": coded(200, { access: "login" }),
  "GET /api/v1/workspace": coded(200),
  "PATCH /api/v1/workspace": coded(200),
  "DELETE /api/v1/workspace": coded(200, { access: "login" }),

  "GET /api/v1/workspace/members": coded(200),
  "PATCH /api/v1/workspace/members/{user_id}": coded(200, {
    required: ["role"],
    answers: list("user_id email name role joined_at last_seen_at"),
    nulls: ["email", "name", "last_seen_at"],
    words: { role: list("viewer member admin owner") },
  }),
  "DELETE /api/v1/workspace/members/{user_id}": coded(200),
  "GET /api/v1/workspace/invitations": coded(200),
  "POST /api/v1/workspace/invitations": coded(201, {
    required: ["email", "role"],
    bounds: { email: [null, 320] },
    answers: list("id email role invited_by created_at expires_at url mailed"),
  }),
  "DELETE /api/v1/workspace/invitations/{invitation_id}": coded(200),
  "POST /api/v1/invitations/{token}/accept": coded(200, {
    access: "login",
    answers: list("workspace_id workspace_name role"),
  }),

  "GET /api/v1/confirmations": coded(200, {
    answers: list("id tool title preview asked_by status created_at expires_at"),
    words: { status: list("waiting approved declined spent") },
  }),
  "POST /api/v1/confirmations/{confirmation_id}/approve": coded(200, { access: "login" }),
  "POST /api/v1/confirmations/{confirmation_id}/decline": coded(200, { access: "login" }),

  "GET /api/v1/payments/balance": coded(200),
  "GET /api/v1/payments/ledger": coded(200, {
    ...PAGE,
    answers: within(
      "items",
      "id kind available_delta held_delta owed_delta ref_type ref_id created_at",
    ),
    words: {
      "items.kind": list(
        "grant hold capture release expire refund refund_failed dispute dispute_won",
      ),
    },
  }),
  "GET /api/v1/payments/packs": coded(200),
  "POST /api/v1/payments/purchase-credits": coded(200, {
    required: ["pack_id", "success_url", "cancel_url"],
  }),
  "POST /api/v1/payments/webhook": open(),

  "POST /api/v1/socialnet/message": legacy(200, {
    required: ["text"],
    bounds: { text: [1, 8000] },
  }),
  "GET /api/v1/socialnet/chats": legacy(200, {
    bounds: { limit: [1, 100] },
    defaults: { limit: 20 },
  }),
  "POST /api/v1/socialnet/webhook": open(),

  "GET /api/v1/events": coded(200, {
    bounds: { limit: [1, 500] },
    defaults: { limit: 100 },
    answers: ["items", "next_cursor", "has_more"],
    words: { "items.actor.type": list("system user key") },
  }),
  "GET /api/v1/webhooks": coded(200),
  "POST /api/v1/webhooks": coded(201, {
    required: ["url"],
    bounds: { url: [null, 2000], description: [null, 200] },
    answers: ["secret", "status", "types", "disabled_reason", "failing_since", "last_success_at"],
    nulls: ["types", "disabled_reason", "failing_since", "last_success_at"],
    words: { status: list("active paused disabled") },
  }),
  "GET /api/v1/webhooks/{webhook_id}": coded(200),
  "PATCH /api/v1/webhooks/{webhook_id}": coded(200),
  "DELETE /api/v1/webhooks/{webhook_id}": coded(200),
  "POST /api/v1/webhooks/{webhook_id}/enable": coded(200),
  "POST /api/v1/webhooks/{webhook_id}/rotate-secret": coded(200, {
    answers: ["secret", "previous_until"],
  }),
  "POST /api/v1/webhooks/{webhook_id}/test": coded(200, {
    answers: ["delivered", "status", "answer", "error"],
    nulls: ["status", "answer", "error"],
  }),
  "POST /api/v1/webhooks/{webhook_id}/replay": coded(202, {
    required: ["since"],
    answers: ["events"],
  }),
  "GET /api/v1/webhooks/{webhook_id}/deliveries": coded(200, {
    ...PAGE,
    words: { "items.state": list("waiting delivered dead") },
  }),
  "POST /api/v1/webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver": coded(202),
  "GET /api/v1/notifications/preferences": legacy(200),
  "PUT /api/v1/notifications/preferences": legacy(200, {
    bounds: { whatsapp_number: [null, 64] },
    defaults: {
      email_enabled: true,
      whatsapp_enabled: false,
      notify_on_reply: true,
      notify_on_bounce: false,
      notify_on_complaint: false,
    },
  }),

  "POST /api/v1/email-finder/find": coded(200, {
    required: ["domain"],
    bounds: { candidates: [1, 20] },
  }),
  "POST /api/v1/profile-finder/find": coded(200, {
    required: ["name"],
    bounds: { name: [1, 200], company: [null, 200], location: [null, 100] },
    answers: PROFILE,
    nulls: PROFILE,
  }),

  "GET /api/v1/sender-profiles/": coded(200),
  "POST /api/v1/sender-profiles/": coded(201, {
    required: ["name", "full_name"],
    bounds: { custom_prompt: [100, 5000] },
    defaults: { language: "en" },
  }),
  "GET /api/v1/sender-profiles/{sender_profile_id}": coded(200),
  "PATCH /api/v1/sender-profiles/{sender_profile_id}": coded(200, {
    bounds: { custom_prompt: [100, 5000] },
  }),
  "DELETE /api/v1/sender-profiles/{sender_profile_id}": coded(200),

  "GET /api/v1/templates": coded(200),
  "POST /api/v1/templates": coded(201, {
    bounds: { name: [1, 255], subject: [null, 998], body: [1, 50_000], tags: [null, 50] },
  }),
  "POST /api/v1/templates/render": coded(200, {
    required: ["body"],
    bounds: { subject: [null, 998], body: [1, 50_000] },
    answers: list("subject html text format variables missing"),
  }),
  "GET /api/v1/templates/{template_id}": coded(200),
  "PATCH /api/v1/templates/{template_id}": coded(200, {
    bounds: { subject: [null, 998], body: [1, 50_000] },
  }),
  "DELETE /api/v1/templates/{template_id}": coded(200),

  "GET /api/v1/datasets": coded(200, PAGE),
  "POST /api/v1/datasets": coded(201, { required: ["name"], bounds: { name: [1, 255] } }),
  "GET /api/v1/datasets/{dataset_id}": coded(200),
  "PATCH /api/v1/datasets/{dataset_id}": coded(200),
  "DELETE /api/v1/datasets/{dataset_id}": coded(200),
  "POST /api/v1/datasets/{dataset_id}/import": coded(200, { also: [202] }),
  "GET /api/v1/datasets/{dataset_id}/import": coded(200),
  "POST /api/v1/sheets/verify-access": legacy(200, { required: ["sheet_url"] }),
  "GET /api/v1/datasets/{dataset_id}/leads": coded(200, PAGE),
  "POST /api/v1/datasets/{dataset_id}/leads": coded(201),
  "GET /api/v1/datasets/{dataset_id}/leads.csv": coded(200),
  "GET /api/v1/datasets/{dataset_id}/leads/{lead_id}": coded(200),
  "PATCH /api/v1/datasets/{dataset_id}/leads/{lead_id}": coded(200),
  "DELETE /api/v1/datasets/{dataset_id}/leads/{lead_id}": coded(200),
  "POST /api/v1/leads/export": coded(200, {
    answers: ["email", "exported_at", ...within("sources", "source records is_cut")],
    required: ["email"],
  }),
  "POST /api/v1/leads/erase": coded(200, { required: ["email"] }),
  "GET /api/v1/leads": coded(200, PAGE),
  "GET /api/v1/leads/{lead_id}": coded(200),
  "GET /api/v1/leads/{lead_id}/timeline": coded(200, {
    bounds: { ...PAGE.bounds, days: [0, 31] },
    defaults: { ...PAGE.defaults, days: 14 },
    answers: within(
      "items",
      "at kind campaign_id step email_id conversation_id machine forecast detail",
    ),
    nulls: within("items", "campaign_id step email_id conversation_id detail"),
  }),
  "GET /api/v1/attention": coded(200, {
    answers: ["items", ...within("items", "kind severity subject message until campaign_ids")],
    nulls: ["items.until"],
    words: { "items.severity": list("error warning info") },
  }),

  "GET /api/v1/mailer/domains": coded(200),
  "POST /api/v1/mailer/domains": coded(201, { required: ["domain"] }),
  "GET /api/v1/mailer/domains/{domain_id}": coded(200, {
    answers: ["daily_limit", "checked_at", "failing_since"],
    nulls: ["daily_limit", "checked_at", "failing_since"],
  }),
  "PATCH /api/v1/mailer/domains/{domain_id}": coded(200),
  "DELETE /api/v1/mailer/domains/{domain_id}": coded(200),
  "POST /api/v1/mailer/domains/{domain_id}/verify": legacy(200),
  "GET /api/v1/mailer/domains/{domain_id}/dmarc": coded(200, {
    answers: ["reports_to", "last_report_at", "days", "sources", "reporters", "tls", "next_step"],
    nulls: ["reports_to", "last_report_at"],
  }),
  "GET /api/v1/mailer/domains/{domain_id}/health": coded(200, {
    answers: [
      ...list("domain checked_at judged_at rules"),
      ...within("rules", "rule asked_by status evidence figures period what_to_do"),
    ],
    nulls: ["checked_at", ...within("rules", "period what_to_do")],
    words: { "rules.status": list("ok failing unknown") },
  }),
  "GET /api/v1/mailer/domains/{domain_id}/postmaster": coded(200, {
    bounds: { days: [1, 400] },
    defaults: { days: 30 },
    answers: [
      ...list("domain status connected_at fetched_at next_at last_error compliance days"),
      ...within("days", "day spam_percent spf_percent dkim_percent dmarc_percent tls_percent"),
      ...within("days", "rejected_percent deferred_percent errors"),
    ],
    nulls: [
      ...list("connected_at fetched_at next_at last_error compliance"),
      ...within("days", "spam_percent spf_percent dkim_percent dmarc_percent tls_percent"),
      ...within("days", "rejected_percent deferred_percent"),
    ],
    words: { status: list("not_connected connected no_access consent_lost") },
  }),
  "POST /api/v1/mailer/domains/{domain_id}/postmaster": coded(200),
  "DELETE /api/v1/mailer/domains/{domain_id}/postmaster": coded(200),
  "GET /api/v1/mailer/domains/{domain_id}/operators": coded(200, {
    answers: [
      ...list("domain since until counted_since messages more operators"),
      ...within("operators", "operator ledger replies placement rate"),
      ...within(
        "operators.ledger",
        "domains unknown_domains looked_up_at messages accepted refused refused_by_policy waiting waiting_by_policy deferred complained last_at",
      ),
      ...within("operators.replies", "reply category is_policy messages"),
      ...within("operators.placement", "mails inbox spam other missing categories last_at"),
      ...within("operators.placement.categories", "category mails"),
      ...within("operators.rate", "per_hour next_at full_at since reason"),
    ],
    nulls: [
      "counted_since",
      ...within("operators", "ledger placement rate"),
      "operators.ledger.looked_up_at",
    ],
  }),
  "GET /api/v1/mailer/aliases": coded(200),
  "POST /api/v1/mailer/aliases": coded(201, {
    required: ["email", "display_name"],
    defaults: { daily_limit: 50 },
  }),
  "GET /api/v1/mailer/aliases/{alias_id}": coded(200, {
    answers: [
      ...["oauth", ...within("oauth", "provider client_id token_url connected"), "inbox"],
      ...within("inbox", "kind host port security username folder status last_read_at last_error"),
    ],
    nulls: [
      ...["oauth", ...within("oauth", "client_id token_url"), "inbox"],
      ...within("inbox", "username last_read_at last_error"),
    ],
    words: { "inbox.status": ["pending", "ok", "error"] },
  }),
  "PATCH /api/v1/mailer/aliases/{alias_id}": coded(200),
  "DELETE /api/v1/mailer/aliases/{alias_id}": coded(200),
  "POST /api/v1/mailer/aliases/{alias_id}/test": coded(200, {
    answers: list("ok stage message capabilities replies_return token_mailed_to checked_at"),
    nulls: ["token_mailed_to"],
    words: { stage: list("connect greeting tls ehlo auth sender ready") },
  }),
  "POST /api/v1/mailer/aliases/{alias_id}/oauth": coded(200, { required: ["provider"] }),

  "POST /api/v1/connected-accounts/connect": legacy(200, {
    required: ["username", "password"],
    bounds: { username: [1, 256], password: [1, 256] },
    defaults: { provider: "socialnet" },
  }),
  "POST /api/v1/connected-accounts/checkpoint": legacy(200, {
    required: ["checkpoint_token", "code"],
  }),
  "GET /api/v1/connected-accounts": coded(200),
  "GET /api/v1/connected-accounts/{account_id}": legacy(200),
  "PATCH /api/v1/connected-accounts/{account_id}": coded(200),
  "DELETE /api/v1/connected-accounts/{account_id}": coded(200),
  "POST /api/v1/connected-accounts/{account_id}/reconnect": coded(200, {
    required: ["username", "password"],
    bounds: { username: [1, 256], password: [1, 256] },
  }),

  "GET /api/v1/suppressions": coded(200, PAGE),
  "POST /api/v1/suppressions": coded(201, { required: ["value"] }),
  "GET /api/v1/suppressions.csv": coded(200),
  "POST /api/v1/suppression-imports": coded(200, {
    answers: list("total created renewed rejected rejections"),
  }),
  "GET /api/v1/suppressions/{suppression_id}": coded(200),
  "DELETE /api/v1/suppressions/{suppression_id}": coded(200),

  "POST /api/v1/mailer/emails": legacy(202, {
    also: [200],
    required: ["alias_id", "to_email", "subject", "body"],
    bounds: { attachments: [null, 10], click_tracking_patterns: [null, 50] },
    defaults: { track_opens: true, track_clicks: false },
  }),
  "POST /api/v1/mailer/emails/batch": coded(202, {
    required: ["emails"],
    bounds: { emails: [1, 100] },
    defaults: { mode: "strict" },
    answers: list("accepted refused results"),
  }),
  "POST /api/v1/mailer/placement-tests": coded(202, {
    required: ["alias_ids"],
    bounds: { alias_ids: [1, 5], seed_alias_ids: [1, 20], seeds: [1, 20] },
    defaults: { delete_after: false },
    answers: [
      ...list("status counts results campaign_id step delete_after"),
      ...within("counts", "inbox spam other missing unknown open"),
    ],
    nulls: ["campaign_id", "step"],
    words: { status: list("running done") },
  }),
  "GET /api/v1/mailer/placement-tests": coded(200, PAGE),
  "GET /api/v1/mailer/placement-tests/{placement_test_id}": coded(200, {
    answers: list("status subject counts results"),
  }),
  "DELETE /api/v1/mailer/placement-tests/{placement_test_id}": coded(200),
  "GET /api/v1/mailer/emails": coded(200, PAGE),
  "GET /api/v1/mailer/emails/{email_id}": coded(200),
  "DELETE /api/v1/mailer/emails/{email_id}": coded(200),

  "GET /api/v1/socialnet/posts/": legacy(200, {
    bounds: { limit: [1, 100] },
    defaults: { limit: 20 },
  }),
  "POST /api/v1/socialnet/posts/": legacy(201, {
    required: ["text"],
    bounds: { text: [1, 3000] },
  }),
  "GET /api/v1/socialnet/posts/{post_id}": coded(200),
  "PATCH /api/v1/socialnet/posts/{post_id}": coded(200),
  "DELETE /api/v1/socialnet/posts/{post_id}": coded(200),

  "POST /api/v1/mailer/inbound": {
    ...open(),
    answers: ["class", "matched_by", "duplicate"],
    nulls: ["matched_by"],
  },
  "GET /api/v1/notifications/whatsapp/webhook": open(),
  "POST /api/v1/notifications/whatsapp/webhook": open(),
  "GET /api/v1/conversations": coded(200, PAGE),
  "GET /api/v1/conversations/{conversation_id}": coded(200),
  "PATCH /api/v1/conversations/{conversation_id}": coded(200),
  "GET /api/v1/conversations/{conversation_id}/messages/{message_id}/raw": coded(200),
  "GET /api/v1/conversations/{conversation_id}/messages/{message_id}/html": coded(200),
  "GET /api/v1/conversations/counts": coded(200, {
    answers: [
      ...list("open done snoozed unread classes"),
      ...within("writers.person", "open done snoozed"),
      ...within("writers.machine", "open done snoozed"),
    ],
  }),
  "POST /api/v1/conversations/{conversation_id}/reply": coded(202, {
    also: [200],
    required: ["body"],
    defaults: { quote: false },
    answers: ["success", "channel", "status", "email_id", "scheduled_at", "error"],
    nulls: ["email_id", "scheduled_at", "error"],
    words: {
      channel: list("email socialnet"),
      status: list("queued scheduled sent suppressed failed"),
    },
  }),
  "POST /api/v1/conversations/{conversation_id}/read": coded(200),

  "GET /api/v1/campaigns/": legacy(200, {
    bounds: { limit: [1, 100], offset: [0, null] },
    defaults: { limit: 50, offset: 0 },
  }),
  "POST /api/v1/campaigns/": legacy(201, {
    required: ["name", "dataset_id", "steps"],
    bounds: {
      name: [1, 255],
      description: [null, 1000],
      steps: [1, 10],
      daily_limit: [1, 10_000],
      min_interval_seconds: [60, 3600],
      system_prompt: [100, 5000],
    },
    defaults: {
      type: "email",
      launch_type: "immediate",
      daily_limit: 500,
      sending_window_start: "09:00:00",
      sending_window_end: "17:00:00",
      min_interval_seconds: 300,
      timezone: "UTC",
      unreviewed_launch_policy: "launch_default",
    },
  }),
  "POST /api/v1/campaigns/plan": coded(200, {
    required: ["campaign"],
    answers: list(
      "plan_token expires_at action campaign_id changes blocked affected.leads affected.next_sends checks forecast.total_sends",
    ),
    nulls: ["campaign_id", "plan_token"],
  }),
  "POST /api/v1/campaigns/apply": coded(200, {
    required: ["plan_token"],
    defaults: { launch: false },
    answers: ["action", "launched", "campaign", "checks"],
    words: { action: list("create change none") },
  }),
  "GET /api/v1/campaigns/{campaign_id}": coded(200),
  "PATCH /api/v1/campaigns/{campaign_id}": coded(200, {
    bounds: { daily_limit: [1, 10_000], min_interval_seconds: [60, 3600] },
  }),
  "DELETE /api/v1/campaigns/{campaign_id}": coded(200),
  "POST /api/v1/campaigns/{campaign_id}/launch": coded(202, {
    answers: ["campaign_id", "status", "checks"],
  }),
  "GET /api/v1/campaigns/{campaign_id}/preflight": coded(200, { answers: ["ok", "checks"] }),
  "POST /api/v1/campaigns/{campaign_id}/unschedule": coded(200),
  "POST /api/v1/campaigns/{campaign_id}/pause": coded(200),
  "POST /api/v1/campaigns/{campaign_id}/resume": coded(200),
  "GET /api/v1/campaigns/{campaign_id}/sending-status": coded(200, {
    answers: [
      ..."campaign_id status paused_reason sending next_send_at reasons warnings".split(" "),
      ..."window today leads senders".split(" "),
      ...within("reasons", "code message until"),
      ...within("warnings", "name message"),
    ],
    nulls: ["paused_reason", "next_send_at", "reasons.until"],
  }),
  "GET /api/v1/campaigns/{campaign_id}/forecast": coded(200, {
    bounds: { days: [1, 90], limit: [1, 1000], offset: [0, 1_000_000] },
    defaults: { days: 14, limit: 200, offset: 0 },
    answers: [
      ...list("campaign_id timezone generated_at until basis assumes total_sends finishes_at"),
      ...["days", "sends", "next_offset"],
    ],
    nulls: ["finishes_at", "next_offset"],
  }),
  "POST /api/v1/campaigns/{campaign_id}/drain": coded(200),
  "POST /api/v1/campaigns/{campaign_id}/reset": coded(200),
  "POST /api/v1/campaigns/{campaign_id}/duplicate": coded(201),
  "POST /api/v1/campaigns/{campaign_id}/playground/dismiss-discovery": coded(200),
  "POST /api/v1/campaigns/{campaign_id}/playground/generate": coded(202, {
    required: ["step_index"],
    bounds: { step_index: [1, 32], n_leads: [1, 200], custom_prompt: [null, 32_000] },
    defaults: { n_leads: 50 },
  }),
  "GET /api/v1/campaigns/{campaign_id}/playground/status": coded(200),
  "GET /api/v1/campaigns/{campaign_id}/playground/drafts": coded(200),
  "GET /api/v1/campaigns/{campaign_id}/playground/batches": coded(200, {
    ...PAGE,
    answers: ["items", "next_cursor", "has_more", ...within("items", "custom_prompt cancelled_at")],
    nulls: ["next_cursor", ...within("items", "custom_prompt cancelled_at")],
  }),
  "POST /api/v1/campaigns/{campaign_id}/playground/batches/{batch_id}/cancel": coded(200),
  "POST /api/v1/campaigns/{campaign_id}/playground/approve": coded(200, { required: ["batch_id"] }),
  "POST /api/v1/campaigns/{campaign_id}/leads/{campaign_lead_id}/approve": legacy(200, {
    required: ["step_index"],
    bounds: { step_index: [1, 32] },
  }),
  "POST /api/v1/campaigns/{campaign_id}/leads/{campaign_lead_id}/unapprove": legacy(200, {
    required: ["step_index"],
    bounds: { step_index: [1, 32] },
  }),
  "POST /api/v1/campaigns/{campaign_id}/leads/{campaign_lead_id}/reset": legacy(200, {
    bounds: { step_index: [1, 32] },
  }),
  "POST /api/v1/personalize": coded(202, {
    required: ["dataset_id"],
    bounds: { custom_prompt: [100, 5000] },
  }),
  "GET /api/v1/personalize/generations/runs/{run_id}": coded(200, {
    answers: "run_id status total pending running generated failed skipped cancelled done".split(
      " ",
    ),
  }),
  "GET /api/v1/personalize/generations/runs/{run_id}/leads": coded(200, {
    bounds: { offset: [0, null], limit: [1, 500] },
    defaults: { offset: 0, limit: 50 },
  }),
  "GET /api/v1/campaigns/{campaign_id}/stats": coded(200, {
    defaults: { by: "step" },
    answers: ["by", "rows", ...within("rows", STATS)],
  }),
  "GET /api/v1/campaigns/{campaign_id}/messages": coded(200, {
    ...PAGE,
    answers: ["items", "next_cursor", "has_more", ...within("items", MESSAGE)],
    nulls: ["next_cursor", ...within("items", MESSAGE_NULLS)],
    words: { "items.kind": list("sent invited visited failed") },
  }),
  "GET /api/v1/campaigns/{campaign_id}/experiments": coded(200, { answers: ["steps"] }),
  "POST /api/v1/campaigns/{campaign_id}/experiments/{step}/freeze": coded(200),
  "POST /api/v1/campaigns/{campaign_id}/experiments/{step}/reset": coded(200),
  "GET /api/v1/forecast": coded(200, {
    bounds: { days: [1, 60] },
    defaults: { days: 14 },
    answers: [
      ...list("generated_at until exact reasons assumes timezone days"),
      ...within("days", "date sends new_leads follow_ups campaigns"),
      ...within("days.campaigns", "campaign_id sends"),
    ],
  }),
  "GET /api/v1/stats": coded(200, {
    defaults: { by: "day" },
    answers: ["by", "from", "to", "timezone", "rows", ...within("rows", STATS)],
  }),
  "GET /api/v1/campaigns/{campaign_id}/click-stats": legacy(200),
  "GET /api/v1/campaigns/{campaign_id}/leads": coded(200, PAGE),
  "GET /api/v1/campaigns/{campaign_id}/leads.csv": coded(200),
  "POST /api/v1/campaigns/{campaign_id}/steps/{step}/render": coded(200, {
    answers: [
      ...list("step channel campaign_lead_id variant_label template_id sender_profile_id"),
      ...list("alias_id connected_account_id from_email to_email profile_url subject html text"),
      ...["links", "text_source"],
    ],
    nulls: [
      ...list("variant_label template_id sender_profile_id alias_id connected_account_id"),
      ...list("from_email to_email profile_url subject"),
    ],
    words: { text_source: list("step approved send_time newest_draft") },
  }),
  "POST /api/v1/campaigns/{campaign_id}/steps/{step}/send-test": coded(200, {
    required: ["to_email"],
    answers: list("success from_email to_email subject text_source message"),
  }),
  "POST /api/v1/campaigns/{campaign_id}/leads": coded(200, {
    required: ["lead_ids"],
    words: {
      "skipped.code": list(
        "LEAD_NOT_FOUND ALREADY_IN_CAMPAIGN DUPLICATE_ADDRESS NO_EMAIL NO_PROFILE_URL SUPPRESSED",
      ),
    },
  }),
  "GET /api/v1/campaigns/{campaign_id}/leads/{campaign_lead_id}": coded(200),
  "GET /api/v1/campaigns/{campaign_id}/lead-counts": coded(200, {
    answers: [
      ...list("total held by_status"),
      ...within("by_status", "pending active completed replied bounced unsubscribed"),
      ...within("by_status", "complained stopped skipped failed"),
    ],
  }),
  "POST /api/v1/campaigns/{campaign_id}/lead-actions": coded(200, {
    answers: list("succeeded failed results"),
  }),
  "POST /api/v1/campaigns/{campaign_id}/leads/{campaign_lead_id}/hold": coded(200),
  "POST /api/v1/campaigns/{campaign_id}/leads/{campaign_lead_id}/release": coded(200),
  "POST /api/v1/campaigns/{campaign_id}/leads/{campaign_lead_id}/stop": coded(200),
  "POST /api/v1/campaigns/{campaign_id}/leads/{campaign_lead_id}/mark": coded(200, {
    required: ["as"],
  }),

  "POST /api/v1/personalize/preview": coded(200, {
    required: ["lead_data"],
    bounds: {
      custom_prompt: [100, 5000],
      research_context: [null, 20_000],
      row_index: [0, 2_147_483_647],
    },
    defaults: { force_refresh_research: false },
  }),

  "POST /api/v1/email-finder/verify": coded(200, {
    also: [202],
    required: ["email"],
    defaults: { force: false },
  }),
  "GET /api/v1/email-finder/verify/{job_id}": coded(200),
  "POST /api/v1/email-verification/dataset/{dataset_id}": coded(200, { also: [202] }),
  "GET /api/v1/email-verification/dataset/{dataset_id}": coded(200, {
    bounds: { limit: [1, 500] },
    defaults: { limit: 100 },
  }),
  "DELETE /api/v1/email-verification/dataset/{dataset_id}": coded(200),

  "POST /api/v1/prospects/opt-out": { ...open(202), required: ["profile_url", "email"] },
  "POST /api/v1/prospects/search": coded(200, {
    required: ["tags"],
    bounds: { tags: [1, 20], limit: [1, 100] },
    defaults: { limit: 20 },
  }),
  "POST /api/x402/v1/email/verify": sold({ required: ["email"], bounds: { email: [null, 320] } }),
  "POST /api/x402/v1/email/validate": sold({ required: ["email"], bounds: { email: [null, 320] } }),
  "POST /api/x402/v1/email/find": sold({
    required: ["domain"],
    bounds: { candidates: [1, 20] },
  }),
  "POST /api/x402/v1/linkedin/find-url": sold({
    required: ["name"],
    bounds: { name: [1, 200] },
    answers: PROFILE,
    nulls: PROFILE,
  }),
  "POST /api/x402/v1/socialnet/find-url": sold({
    required: ["name"],
    bounds: { name: [1, 200] },
    answers: PROFILE,
    nulls: PROFILE,
  }),
  "POST /api/x402/v1/prospects/search": sold({
    required: ["tags"],
    bounds: { tags: [1, 20], limit: [1, 100] },
    defaults: { limit: 20 },
  }),
};
