// Written by `npm run openapi`; what the API says, as types. Not edited by hand.

export type AccountConnect = { country?: string | null; password: string; provider?: "socialnet"; username: string };
export type AccountConnected = { account: ConnectedAccount; checkpoint_required: boolean; checkpoint_token: string | null; checkpoint_type: AccountConnectedCheckpointType | null; success: boolean };
export type AccountConnectedCheckpointType = "otp" | "two_factor" | "in_app_validation" | "captcha" | "phone_register";
export type AccountReconnect = { country?: string | null; password: string; username: string };
export type AdvisedDomainRecord = DomainRecord & ({ fix: string | null; host_in_zone: string; why: string | null });
export type ApiKey = { confirm: ApiKeyConfirm; created_at: string; expires_at: string | null; id: string; key_prefix: string; last_used_at: string | null; name: string; revoked_at: string | null; scopes: Array<string> | null; updated_at: string; user_id: string; workspace_id: string };
export type ApiKeyConfirm = "human" | "token";
export type ApiKeyCreate = { confirm?: ApiKeyConfirm; expires_at?: string; name: string; scopes?: Array<ApiKeyScopes> };
export type ApiKeyCreated = { created_at: string; id: string; key: string | null; key_prefix: string; name: string };
export type ApiKeyPage = { has_more: boolean; items: Array<ApiKey>; next_cursor: string | null };
export type ApiKeyScopes = "campaigns:read" | "campaigns:write" | "campaigns:send" | "leads:read" | "leads:write" | "mailer:read" | "mailer:write" | "mailer:send" | "network:read" | "network:send" | "posts:write" | "conversations:read" | "conversations:write" | "conversations:send" | "personalize:run" | "verify:run" | "billing:read" | "billing:write" | "events:read" | "webhooks:read" | "webhooks:write" | "notifications:write" | "sheets:read" | "members:read" | "members:write" | "workspace:write";
export type AppliedPlan = { action: AppliedPlanAction; campaign: Campaign; checks: PreflightChecks; launched: boolean };
export type AppliedPlanAction = "create" | "change" | "none";
export type ApplyPlan = { launch?: boolean; plan_token: string };
export type ApprovedEmailEntry = { approved_at: string; approved_by: string; body: string; generation_latency_ms: number; lead_identity_fingerprint: string; model: string; prompt_snapshot: string; prompt_version_hash: string; research_cache_fingerprint: string | null; sender_profile_id: string | null; step_config_fingerprint: string; step_index: number; subject: string; template_id: string | null; variant_label: string | null } | null;
export type Attention = { items: Array<{ campaign_ids: Array<string>; kind: string; message: string; severity: AttentionItemsSeverity; subject: { id: string | null; name: string | null; type: AttentionItemsSubjectType }; until: string | null }> };
export type AttentionItemsSeverity = "error" | "warning" | "info";
export type AttentionItemsSubjectType = "campaign" | "alias" | "connected_account" | "domain" | "conversation" | "webhook" | "post" | "api_key" | "workspace";
export type Campaign = { alias_ids: Array<string> | null; campaign_id: string; connected_account_id: string | null; created_at: string; daily_limit: number; dataset_id: string; description: string | null; launch_error: string | null; launch_job_id: string | null; launch_requested_at: string | null; launch_type: CampaignLaunchType; launched_at: string | null; max_new_leads_per_day: number | null; min_interval_seconds: number; name: string; paused_reason: PausedReason | null; playground_discovery_dismissed_at: string | null; processed_leads: number; reviewed_at: string | null; send_days: Array<Weekday>; sending_window_end: string; sending_window_start: string; start_date: string | null; status: CampaignStatus; steps_config: Array<StepConfig>; stop_on_auto_reply: boolean; stop_on_company_reply: boolean; stop_on_reply: boolean; system_prompt: string | null; timezone: string; total_leads: number | null; type: CampaignType; unreviewed_launch_policy: CampaignUnreviewedLaunchPolicy; updated_at: string; use_lead_timezone: boolean; user_id: string };
export type CampaignChange = { alias_ids?: Array<string> | null; connected_account_id?: string | null; daily_limit?: number; dataset_id?: string; description?: "" | string | null; launch_type?: CampaignLaunchType; max_new_leads_per_day?: number | null; min_interval_seconds?: number; name?: string; send_days?: Array<Weekday> | null; sending_window_end?: string; sending_window_start?: string; start_date?: string | null; steps?: Array<StepConfigInput>; stop_on_auto_reply?: boolean; stop_on_company_reply?: boolean; stop_on_reply?: boolean; system_prompt?: string | null; timezone?: string; type?: CampaignType; unreviewed_launch_policy?: CampaignUnreviewedLaunchPolicy; use_lead_timezone?: boolean };
export type CampaignCreate = { alias_ids?: Array<string> | null; connected_account_id?: string | null; daily_limit?: number; dataset_id: string; description?: "" | string | null; launch_type?: CampaignLaunchType; max_new_leads_per_day?: number | null; min_interval_seconds?: number; name: string; send_days?: Array<Weekday> | null; sending_window_end?: string; sending_window_start?: string; start_date?: string | null; steps: Array<StepConfigInput>; stop_on_auto_reply?: boolean; stop_on_company_reply?: boolean; stop_on_reply?: boolean; system_prompt?: string | null; timezone?: string; type?: CampaignType; unreviewed_launch_policy?: CampaignUnreviewedLaunchPolicy; use_lead_timezone?: boolean };
export type CampaignExperiments = { steps: Array<StepExperiment> };
export type CampaignFile = { aliases?: Array<string> | null; connected_account?: string | null; daily_limit?: number; dataset: string; description?: "" | string | null; external_id: string; launch_type?: CampaignFileLaunchType; max_new_leads_per_day?: number | null; min_interval_seconds?: number; name: string; send_days?: Array<Weekday> | null; sending_window_end?: string; sending_window_start?: string; start_date?: string | null; steps: Array<FileStep>; stop_on_auto_reply?: boolean; stop_on_company_reply?: boolean; stop_on_reply?: boolean; system_prompt?: string | null; timezone?: string; type?: CampaignFileType; unreviewed_launch_policy?: CampaignFileUnreviewedLaunchPolicy; use_lead_timezone?: boolean };
export type CampaignFileLaunchType = "immediate" | "scheduled";
export type CampaignFileType = "email" | "socialnet" | "mixed";
export type CampaignFileUnreviewedLaunchPolicy = "launch_default" | "hold" | "cancel";
export type CampaignInFull = Campaign & { file?: StoredCampaignFile; forecast?: Forecast; lead_counts?: CampaignLeadCounts; sending_status?: SendingStatus; stats?: CampaignStats };
export type CampaignLaunchType = "immediate" | "scheduled";
export type CampaignLead = { alias_id: string | null; approved_steps: Array<number>; campaign_id: string; connected_account_id: string | null; created_at: string; current_step: number; dataset_id: string; email: string | null; hold_reason: string | null; hold_until: string | null; id: string; last_error: string | null; lead_id: string; metadata: Record<string, unknown>; next_action_at: string | null; next_step: number | null; profile_url: string | null; row_index: number; status: CampaignLeadStatus; stop_reason: string | null; timezone: string | null; updated_at: string; user_id: string; workspace_id: string };
export type CampaignLeadCounts = { by_status: { active: number; bounced: number; complained: number; completed: number; failed: number; pending: number; replied: number; skipped: number; stopped: number; unsubscribed: number }; held: number; total: number };
export type CampaignLeadHold = { hold_reason?: string; hold_until?: string | null };
export type CampaignLeadMark = { as: CampaignLeadMarkAs };
export type CampaignLeadMarkAs = "replied" | "not_replied" | "resumed";
export type CampaignLeadPage = { has_more: boolean; items: Array<CampaignLead>; next_cursor: string | null };
export type CampaignLeadStatus = "pending" | "active" | "completed" | "replied" | "bounced" | "unsubscribed" | "complained" | "stopped" | "skipped" | "failed";
export type CampaignLeadsAdded = { added: number; skipped: Array<{ code: CampaignLeadsAddedSkippedCode; lead_id: string }> };
export type CampaignLeadsAddedSkippedCode = "LEAD_NOT_FOUND" | "ALREADY_IN_CAMPAIGN" | "DUPLICATE_ADDRESS" | "NO_EMAIL" | "NO_PROFILE_URL" | "SUPPRESSED";
export type CampaignLeadsAddition = { lead_ids: Array<string> };
export type CampaignMessage = { alias_id: string | null; assumed: boolean; at: string; auto_replied_at: string | null; bounced_at: string | null; campaign_lead_id: string; clicked: boolean; complained_at: string | null; connected_account_id: string | null; date: string; email: string | null; id: string; kind: CampaignMessageKind; lead_id: string | null; opened: boolean; profile_url: string | null; reason: string | null; replied_at: string | null; soft_bounced_at: string | null; step: number; subject: string | null; unsubscribed_at: string | null; variant_label: string | null };
export type CampaignMessageKind = "sent" | "invited" | "visited" | "failed";
export type CampaignMessagePage = { has_more: boolean; items: Array<CampaignMessage>; next_cursor: string | null };
export type CampaignPlan = { action: CampaignPlanAction; affected: { leads: number; next_sends: Array<{ alias_id: string | null; at: string; campaign_lead_id: string; connected_account_id: string | null; email: string | null; lead_id: string; row_index: number; step: number }> }; blocked: Array<{ code: CampaignPlanBlockedCode; message: string; path: string }>; campaign_id: string | null; changes: Array<{ after?: string | number | boolean | Record<string, unknown> | Array<unknown> | null; before?: string | number | boolean | Record<string, unknown> | Array<unknown> | null; path: string }>; checks: PreflightChecks; expires_at: string; forecast: { basis: CampaignPlanForecastBasis; days: Array<{ date: string; follow_ups: number; new_leads: number; sends: number }>; finishes_at: string | null; timezone: string; total_sends: number; until: string }; plan_token: string | null };
export type CampaignPlanAction = "create" | "change" | "none";
export type CampaignPlanBlockedCode = "FIELD_LOCKED" | "STEP_SENT" | "STEP_PLACE";
export type CampaignPlanForecastBasis = "running" | "resumed_now" | "launched_now" | "launched_at_start_date" | "ended";
export type CampaignStats = { by: StatsBy; rows: Array<{ auto_replied: number; bounced: number; clicked: number; complained: number; first_messages: number; follow_ups: number; key: string; opened: number; replied: number; sent: number; soft_bounced: number; unsubscribed: number }> };
export type CampaignStatus = "draft" | "launching" | "scheduled" | "active" | "draining" | "paused" | "completed" | "failed";
export type CampaignSummary = { bounced: number; next_send_at: string | null; reason: { code: string; message: string; until: string | null } | null; replied: number; sent: number };
export type CampaignType = "email" | "socialnet" | "mixed";
export type CampaignUnreviewedLaunchPolicy = "launch_default" | "hold" | "cancel";
export type Channel = "email" | "socialnet";
export type CheckpointAnswered = { account: ConnectedAccount; checkpoint_required?: boolean; checkpoint_token?: string | null; checkpoint_type?: CheckpointAnsweredCheckpointType | null; success: boolean };
export type CheckpointAnsweredCheckpointType = "otp" | "two_factor" | "in_app_validation" | "captcha" | "phone_register";
export type CheckpointCode = { checkpoint_token: string; code: string };
export type ClickStats = { click_rate?: number; clicked_count?: number; machine_clicks?: number; machine_opens?: number; open_rate?: number; opened_count?: number; total_clicks?: number; total_opens?: number; total_sent?: number };
export type ColumnMapping = Record<string, string | null>;
export type Component = { detail?: string; latency_ms: number; status: ComponentStatus };
export type ComponentStatus = "healthy" | "degraded" | "unhealthy" | "not_configured";
export type Confirmation = { asked_by: string; created_at: string; expires_at: string; id: string; preview: {  } & Record<string, unknown>; status: ConfirmationStatus; title: string; tool: string };
export type ConfirmationPage = { has_more: boolean; items: Array<Confirmation>; next_cursor: string | null };
export type ConfirmationStatus = "waiting" | "approved" | "declined" | "spent";
export type ConnectedAccount = { checkpoint_pending: boolean; connection_country: string | null; created_at: string; daily_connection_limit: number; daily_message_limit: number; display_name: string; id: string; is_default: boolean; profile_url: string; provider: string; provider_account_id: string; status: ConnectedAccountStatus; updated_at: string; user_id: string; warmup_days: number; workspace_id: string };
export type ConnectedAccountChange = { daily_connection_limit?: number; daily_message_limit?: number; is_default?: boolean; warmup_days?: number };
export type ConnectedAccountOption = { display_name: string; id: string; is_default: boolean; profile_url: string; status: ConnectedAccountOptionStatus };
export type ConnectedAccountOptionStatus = "connected" | "disconnected" | "error" | "reconnecting" | "rate_limited";
export type ConnectedAccountPage = { has_more: boolean; items: Array<ConnectedAccount>; next_cursor: string | null };
export type ConnectedAccountStatus = "connected" | "disconnected" | "error" | "reconnecting" | "rate_limited";
export type Conversation = { alias_id: string | null; campaign_id: string | null; channel: Channel; class: string | null; counterpart: { company: string | null; email: string | null; name: string | null }; id: string; intent: ConversationIntent | null; last_message_at: string; lead_id: string | null; snippet: string | null; snooze_until: string | null; state: ConversationState; subject: string | null; unread: boolean };
export type ConversationChange = { class?: ConversationClass; intent?: ConversationIntent | null; snooze_until?: string; state?: ConversationState };
export type ConversationClass = "reply" | "possible_opt_out" | "out_of_office" | "auto_reply" | "challenge" | "left_company" | "automated";
export type ConversationCounts = { classes: Record<string, number>; done: number; open: number; snoozed: number; unread: number; writers: { machine: { done: number; open: number; snoozed: number }; person: { done: number; open: number; snoozed: number } } };
export type ConversationDetail = { alias_id: string | null; campaign_id: string | null; channel: Channel; class: string | null; counterpart: { company: string | null; email: string | null; name: string | null }; id: string; intent: ConversationIntent | null; last_message_at: string; lead_id: string | null; messages: Array<{ class: string; direction: ConversationMessagesDirection; expired: boolean; from: string; html: string | null; id: string; intent: ConversationMessagesIntent | null; sent_at: string; subject: string | null; text: string; to: Array<string> }>; snippet: string | null; snooze_until: string | null; state: ConversationState; subject: string | null; unread: boolean };
export type ConversationIntent = "interested" | "not_now" | "not_interested" | "referral" | "question" | "unclear";
export type ConversationMessagesDirection = "out" | "in";
export type ConversationMessagesIntent = "interested" | "not_now" | "not_interested" | "referral" | "question" | "unclear";
export type ConversationPage = { has_more: boolean; items: Array<Conversation>; next_cursor: string | null };
export type ConversationReplied = { channel: Channel; email_id: string | null; error: string | null; scheduled_at: string | null; status: ConversationRepliedStatus; success: boolean };
export type ConversationRepliedStatus = "queued" | "scheduled" | "sent" | "suppressed" | "failed";
export type ConversationReply = { body: string; if_last_message_id?: string; quote?: boolean; send_at?: string };
export type ConversationState = "open" | "done" | "snoozed";
export type CreditBalance = { available: number; held: number; owed: number; plan: Plan };
export type CreditEntry = { available_delta: number; created_at: string; held_delta: number; id: string; kind: CreditEntryKind; owed_delta: number; ref_id: string; ref_type: string };
export type CreditEntryKind = "grant" | "hold" | "capture" | "release" | "expire" | "refund" | "refund_failed" | "dispute" | "dispute_won";
export type CreditEntryPage = { has_more: boolean; items: Array<CreditEntry>; next_cursor: string | null };
export type CreditPack = { amount_cents: number; credit_costs: Record<string, number>; credits: number; currency: string; id: string };
export type CreditPackPage = { has_more: boolean; items: Array<CreditPack>; next_cursor: string | null };
export type CreditPurchase = { amount_cents: number; checkout_url: string; credits: number; currency: string; expires_at: string; pack_id: string; session_id: string; success: true };
export type CreditPurchaseOrder = { cancel_url: string; pack_id: CreditPurchaseOrderPackId; success_url: string };
export type CreditPurchaseOrderPackId = "starter" | "growth" | "scale";
export type CurrentUser = { created_at: string; email: string | null; id: string; name: string | null; workspace: { credits: number; id: string; name: string; plan: Plan } };
export type Dataset = { columns: Array<{ key: string; label: string; sample: string | null; type: string }>; created_at: string; error: string | null; id: string; import_progress: { rows_read: number } | null; mapping: Record<string, string | null>; name: string; row_count: number; source: DatasetSource; source_url: string | null; status: DatasetStatus; updated_at: string; user_id: string; workspace_id: string };
export type DatasetChange = { mapping?: ColumnMapping; name?: string };
export type DatasetCreate = { name: string };
export type DatasetPage = { has_more: boolean; items: Array<Dataset>; next_cursor: string | null };
export type DatasetSource = "csv" | "sheet" | "api" | "prospects";
export type DatasetStatus = "importing" | "ready" | "failed";
export type DatasetVerification = { credits_consumed: number; dataset_id: string; job_id: string; next_cursor: string | null; processed: number; results: Array<{ cached: boolean; checked_at: string | null; email: string; is_catch_all: boolean | null; is_disposable: boolean; is_role: boolean; lead_id: string; result: DeliveryResult; risk_level: RiskLevel | null; row_index: number }>; status: DatasetVerificationStatus; summary: { invalid: number; risky: number; safe: number; unknown: number }; total: number };
export type DatasetVerificationStatus = "pending" | "running" | "completed" | "failed" | "cancelled";
export type Deleted = { success: true };
export type DeliveryResult = "valid" | "catch_all" | "invalid" | "unknown";
export type DomainHealth = { checked_at: string | null; domain: string; judged_at: string; rules: Array<DomainRule> };
export type DomainOperators = { counted_since: string | null; domain: string; messages: number; more: number; operators: Array<{ ledger: { accepted: number; complained: number; deferred: number; domains: number; last_at: string; looked_up_at: string | null; messages: number; refused: number; refused_by_policy: number; unknown_domains: number; waiting: number; waiting_by_policy: number } | null; operator: string; placement: { categories: Array<{ category: string; mails: number }>; inbox: number; last_at: string; mails: number; missing: number; other: number; spam: number } | null; rate: { full_at: string; next_at: string; per_hour: number; reason: string; since: string } | null; replies: Array<{ category: DomainOperatorsOperatorsRepliesCategory; is_policy: boolean; messages: number; reply: string }> }>; since: string; until: string };
export type DomainOperatorsOperatorsRepliesCategory = "no_such_user" | "no_domain" | "moved" | "no_mail_accepted" | "mailbox_full" | "disabled" | "recipient_filter" | "too_big" | "timeout" | "network" | "loop" | "greylisted" | "rate_limited" | "relay_trouble" | "system" | "protocol" | "other" | "sender_rejected" | "relay_denied" | "authentication" | "ip_blocked" | "spam" | "content" | "virus" | "policy";
export type DomainPostmaster = { compliance: Array<{ reason: string | null; requirement: string; status: DomainPostmasterComplianceStatus }> | null; connected_at: string | null; days: Array<{ day: string; deferred_percent: number | null; dkim_percent: number | null; dmarc_percent: number | null; errors: Array<{ percent: number; reason: string; type: DomainPostmasterDaysErrorsType }>; rejected_percent: number | null; spam_percent: number | null; spf_percent: number | null; tls_percent: number | null }>; domain: string; fetched_at: string | null; last_error: string | null; next_at: string | null; status: DomainPostmasterStatus };
export type DomainPostmasterComplianceStatus = "compliant" | "needs_work";
export type DomainPostmasterConsent = { return_url?: string | null };
export type DomainPostmasterDaysErrorsType = "reject" | "temp_fail";
export type DomainPostmasterStatus = "not_connected" | "connected" | "no_access" | "consent_lost";
export type DomainRecord = { expected: string; found: Array<string>; host: string; purpose: DomainRecordPurpose; required: boolean; status: DomainRecordStatus; type: DomainRecordType };
export type DomainRecordPurpose = "ownership" | "spf" | "dkim" | "dmarc" | "mx" | "return_path" | "tracking";
export type DomainRecordStatus = "ok" | "missing" | "mismatch" | "multiple" | "unknown";
export type DomainRecordType = "TXT" | "MX" | "CNAME";
export type DomainReports = { days: Array<{ aligned: number; aligned_dkim: number; aligned_spf: number; day: string; forwarded: number; messages: number; ours: number; quarantined: number; rejected: number }>; domain: string; last_report_at: string | null; next_step: { fix: string | null; policy: DomainReportsNextStepPolicy | null; safe: boolean | null; why: string }; policy: { domain: string; p: string | null; pct: number | null; sp: string | null; testing: boolean } | null; reporters: Array<{ aligned: number; aligned_dkim: number; aligned_spf: number; forwarded: number; messages: number; ours: number; quarantined: number; rejected: number; reporter: string }>; reports_to: string | null; since: string; sources: Array<{ addresses: number; aligned: number; aligned_dkim: number; aligned_spf: number; first_day: string; forwarded: number; is_ours: boolean; last_day: string; messages: number; name: string | null; ours: number; quarantined: number; rejected: number; share: number; some_addresses: Array<string> }>; tls: Array<{ policy_type: string; result: string; sessions: number }> };
export type DomainReportsNextStepPolicy = "quarantine" | "reject";
export type DomainRule = { asked_by: Array<DomainRuleAskedBy>; evidence: string; figures: Array<{ limit: number | null; name: string; value: number }>; period: { since: string; until: string } | null; rule: DomainRuleRule; status: DomainRuleStatus; what_to_do: string | null };
export type DomainRuleAskedBy = "google" | "yahoo" | "microsoft";
export type DomainRuleRule = "spf" | "dkim" | "dmarc" | "from_alignment" | "dmarc_alignment" | "one_click" | "complaint_rate" | "bounce_rate" | "tls" | "reverse_dns" | "reply_address" | "tls_replies";
export type DomainRuleStatus = "ok" | "failing" | "unknown";
export type DomainStatus = "pending" | "verified" | "failing" | "unknown";
export type Done = { success: true };
export type DraftApproval = { batch_id?: string; body?: string; expected_draft_hash?: string; replaces_approved_at?: string | null; step_index: number; subject?: "" | string };
export type DraftBulkApproval = { batch_id: string; campaign_lead_ids?: Array<string> };
export type DraftBulkApproved = { approved: number; skipped: Array<{ campaign_lead_id: string; code: DraftBulkApprovedSkippedCode }> };
export type DraftBulkApprovedSkippedCode = "DRAFT_NOT_FOUND" | "DRAFT_CHANGED" | "DRAFT_HELD" | "APPROVED_MEANWHILE" | "STEP_ALREADY_SENT";
export type DraftReview = { approved_entry: ApprovedEmailEntry; approved_steps: Array<number>; campaign_id: string; campaign_lead_id: string; step_index: number | null; updated_at: string };
export type DraftStatus = "pending" | "running" | "generated" | "failed" | "skipped" | "cancelled";
export type DraftUnapproval = { step_index: number };
export type Email = { alias_id: string; conversation_id: string; created_at: string; error: string | null; from_email: string; id: string; message_id: string; scheduled_at: string | null; sent_at: string | null; status: EmailStatus; subject: string; success: boolean; suppression_reason: string | null; to_email: string; track_clicks: boolean; track_opens: boolean };
export type EmailBatch = { emails: Array<EmailSend>; mode?: EmailBatchMode };
export type EmailBatchMode = "strict" | "permissive";
export type EmailBatchSent = { accepted: number; refused: number; results: Array<{ code: string | null; id: string | null; index: number; message: string | null; status: EmailStatus | null }> };
export type EmailDetail = { alias_id: string; conversation_id: string; created_at: string; error: string | null; events: Array<{ at: string; classification: string; id: string; reasons: Array<string>; type: string; url: string | null }>; from_email: string; id: string; message_id: string; scheduled_at: string | null; sent_at: string | null; status: EmailStatus; subject: string; success: boolean; suppression_reason: string | null; to_email: string; track_clicks: boolean; track_opens: boolean };
export type EmailPage = { has_more: boolean; items: Array<Email>; next_cursor: string | null };
export type EmailSend = { alias_id: string; attachments?: Array<{ content: string; content_type?: string; filename: string }> | null; body: string; click_tracking_patterns?: Array<string> | null; conversation_id?: string | null; in_reply_to?: string | null; send_at?: string | null; send_at_timezone?: string | null; subject: string; to_email: string; track_clicks?: boolean; track_opens?: boolean };
export type EmailStatus = "queued" | "scheduled" | "sent" | "suppressed" | "failed" | "cancelled";
export type EmailVerification = { backend: VerificationBackend | null; cached: boolean; checked_at: string | null; credits_consumed: number; credits_remaining: number; email: string; error: string | null; has_mx: boolean | null; is_catch_all: boolean | null; is_disposable: boolean; is_role: boolean; job_id: string | null; poll_url: string | null; result: DeliveryResult | null; risk_level: RiskLevel | null; status: EmailVerificationStatus; valid_format: boolean };
export type EmailVerificationStatus = "pending" | "running" | "completed" | "failed";
export type EmailVerify = { email: string; force?: boolean };
export type Event = { actor: { id: string | null; name: string | null; type: EventActorType }; cursor: string; data: Record<string, unknown>; id: string; timestamp: string; type: EventType };
export type EventActorType = "system" | "user" | "key";
export type EventType = "campaign.created" | "campaign.changed" | "campaign.scheduled" | "campaign.unscheduled" | "campaign.launching" | "campaign.launched" | "campaign.failed" | "campaign.launch_held" | "campaign.launch_cancelled" | "campaign.paused" | "campaign.resumed" | "campaign.draining" | "campaign.completed" | "campaign.reopened" | "campaign.reset" | "campaign.deleted" | "experiment.changed" | "experiment.winner" | "campaign_lead.held" | "campaign_lead.released" | "campaign_lead.reopened" | "campaign_lead.completed" | "campaign_lead.replied" | "campaign_lead.bounced" | "campaign_lead.unsubscribed" | "campaign_lead.complained" | "campaign_lead.stopped" | "campaign_lead.skipped" | "campaign_lead.failed" | "email.queued" | "email.sent" | "email.deferred" | "email.rejected" | "email.bounced" | "email.complained" | "email.opened" | "email.clicked" | "email.unsubscribed" | "email.suppressed" | "email.cancelled" | "email.unknown" | "email.failed" | "network.invited" | "network.messaged" | "network.viewed" | "network.connected" | "reply.received" | "reply.auto_received" | "draft.generated" | "draft.failed" | "draft.approved" | "draft.unapproved" | "batch.done" | "batch.cancelled" | "placement_test.completed" | "verification.done" | "verification.failed" | "dataset.imported" | "dataset.import_failed" | "dataset.verified" | "dataset.verification_cancelled" | "account.connected" | "account.checkpoint" | "account.disconnected" | "account.rate_limited" | "account.error" | "post.scheduled" | "post.published" | "post.failed" | "post.deleted" | "domain.verified" | "domain.failing" | "alias.error" | "alias.recovered" | "alias.inbox_failing" | "credits.purchased" | "credits.refunded" | "credits.disputed" | "credits.low" | "credits.exhausted" | "purchase.failed" | "purchase.expired" | "webhook.disabled" | "key.created" | "key.revoked";
export type Events = { has_more: boolean; items: Array<Event>; next_cursor: string };
export type FileStep = { action_type?: FileStepActionType | null; ai_personalization_enabled?: boolean; channel?: Channel | null; delay_days?: number; experiment?: StepExperimentInput; message_template?: string | null; note_optional?: boolean | null; step: number; track_clicks?: boolean; track_opens?: boolean; variants?: Array<FileVariant> | null };
export type FileStepActionType = "send_email" | "connection_request" | "message" | "profile_view";
export type FileVariant = { body?: string | null; label?: string | null; sender_profile?: string | null; subject?: "" | string | null; template?: string | null; type?: FileVariantType; weight?: number | null };
export type FileVariantType = "TEMPLATE" | "INLINE";
export type FindEmail = FindEmailOfName | FindEmailAmongCandidates;
export type FindEmailAmongCandidates = { candidates: Array<{ confidence?: number; email: string; pattern?: string }>; domain: string };
export type FindEmailOfName = { domain: string; first_name: string; last_name: string };
export type FindProfile = { company?: string; location?: string; name: string };
export type Forecast = { assumes: Array<string>; basis: ForecastBasis; campaign_id: string; days: Array<{ date: string; follow_ups: number; new_leads: number; sends: number }>; finishes_at: string | null; generated_at: string; next_offset: number | null; sends: Array<{ alias_id: string | null; at: string; campaign_lead_id: string; connected_account_id: string | null; email: string | null; lead_id: string; row_index: number; step: number }>; timezone: string; total_sends: number; until: string };
export type ForecastBasis = "running" | "resumed_now" | "launched_now" | "launched_at_start_date" | "ended";
export type FoundEmail = { backend?: string; confidence?: number; email?: string; found: boolean; pattern?: string | null };
export type FoundProfiles = { linkedin_url: string | null; match_confidence: number | null; profile_url: string | null; profiles: Array<{ match_confidence: number; profile_url: string; snippet?: string | null; title?: string | null }>; status: FoundProfilesStatus };
export type FoundProfilesStatus = "found" | "not_found";
export type GenerationRunLeads = { generations: Array<{ body: string; error: string; generated_at: string; generation_id: string; lead_index: number; lead_snapshot: Record<string, unknown>; row_index: number; status: DraftStatus; subject: string }>; has_more: boolean; limit: number; offset: number; total_generations: number };
export type ImportReport = { created: number; duplicate: number; rejected: number; rejections: Array<{ code: string; message: string; row_index: number }>; total: number; updated: number };
export type ImportTrial = { columns: Array<{ guess: string | null; header: string; samples: Array<string> }>; created: number; dry_run: true; duplicate: number; rejected: number; rejections: Array<{ code: string; message: string; row_index: number }>; total: number; updated: number };
export type InboundReceived = { class: string; duplicate: boolean; matched_by: InboundReceivedMatchedBy | null };
export type InboundReceivedMatchedBy = "token" | "message_id" | "address";
export type InlineVariantInput = { body: string; label?: string | null; sender_profile_id?: string | null; subject?: "" | string | null; template_id?: string | null; type: "INLINE"; weight?: number | null };
export type Invitation = { created_at: string; email: string; expires_at: string; id: string; invited_by: string; role: InvitationRole };
export type InvitationAccepted = { role: InvitationAcceptedRole; workspace_id: string; workspace_name: string };
export type InvitationAcceptedRole = "viewer" | "member" | "admin" | "owner";
export type InvitationCreate = { email: string; role: InvitationRole };
export type InvitationCreated = { created_at: string; email: string; expires_at: string; id: string; invited_by: string; mailed: boolean; role: InvitationCreatedRole; url: string | null };
export type InvitationCreatedRole = "viewer" | "member" | "admin" | "owner";
export type InvitationPage = { has_more: boolean; items: Array<Invitation>; next_cursor: string | null };
export type InvitationRole = "viewer" | "member" | "admin" | "owner";
export type JoinedWorkspaces = { items: Array<{ id: string; is_current: boolean; name: string; plan: Plan; role: JoinedWorkspacesItemsRole }> };
export type JoinedWorkspacesItemsRole = "viewer" | "member" | "admin" | "owner";
export type LaunchedCampaign = { alias_ids: Array<string> | null; campaign_id: string; checks: PreflightChecks; connected_account_id: string | null; created_at: string; daily_limit: number; dataset_id: string; description: string | null; launch_error: string | null; launch_job_id: string | null; launch_requested_at: string | null; launch_type: LaunchedCampaignLaunchType; launched_at: string | null; max_new_leads_per_day: number | null; min_interval_seconds: number; name: string; paused_reason: PausedReason | null; playground_discovery_dismissed_at: string | null; processed_leads: number; reviewed_at: string | null; send_days: Array<Weekday>; sending_window_end: string; sending_window_start: string; start_date: string | null; status: CampaignStatus; steps_config: Array<StepConfig>; stop_on_auto_reply: boolean; stop_on_company_reply: boolean; stop_on_reply: boolean; system_prompt: string | null; timezone: string; total_leads: number | null; type: LaunchedCampaignType; unreviewed_launch_policy: LaunchedCampaignUnreviewedLaunchPolicy; updated_at: string; use_lead_timezone: boolean; user_id: string };
export type LaunchedCampaignLaunchType = "immediate" | "scheduled";
export type LaunchedCampaignType = "email" | "socialnet" | "mixed";
export type LaunchedCampaignUnreviewedLaunchPolicy = "launch_default" | "hold" | "cancel";
export type Lead = { company: string | null; country: string | null; created_at: string; custom: {  } & Record<string, unknown>; dataset_id: string; email: string | null; first_name: string | null; full_name: string | null; id: string; last_name: string | null; location: string | null; phone: string | null; profile_url: string | null; row_index: number; tags: Array<string>; timezone: string | null; title: string | null; updated_at: string; user_id: string; verification: {  } & Record<string, unknown> | null; website: string | null; workspace_id: string };
export type LeadChange = { company?: string | null; country?: string | null; custom?: Record<string, unknown>; email?: string | null; first_name?: string | null; full_name?: string | null; last_name?: string | null; location?: string | null; phone?: string | null; profile_url?: string | null; tags?: Array<string>; timezone?: string | null; title?: string | null; website?: string | null };
export type LeadCreate = LeadCreateByEmail | LeadCreateByProfile;
export type LeadCreateByEmail = { company?: string | null; country?: string | null; custom?: Record<string, unknown>; email: string; first_name?: string | null; full_name?: string | null; last_name?: string | null; location?: string | null; phone?: string | null; profile_url?: string | null; tags?: Array<string>; timezone?: string | null; title?: string | null; website?: string | null };
export type LeadCreateByProfile = { company?: string | null; country?: string | null; custom?: Record<string, unknown>; email?: string | null; first_name?: string | null; full_name?: string | null; last_name?: string | null; location?: string | null; phone?: string | null; profile_url: string; tags?: Array<string>; timezone?: string | null; title?: string | null; website?: string | null };
export type LeadErase = { email: string };
export type LeadExport = { email: string };
export type LeadExported = { email: string; exported_at: string; sources: Array<{ is_cut: boolean; records: Array<Record<string, unknown>>; source: string }> };
export type LeadPage = { has_more: boolean; items: Array<Lead>; next_cursor: string | null };
export type LeadsActedOn = { failed: number; results: Array<{ campaign_lead_id: string; code: string | null; message: string | null; status: CampaignLeadStatus | null }>; succeeded: number };
export type LeadsAction = LeadsHold | LeadsRelease | LeadsStop | LeadsMark;
export type LeadsHold = { action: "hold"; campaign_lead_ids: Array<string>; hold_reason?: string; hold_until?: string | null };
export type LeadsMark = { action: "mark"; as: LeadsMarkAs; campaign_lead_ids: Array<string> };
export type LeadsMarkAs = "replied" | "not_replied" | "resumed";
export type LeadsRelease = { action: "release"; campaign_lead_ids: Array<string> };
export type LeadsStop = { action: "stop"; campaign_lead_ids: Array<string> };
export type ListedCampaign = Campaign & { summary?: CampaignSummary };
export type ListedCampaignPage = { has_more: boolean; items: Array<ListedCampaign>; next_cursor: string | null };
export type Liveness = { status: "ok"; timestamp: string };
export type MailAlias = { cap_today: number; created_at: string; daily_limit: number; display_name: string; domain_id: string | null; email: string; id: string; inbox: MailInboxBody; is_default: boolean; last_error: string | null; last_error_kind: MailAliasLastErrorKind | null; min_interval_seconds: number | null; oauth: MailOauthBody; ramp: Ramp; replies_return: MailAliasRepliesReturn; reply_to: string | null; sent_today: number; signature: string | null; status: MailAliasStatus; transport: MailTransportBody; updated_at: string; user_id: string; workspace_id: string };
export type MailAliasChange = { daily_limit?: number; display_name?: string; domain_id?: string | null; email?: string; inbox?: MailInbox | null; is_default?: boolean; min_interval_seconds?: number | null; oauth?: MailOauth | null; ramp?: Ramp | null; reply_to?: string | null; signature?: string | null; status?: MailAliasChangeStatus; transport?: MailTransport };
export type MailAliasChangeStatus = "active" | "paused" | "disabled";
export type MailAliasCreate = { daily_limit?: number; display_name: string; domain_id?: string | null; email: string; inbox?: MailInbox | null; is_default?: boolean; min_interval_seconds?: number | null; oauth?: MailOauth | null; ramp?: Ramp | null; reply_to?: string | null; signature?: string | null; transport?: MailTransport };
export type MailAliasLastErrorKind = "account" | "line" | "vault";
export type MailAliasPage = { has_more: boolean; items: Array<MailAlias>; next_cursor: string | null };
export type MailAliasRepliesReturn = "yes" | "no" | "unknown";
export type MailAliasStatus = "pending" | "active" | "paused" | "error" | "disabled";
export type MailAliasTest = { capabilities: Array<string>; checked_at: string; inbox?: { message: string; ok: boolean }; message: string; ok: boolean; replies_return: MailAliasTestRepliesReturn; stage: MailAliasTestStage; token_mailed_to: string | null };
export type MailAliasTestRepliesReturn = "yes" | "no" | "unknown";
export type MailAliasTestStage = "connect" | "greeting" | "tls" | "ehlo" | "auth" | "sender" | "ready";
export type MailDomain = { checked_at: string | null; created_at: string; daily_limit: number | null; dkim_public_key: string; dkim_selector: string; domain: string; failing_since: string | null; id: string; records: Array<AdvisedDomainRecord>; status: DomainStatus; updated_at: string; user_id: string; workspace_id: string };
export type MailDomainChange = { daily_limit?: number | null };
export type MailDomainCreate = { domain: string };
export type MailDomainPage = { has_more: boolean; items: Array<MailDomain>; next_cursor: string | null };
export type MailDomainVerification = { checked_at: string; domain: string; domain_id: string; failing_since: string | null; records: Array<DomainRecord | AdvisedDomainRecord>; status: DomainStatus; verified: boolean };
export type MailInbox = { folder?: string; host: string; kind: "imap"; password?: string | null; port?: number; security?: "tls"; username?: string | null };
export type MailInboxBody = { folder: string; host: string; kind: "imap"; last_error: string | null; last_read_at: string | null; port: number; security: "tls"; status: MailInboxStatus; username: string | null } | null;
export type MailInboxStatus = "pending" | "ok" | "error";
export type MailOauth = { client_id?: string | null; client_secret?: string | null; provider: MailOauthProvider; refresh_token?: string | null; token_url?: string | null };
export type MailOauthBody = { client_id: string | null; connected: boolean; provider: MailOauthProvider; token_url: string | null } | null;
export type MailOauthConsent = { provider: MailOauthConsentProvider; return_url?: string | null };
export type MailOauthConsentBegun = { authorize_url: string | null; expires_at: string };
export type MailOauthConsentProvider = "google" | "microsoft" | "other";
export type MailOauthProvider = "google" | "microsoft" | "other";
export type MailTransport = SmtpTransport | SesTransport | MailgunTransport | PostmarkTransport | ResendTransport;
export type MailTransportBody = { access_key_id?: string; domain?: string; host?: string; kind: MailTransportKind; message_stream?: string | null; port?: number; region?: string; security?: string; username?: string | null };
export type MailTransportKind = "smtp" | "ses" | "postmark" | "resend" | "mailgun";
export type MailgunTransport = { api_key?: string | null; domain: string; kind: "mailgun"; region?: MailgunTransportRegion };
export type MailgunTransportRegion = "us" | "eu";
export type Member = { email: string | null; joined_at: string; last_seen_at: string | null; name: string | null; role: MemberRole; user_id: string };
export type MemberChange = { role: MemberRole };
export type MemberPage = { has_more: boolean; items: Array<Member>; next_cursor: string | null };
export type MemberRole = "viewer" | "member" | "admin" | "owner";
export type NetworkChats = { data: { items: Array<{ account_id: string; attendee: { name: string; profile_url: string; provider_id: string }; chat_id: string; last_message: { direction: NetworkChatsDataItemsLastMessageDirection; sent_at: string; text: string } | null; unread_count: number; updated_at: string | null }>; next_cursor: string | null } | null; error: string | null; success: boolean };
export type NetworkChatsDataItemsLastMessageDirection = "in" | "out";
export type NetworkEventsReceived = { taken: number };
export type NetworkMessageOrder = { account_id?: string | null; chat_id?: string | null; identifier?: string | null; provider_id?: string | null; text: string };
export type NetworkMessageSent = { data: { chat_id: string; message_id: string; sent_at: string } | null; error: string | null; success: boolean };
export type NotificationPreferences = { email_enabled: boolean; notify_on_bounce: boolean; notify_on_complaint: boolean; notify_on_reply: boolean; personal_email: string | null; whatsapp_enabled: boolean; whatsapp_number: string | null };
export type NotificationPreferencesWish = { email_enabled?: boolean; notify_on_bounce?: boolean; notify_on_complaint?: boolean; notify_on_reply?: boolean; personal_email?: string | null; whatsapp_enabled?: boolean; whatsapp_number?: string | null };
export type PausedReason = "user_requested" | "personalization_review_pending" | "missed_schedule" | "bounce_rate_exceeded" | "complaint_rate_exceeded" | "no_sender_available" | "sender_domain_failing" | "connected_account_unavailable" | "credits_exhausted" | "personalization_failing";
export type PaymentEventReceived = { received: true };
export type PersonalizePreview = { commonality: { confidence_score: number; rarity_score: number; relevance_score: number; supporting_evidence: Array<string>; text: string }; email_body: string; latency_ms: number; model_used: string; prompt_source: PersonalizePreviewPromptSource; research_cached_at: string | null; research_chars?: number; research_from_cache?: boolean; research_latency_ms?: number; research_meta: { zero_research_reason?: PersonalizePreviewResearchMetaZeroResearchReason }; research_sources: Array<{ from_cache?: boolean; meta: Record<string, unknown>; name: PersonalizePreviewResearchSourcesName; status: ResearchStatus; summary?: string }>; subject: string };
export type PersonalizePreviewBySenderData = { custom_prompt?: string | null; dataset_id?: string | null; force_refresh_research?: boolean; lead_data: Record<string, unknown>; research_context?: string | null; row_index?: number | null; sender_data: Record<string, unknown>; sender_profile_id?: string | null };
export type PersonalizePreviewBySenderProfile = { custom_prompt?: string | null; dataset_id?: string | null; force_refresh_research?: boolean; lead_data: Record<string, unknown>; research_context?: string | null; row_index?: number | null; sender_data?: Record<string, unknown> | null; sender_profile_id: string };
export type PersonalizePreviewInput = PersonalizePreviewBySenderProfile | PersonalizePreviewBySenderData;
export type PersonalizePreviewPromptSource = "default" | "sender_profile_custom" | "custom_override";
export type PersonalizePreviewResearchMetaZeroResearchReason = "no_sources" | "blocked_by_guard" | "robots_disallowed" | "fetch_failed" | "http_error" | "not_html" | "javascript_only" | "too_short" | "provider_error" | "disabled";
export type PersonalizePreviewResearchSourcesName = "website" | "search" | "profile" | "provided";
export type PersonalizeRun = { run_id: string; total: number };
export type PersonalizeRunInput = { custom_prompt?: string | null; dataset_id: string; row_indexes?: Array<number> | null; sender_data?: { bio?: string | null; calendar_url?: string | null; company?: string | null; company_description?: string | null; custom_prompt?: string | null; full_name?: string; job_title?: string | null; language?: string; profile_url?: string | null; signature?: string | null; tone?: string | null; value_proposition?: string | null } | null; sender_profile_id?: string | null };
export type PersonalizeRunStatus = { cancelled: number; done: boolean; failed: number; generated: number; pending: number; run_id: string; running: number; skipped: number; status: PersonalizeRunStatusStatus; total: number };
export type PersonalizeRunStatusStatus = "pending" | "running" | "completed" | "cancelled";
export type PlacementTest = { campaign_id: string | null; counts: { bounced: number; inbox: number; missing: number; open: number; other: number; spam: number; unknown: number }; created_at: string; delete_after: boolean; id: string; status: PlacementTestStatus; step: number | null; subject: string };
export type PlacementTestDetail = { campaign_id: string | null; counts: { bounced: number; inbox: number; missing: number; open: number; other: number; spam: number; unknown: number }; created_at: string; delete_after: boolean; id: string; results: Array<{ alias_id: string; arrived_at: string | null; authentication: { by: string | null; dkim: PlacementTestResultsAuthenticationDkim | null; dmarc: PlacementTestResultsAuthenticationDmarc | null; spf: PlacementTestResultsAuthenticationSpf | null } | null; category: PlacementTestResultsCategory | null; copies: number; deleted: boolean | null; folder: string | null; from_email: string; note: string | null; place: PlacementTestResultsPlace | null; seconds: number | null; seed_alias_id: string; seed_email: string; sent_at: string | null; status: PlacementTestResultsStatus }>; status: PlacementTestStatus; step: number | null; subject: string };
export type PlacementTestInput = { alias_ids: Array<string>; body?: string; campaign_id?: string; campaign_lead_id?: string; delete_after?: boolean; lead_id?: string; seed_alias_ids?: Array<string>; seeds?: Array<string>; step?: number; subject?: string };
export type PlacementTestPage = { has_more: boolean; items: Array<PlacementTest>; next_cursor: string | null };
export type PlacementTestResultsAuthenticationDkim = "pass" | "fail" | "softfail" | "neutral" | "none" | "policy" | "temperror" | "permerror" | "bestguesspass";
export type PlacementTestResultsAuthenticationDmarc = "pass" | "fail" | "softfail" | "neutral" | "none" | "policy" | "temperror" | "permerror" | "bestguesspass";
export type PlacementTestResultsAuthenticationSpf = "pass" | "fail" | "softfail" | "neutral" | "none" | "policy" | "temperror" | "permerror" | "bestguesspass";
export type PlacementTestResultsCategory = "primary" | "social" | "promotions" | "updates" | "forums";
export type PlacementTestResultsPlace = "inbox" | "spam" | "other";
export type PlacementTestResultsStatus = "waiting" | "looking" | "found" | "missing" | "bounced" | "not_sent" | "unreadable" | "unknown";
export type PlacementTestStatus = "running" | "done";
export type Plan = "free" | "paid";
export type PlanCampaign = { campaign: CampaignFile; campaign_id?: string | null };
export type PlaygroundBatch = { batch_id: string; campaign_id: string; enqueued_lead_ids: Array<string>; prompt_version_hash: string; step_index: number; total: number };
export type PlaygroundBatchProgress = { batch_id: string; campaign_id: string; cancelled: number; cancelled_at: string | null; created_at: string; custom_prompt: string | null; done: boolean; failed: number; generated: number; pending: number; prompt_version_hash: string; running: number; skipped: number; step_index: number; total: number; updated_at: string };
export type PlaygroundBatchProgressPage = { has_more: boolean; items: Array<PlaygroundBatchProgress>; next_cursor: string | null };
export type PlaygroundDraft = { approved: boolean; approved_at: string | null; body: string | null; campaign_lead_id: string; claims: Array<{ end: number; kind: PlaygroundDraftClaimsKind; source_index: number | null; start: number }>; commonality: { confidence_score: number; rarity_score: number; relevance_score: number; supporting_evidence: Array<string>; text: string } | null; draft_hash: string; error: string | null; generated_at: string | null; generation_id: string; generation_latency_ms: number | null; goes_out_at: string | null; lead_id: string; lead_identity_fingerprint: string; lead_snapshot: Record<string, unknown>; model: string | null; prompt_version_hash: string; research_cache_fingerprint: string | null; research_sources: Array<{ from_cache: boolean; meta: Record<string, unknown>; name: string; status: ResearchStatus; summary: string }>; row_index: number; sender_profile_id: string | null; stale: boolean; status: DraftStatus; step_config_fingerprint: string; subject: string | null; template_id: string | null; variant_label: string | null };
export type PlaygroundDraftClaimsKind = "number" | "name" | "quote";
export type PlaygroundDrafts = { batch_id: string; campaign_id: string; done: boolean; drafts: Array<PlaygroundDraft>; prompt_version_hash: string; step_index: number; total: number };
export type PlaygroundGenerate = { campaign_lead_ids?: Array<string>; custom_prompt?: "" | string | null; n_leads?: number; step_index: number };
export type PlaygroundStatus = { batch_id: string; campaign_id: string; cancelled: number; done: boolean; failed: number; generated: number; leads: Array<{ campaign_lead_id: string; error: string | null; status: DraftStatus }>; pending: number; prompt_version_hash: string; running: number; skipped: number; step_index: number; total: number; updated_at: string };
export type PostmarkTransport = { kind: "postmark"; message_stream?: string | null; server_token?: string | null };
export type Preflight = { checks: PreflightChecks; ok: boolean };
export type PreflightChecks = Array<{ message: string; name: PreflightChecksName; ok: boolean; severity: PreflightChecksSeverity }>;
export type PreflightChecksName = "has_leads" | "aliases_active" | "alias_domain_verified" | "connected_account_ready" | "templates_exist" | "variables_resolve" | "window_valid" | "credits_sufficient" | "sender_profile" | "unsubscribe_present" | "postal_address" | "suppressed_share" | "daily_limit_vs_capacity" | "replies_return" | "open_tracking_weight" | "verification_share";
export type PreflightChecksSeverity = "error" | "warning";
export type Problem = { code: string; detail: string; errors?: Array<{ in?: string; message: string; parameter?: string; pointer?: string }>; request_id: string; status: number; title: string; type: "about:blank" } & Record<string, unknown>;
export type ProspectOptOut = { email: string; profile_url: string };
export type ProspectOptOutAsked = { message: string; success: true };
export type ProspectResults = { count: number; results: Array<{ company: string | null; full_name: string; linkedin_url: string; location: string | null; matched_tags: Array<string>; profile_url: string; score: number; tags: Array<string>; title: string | null }> };
export type ProspectSearch = { limit?: number; tags: Array<string> };
export type Ramp = { ceiling?: number; enabled: boolean; start?: number; step?: number } | null;
export type Readiness = { checks: { configuration: ReadinessChecksConfiguration; database: ReadinessChecksDatabase; migrations: ReadinessChecksMigrations }; status: ReadinessStatus; timestamp: string };
export type ReadinessChecksConfiguration = "ok" | "failed";
export type ReadinessChecksDatabase = "ok" | "failed";
export type ReadinessChecksMigrations = "ok" | "failed";
export type ReadinessStatus = "ready" | "not_ready";
export type ResearchStatus = "ok" | "empty" | "failed" | "skipped";
export type ResendTransport = { api_key?: string | null; kind: "resend" };
export type ReviewReset = { step_index?: number | null };
export type RiskLevel = "safe" | "risky" | "invalid";
export type SenderProfile = { bio: string | null; calendar_url: string | null; company: string | null; company_description: string | null; created_at: string; custom_prompt: string | null; full_name: string; id: string; is_default: boolean; job_title: string | null; language: string; name: string; profile_url: string | null; signature: string | null; tone: string | null; updated_at: string; user_id: string; value_proposition: string | null; version: number; workspace_id: string };
export type SenderProfileChange = { bio?: string | null; calendar_url?: string | null; company?: string | null; company_description?: string | null; custom_prompt?: string | null; full_name?: string; is_default?: boolean; job_title?: string | null; language?: string; name?: string; profile_url?: string | null; signature?: string | null; tone?: string | null; value_proposition?: string | null };
export type SenderProfileCreate = { bio?: string | null; calendar_url?: string | null; company?: string | null; company_description?: string | null; custom_prompt?: string | null; full_name: string; is_default?: boolean; job_title?: string | null; language?: string; name: string; profile_url?: string | null; signature?: string | null; tone?: string | null; value_proposition?: string | null };
export type SenderProfilePage = { has_more: boolean; items: Array<SenderProfile>; next_cursor: string | null };
export type SendingReasons = Array<{ code: string; message: string; until: string | null }>;
export type SendingStatus = { campaign_id: string; lead?: { alias_id: string | null; campaign_lead_id: string; email: string | null; lead_id: string; next_action_at: string | null; next_send_at: string | null; next_step: number | null; reasons: SendingReasons; status: CampaignLeadStatus }; leads: { awaiting_acceptance: number; awaiting_draft: number; awaiting_notes: number; awaiting_review: number; follow_up_due: number; held: number; in_flight: number; new_due: number; next_due_at: string | null; waiting: number }; next_send_at: string | null; paused_reason: PausedReason | null; reasons: SendingReasons; senders: Array<{ alias_id: string | null; budgets: { connections: { cap: number; used: number }; messages: { cap: number; used: number } } | null; cap_today: number; connected_account_id: string | null; email: string | null; last_action_at: string | null; name: string | null; next_send_at: string | null; reasons: SendingReasons; sent_today: number; status: string | null }>; sending: boolean; status: CampaignStatus; today: { daily_limit: number; date: string | null; max_new_leads_per_day: number | null; new_leads: number; used: number }; warnings: Array<{ message: string; name: SendingStatusWarningsName }>; window: { open: boolean; open_from: string | null; open_until: string | null; timezone: string; zones?: Array<{ follow_up_due: number; new_due: number; open: boolean; open_from: string | null; open_until: string | null; timezone: string }> } };
export type SendingStatusWarningsName = "has_leads" | "aliases_active" | "alias_domain_verified" | "connected_account_ready" | "templates_exist" | "variables_resolve" | "window_valid" | "credits_sufficient" | "sender_profile" | "unsubscribe_present" | "postal_address" | "suppressed_share" | "daily_limit_vs_capacity" | "replies_return" | "open_tracking_weight" | "verification_share";
export type SesTransport = { access_key_id: string; kind: "ses"; region: string; secret_access_key?: string | null };
export type Session = { expires_at: string | null; plan: Plan; role: SessionRole; user_id: string; via: SessionVia; workspace_id: string };
export type SessionChange = { workspace_id: string };
export type SessionCreate = { credential: string };
export type SessionRole = "viewer" | "member" | "admin" | "owner";
export type SessionVia = "login" | "key";
export type SheetAccess = { accessible: boolean; headers: Array<string>; message: string; share_with: string | null; sheets: Array<{ column_count: number; row_count: number; sheet_id: number; title: string }>; spreadsheet_id: string | null; status: SheetAccessStatus; title: string | null };
export type SheetAccessCheck = { sheet_url: string };
export type SheetAccessStatus = "ok" | "not_shared" | "not_found" | "not_a_sheet" | "provider_unavailable";
export type SheetImport = { created: number; dataset_id: string; duplicate: number; error: string | null; rejected: number; rejections: Array<{ code: string; message: string; row_index: number }>; source_url: string; started_at: string; status: DatasetStatus; total: number; updated: number; updated_at: string };
export type SignInConfig = { issuer?: string; login: boolean; paste: true };
export type SmtpTransport = { host: string; kind: "smtp"; password?: string | null; port: number; security: SmtpTransportSecurity; username?: string | null };
export type SmtpTransportSecurity = "tls" | "starttls" | "none";
export type SocialPost = { attachments: Array<Record<string, unknown>>; author_id: string | null; author_name: string | null; comments?: number; connected_account_id: string | null; created_at: string; id: string; impressions?: number; is_repost?: boolean; last_error: string | null; metrics_updated_at: string | null; published_at: string | null; reactions?: number; reposts?: number; retry_count?: number; scheduled_at: string | null; share_url: string | null; social_id: string | null; status: SocialPostStatus; text: string | null; unipile_post_id: string | null; updated_at: string; user_id: string; workspace_id: string };
export type SocialPostChange = { scheduled_at?: string; text?: string };
export type SocialPostList = { accounts: Array<ConnectedAccountOption>; has_more: boolean; items: Array<SocialPost>; next_cursor: string | null; total_count?: number };
export type SocialPostStatus = "draft" | "scheduled" | "publishing" | "published" | "failed" | "deleted";
export type StatsBy = "step" | "variant" | "alias" | "day";
export type Status = { components: { cache: Component; database: Component; facilitator: Component; ledger: Component; mailer: Component; model: Component; network: Component; outbox: Component; vault: Component; verifier: Component; workflow_engine: Component }; status: StatusStatus; timestamp: string };
export type StatusStatus = "healthy" | "degraded" | "unhealthy";
export type StepConfig = { action_type: StepConfigActionType; ai_personalization_enabled: boolean; channel: Channel; delay_days: number; experiment?: { floor: number; horizon_days: number; metric: StepConfigExperimentMetric }; message_template?: string; note_optional?: boolean; step: number; track_clicks: boolean; track_opens: boolean; variants: Array<StepVariant> };
export type StepConfigActionType = "send_email" | "connection_request" | "message" | "profile_view";
export type StepConfigExperimentMetric = "reply" | "click";
export type StepConfigInput = { action_type?: StepConfigActionType | null; ai_personalization_enabled?: boolean; channel?: Channel | null; delay_days?: number; experiment?: StepExperimentInput; message_template?: string | null; note_optional?: boolean | null; step: number; track_clicks?: boolean; track_opens?: boolean; variants?: Array<StepVariantInput> | null };
export type StepExperiment = { e_value_needed: number; floor: number; frozen_at: string | null; history: Array<{ at: string; evidence: Array<{ label: string; matured: number; opt_outs: number; probability_best: number; successes: number; vetoed: boolean }>; reason: StepExperimentHistoryReason; version: number; weights: Array<{ label: string; weight: number }> | null }>; horizon_days: number; metric: StepExperimentMetric; status: StepExperimentStatus; step: number; variants: Array<{ e_value: number; label: string; matured: number; opt_outs: number; probability_best: number; successes: number; vetoed: boolean; weight: number }>; weighed_on: string | null; winner_label: string | null };
export type StepExperimentHistoryReason = "shifted" | "vetoed" | "winner" | "arms_changed" | "frozen" | "reset";
export type StepExperimentInput = { floor?: number; horizon_days?: number; metric?: StepExperimentMetric } | null;
export type StepExperimentMetric = "reply" | "click";
export type StepExperimentStatus = "collecting" | "shifting" | "winner";
export type StepRenderInput = { campaign_lead_id?: string | null; lead_id?: string | null; steps?: Array<StepConfigInput> };
export type StepRendered = { alias_id: string | null; campaign_lead_id: string; channel: Channel; connected_account_id: string | null; from_email: string | null; html: string; links: Array<string>; profile_url: string | null; sender_profile_id: string | null; step: number; subject: string | null; template_id: string | null; text: string; text_source: TextSource; to_email: string | null; variant_label: string | null };
export type StepTestInput = { campaign_lead_id?: string | null; lead_id?: string | null; to_email: string };
export type StepTested = { from_email: string; message: string; subject: string; success: boolean; text_source: TextSource; to_email: string };
export type StepVariant = { body?: string; label: string; sender_profile_id?: string; subject?: string; template_id?: string; type: StepVariantType; weight: number };
export type StepVariantInput = TemplateVariantInput | InlineVariantInput;
export type StepVariantType = "TEMPLATE" | "INLINE";
export type StoredCampaignFile = { aliases?: Array<string> | null; connected_account?: string | null; daily_limit?: number; dataset: string; description?: "" | string | null; external_id: string | null; launch_type?: StoredCampaignFileLaunchType; max_new_leads_per_day?: number | null; min_interval_seconds?: number; name: string; send_days?: Array<Weekday> | null; sending_window_end?: string; sending_window_start?: string; start_date?: string | null; steps: Array<FileStep>; stop_on_auto_reply?: boolean; stop_on_company_reply?: boolean; stop_on_reply?: boolean; system_prompt?: string | null; timezone?: string; type?: StoredCampaignFileType; unreviewed_launch_policy?: StoredCampaignFileUnreviewedLaunchPolicy; use_lead_timezone?: boolean };
export type StoredCampaignFileLaunchType = "immediate" | "scheduled";
export type StoredCampaignFileType = "email" | "socialnet" | "mixed";
export type StoredCampaignFileUnreviewedLaunchPolicy = "launch_default" | "hold" | "cancel";
export type Suppression = { created_at: string; expires_at: string | null; id: string; kind: SuppressionKind; reason: SuppressionReason; source_campaign_id: string | null; updated_at: string; user_id: string; value: string | null; workspace_id: string };
export type SuppressionCreate = { expires_at?: string | null; kind?: SuppressionKind; reason?: "manual"; value: string };
export type SuppressionImportReport = { created: number; rejected: number; rejections: Array<{ code: string; message: string; row_index: number }>; renewed: number; total: number };
export type SuppressionKind = "email" | "domain";
export type SuppressionPage = { has_more: boolean; items: Array<Suppression>; next_cursor: string | null };
export type SuppressionReason = "hard_bounce" | "complaint" | "unsubscribe" | "manual";
export type Template = { archived_at: string | null; body: string; channel: Channel; created_at: string; format: TemplateFormat; id: string; name: string; subject: string | null; tags: Array<string>; updated_at: string; user_id: string; variables: Array<string>; version: number; workspace_id: string };
export type TemplateChange = { archived?: boolean; body?: string; channel?: Channel; format?: TemplateFormat | null; name?: string; subject?: string | null; tags?: Array<string> };
export type TemplateCreate = { body: string; channel?: Channel; format?: TemplateFormat | null; name: string; subject?: string | null; tags?: Array<string> };
export type TemplateFormat = "html" | "text";
export type TemplatePage = { has_more: boolean; items: Array<Template>; next_cursor: string | null };
export type TemplateRenderFormat = "html" | "text";
export type TemplateRenderInput = { body: string; format?: TemplateRenderFormat | null; lead_id?: string | null; subject?: string | null; values?: Record<string, string> };
export type TemplateRendered = { format: TemplateRenderedFormat; html: string; missing: Array<string>; subject: string; text: string; variables: Array<string> };
export type TemplateRenderedFormat = "html" | "text";
export type TemplateVariantInput = { body?: string | null; label?: string | null; sender_profile_id?: string | null; subject?: "" | string | null; template_id: string; type?: "TEMPLATE"; weight?: number | null };
export type TextSource = "step" | "approved" | "send_time" | "newest_draft";
export type TimelineItem = { at: string; campaign_id: string | null; conversation_id: string | null; detail: string | null; email_id: string | null; forecast: boolean; kind: TimelineItemKind; machine: boolean; step: number | null };
export type TimelineItemKind = "joined" | "sent" | "invited" | "visited" | "failed" | "unknown" | "opened" | "clicked" | "replied" | "auto_replied" | "bounced" | "soft_bounced" | "unsubscribed" | "complained" | "suppressed";
export type TimelineItemPage = { has_more: boolean; items: Array<TimelineItem>; next_cursor: string | null };
export type VerificationBackend = "smtp" | "prefilter" | "dns" | "cache";
export type VerifiedLogin = { email: string | null; expires_at: string; issuer: string; plan: Plan; role: VerifiedLoginRole; subject: string; user_id: string; valid: true; workspace_id: string };
export type VerifiedLoginRole = "viewer" | "member" | "admin" | "owner";
export type Webhook = { created_at: string; description: string | null; disabled_reason: WebhookDisabledReason | null; failing_since: string | null; id: string; last_success_at: string | null; status: WebhookStatus; types: Array<string> | null; updated_at: string; url: string; user_id: string; workspace_id: string };
export type WebhookChange = { description?: string | null; status?: WebhookChangeStatus; types?: Array<WebhookTypes> | null; url?: string };
export type WebhookChangeStatus = "active" | "paused";
export type WebhookCreate = { description?: string | null; types?: Array<WebhookTypes> | null; url: string };
export type WebhookCreated = { created_at: string; description: string | null; disabled_reason: WebhookCreatedDisabledReason | null; failing_since: string | null; id: string; last_success_at: string | null; secret: string | null; status: WebhookCreatedStatus; types: Array<string> | null; updated_at: string; url: string; user_id: string; workspace_id: string };
export type WebhookCreatedDisabledReason = "gone" | "failing";
export type WebhookCreatedStatus = "active" | "paused" | "disabled";
export type WebhookDelivery = { attempts: number; created_at: string; error: string | null; event_id: string; event_type: string; id: string; next_at: string | null; state: WebhookDeliveryState; status: number | null; updated_at: string };
export type WebhookDeliveryPage = { has_more: boolean; items: Array<WebhookDelivery>; next_cursor: string | null };
export type WebhookDeliveryState = "waiting" | "delivered" | "dead";
export type WebhookDisabledReason = "gone" | "failing";
export type WebhookPage = { has_more: boolean; items: Array<Webhook>; next_cursor: string | null };
export type WebhookReplay = { since: string; until?: string };
export type WebhookReplayed = { events: number };
export type WebhookSecret = { previous_until: string; secret: string | null };
export type WebhookStatus = "active" | "paused" | "disabled";
export type WebhookTest = { answer: string | null; delivered: boolean; error: string | null; status: number | null };
export type WebhookTypes = "campaign.*" | "experiment.*" | "campaign_lead.*" | "email.*" | "network.*" | "reply.*" | "draft.*" | "batch.*" | "placement_test.*" | "verification.*" | "dataset.*" | "account.*" | "post.*" | "domain.*" | "alias.*" | "credits.*" | "purchase.*" | "webhook.*" | "key.*" | "campaign.created" | "campaign.changed" | "campaign.scheduled" | "campaign.unscheduled" | "campaign.launching" | "campaign.launched" | "campaign.failed" | "campaign.launch_held" | "campaign.launch_cancelled" | "campaign.paused" | "campaign.resumed" | "campaign.draining" | "campaign.completed" | "campaign.reopened" | "campaign.reset" | "campaign.deleted" | "experiment.changed" | "experiment.winner" | "campaign_lead.held" | "campaign_lead.released" | "campaign_lead.reopened" | "campaign_lead.completed" | "campaign_lead.replied" | "campaign_lead.bounced" | "campaign_lead.unsubscribed" | "campaign_lead.complained" | "campaign_lead.stopped" | "campaign_lead.skipped" | "campaign_lead.failed" | "email.queued" | "email.sent" | "email.deferred" | "email.rejected" | "email.bounced" | "email.complained" | "email.opened" | "email.clicked" | "email.unsubscribed" | "email.suppressed" | "email.cancelled" | "email.unknown" | "email.failed" | "network.invited" | "network.messaged" | "network.viewed" | "network.connected" | "reply.received" | "reply.auto_received" | "draft.generated" | "draft.failed" | "draft.approved" | "draft.unapproved" | "batch.done" | "batch.cancelled" | "placement_test.completed" | "verification.done" | "verification.failed" | "dataset.imported" | "dataset.import_failed" | "dataset.verified" | "dataset.verification_cancelled" | "account.connected" | "account.checkpoint" | "account.disconnected" | "account.rate_limited" | "account.error" | "post.scheduled" | "post.published" | "post.failed" | "post.deleted" | "domain.verified" | "domain.failing" | "alias.error" | "alias.recovered" | "alias.inbox_failing" | "credits.purchased" | "credits.refunded" | "credits.disputed" | "credits.low" | "credits.exhausted" | "purchase.failed" | "purchase.expired" | "webhook.disabled" | "key.created" | "key.revoked";
export type Weekday = "mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun";
export type WhatsappWebhookReceived = { statuses: number };
export type Workspace = { created_at: string; id: string; name: string; postal_address: string | null; timezone: string; updated_at: string; user_id: string; workspace_id: string };
export type WorkspaceChange = { name?: string; postal_address?: string | null; timezone?: string };
export type WorkspaceForecast = { assumes: Array<string>; days: Array<{ campaigns: Array<{ campaign_id: string; sends: number }>; date: string; follow_ups: number; new_leads: number; sends: number }>; exact: boolean; generated_at: string; reasons: SendingReasons; timezone: string; until: string };
export type WorkspaceStats = { by: WorkspaceStatsBy; from: string; rows: Array<{ auto_replied: number; bounced: number; clicked: number; complained: number; first_messages: number; follow_ups: number; key: string; opened: number; replied: number; sent: number; soft_bounced: number; unsubscribed: number }>; timezone: string; to: string };
export type WorkspaceStatsBy = "day" | "hour" | "campaign" | "alias" | "domain";

export interface Operations {
  /** Accept an invitation, with the login that was invited */
  acceptInvitation: { params: { token: string }; answer: InvitationAccepted };
  /** Hold, release, stop or mark up to 500 leads of a campaign */
  actOnCampaignLeads: { params: { campaign_id: string }; body: LeadsAction; answer: LeadsActedOn };
  /** Add leads of any dataset to a campaign; a completed one becomes active */
  addCampaignLeads: { params: { campaign_id: string }; body: CampaignLeadsAddition; answer: CampaignLeadsAdded };
  /** Answer a checkpoint by its code */
  answerCheckpoint: { body: CheckpointCode; answer: CheckpointAnswered };
  /** Answer a conversation */
  answerConversation: { params: { conversation_id: string }; body: ConversationReply; answer: ConversationReplied };
  /** Liveness; touches no dependency */
  apiHealth: { answer: Liveness };
  /** Do what a plan said; nothing is sent unless `launch` says so */
  applyPlan: { body: ApplyPlan; answer: AppliedPlan };
  /** Approve what an agent wants to send */
  approveConfirmation: { params: { confirmation_id: string }; answer: Confirmation };
  /** Approve the text of a lead's step, as it is or edited */
  approveDraft: { params: { campaign_id: string; campaign_lead_id: string }; body: DraftApproval; answer: DraftReview };
  /** Approve drafts of a batch as they are */
  approvePlaygroundBatch: { params: { campaign_id: string }; body: DraftBulkApproval; answer: DraftBulkApproved };
  /** Write a text for each lead of a dataset */
  beginPersonalizeRun: { body: PersonalizeRunInput; answer: PersonalizeRun };
  /** Send a message to mailboxes of your own, to see where they file it */
  beginPlacementTest: { body: PlacementTestInput; answer: PlacementTestDetail };
  /** Sign in to the console by a key or a login token */
  beginSession: { body: SessionCreate; answer: Session };
  /** Cancel the verification of a dataset, and give back what it holds */
  cancelDatasetVerification: { params: { dataset_id: string }; answer: Deleted };
  /** Cancel an email that has not begun to leave */
  cancelEmail: { params: { email_id: string }; answer: Email };
  /** Cancel what of a batch is not begun, and give its credits back */
  cancelPlaygroundBatch: { params: { campaign_id: string; batch_id: string }; answer: PlaygroundBatchProgress };
  /** Change what the campaign's status lets change */
  changeCampaign: { params: { campaign_id: string }; body: CampaignChange; answer: Campaign };
  /** Change an account's limits, or make it the default */
  changeConnectedAccount: { params: { account_id: string }; body: ConnectedAccountChange; answer: ConnectedAccount };
  /** Say what a conversation is, and whether it is done or snoozed */
  changeConversation: { params: { conversation_id: string }; body: ConversationChange; answer: Conversation };
  /** Rename a dataset, or set the column mapping of its next imports */
  changeDataset: { params: { dataset_id: string }; body: DatasetChange; answer: Dataset };
  /** Change a lead; null clears a field */
  changeLead: { params: { dataset_id: string; lead_id: string }; body: LeadChange; answer: Lead };
  /** Change a mail alias; new credentials make one in error active again */
  changeMailAlias: { params: { alias_id: string }; body: MailAliasChange; answer: MailAlias };
  /** Change what a member may do */
  changeMember: { params: { user_id: string }; body: MemberChange; answer: Member };
  /** Change a sender profile */
  changeSenderProfile: { params: { sender_profile_id: string }; body: SenderProfileChange; answer: SenderProfile };
  /** Change text or time of a post that is still scheduled */
  changeSocialPost: { params: { post_id: string }; body: SocialPostChange; answer: SocialPost };
  /** Change, archive or restore a template */
  changeTemplate: { params: { template_id: string }; body: TemplateChange; answer: Template };
  /** Change a webhook, pause it, or let it go on */
  changeWebhook: { params: { webhook_id: string }; body: WebhookChange; answer: Webhook };
  /** Change the workspace */
  changeWorkspace: { body: WorkspaceChange; answer: Workspace };
  /** Go on in another workspace of this login */
  chooseWorkspace: { body: SessionChange; answer: Session };
  /** Connect an account of a professional network */
  connectAccount: { body: AccountConnect; answer: AccountConnected };
  /** Begin to connect a domain with Google's Postmaster Tools */
  connectDomainPostmaster: { params: { domain_id: string }; body: DomainPostmasterConsent; answer: MailOauthConsentBegun };
  /** Begin to connect the mailbox of an alias by OAuth */
  connectMailAlias: { params: { alias_id: string }; body: MailOauthConsent; answer: MailOauthConsentBegun };
  /** Count the leads of a campaign by where they stand */
  countCampaignLeads: { params: { campaign_id: string }; query?: { fields?: string }; answer: CampaignLeadCounts };
  /** Count conversations by state and by class */
  countConversations: { query?: { fields?: string }; answer: ConversationCounts };
  /** Create an API key */
  createApiKey: { body: ApiKeyCreate; answer: ApiKeyCreated };
  /** Create a campaign as a draft; nothing is sent before it is launched */
  createCampaign: { body: CampaignCreate; answer: Campaign };
  /** Create an empty dataset */
  createDataset: { body: DatasetCreate; answer: Dataset };
  /** Add a lead behind the last row */
  createLead: { params: { dataset_id: string }; body: LeadCreate; answer: Lead };
  /** Create a mail alias; the first becomes the default */
  createMailAlias: { body: MailAliasCreate; answer: MailAlias };
  /** Add a domain to send from, with a DKIM key of its own */
  createMailDomain: { body: MailDomainCreate; answer: MailDomain };
  /** Create a sender profile; the first becomes the default */
  createSenderProfile: { body: SenderProfileCreate; answer: SenderProfile };
  /** Publish a post from a connected account, now or later */
  createSocialPost: { body: FormData; answer: SocialPost };
  /** Suppress an address or a domain; repeating it renews it */
  createSuppression: { body: SuppressionCreate; answer: Suppression };
  /** Create a template */
  createTemplate: { body: TemplateCreate; answer: Template };
  /** Create a webhook */
  createWebhook: { body: WebhookCreate; answer: WebhookCreated };
  /** Decline what an agent wants to send */
  declineConfirmation: { params: { confirmation_id: string }; answer: Confirmation };
  /** Delete a campaign that is draft, paused, completed or failed */
  deleteCampaign: { params: { campaign_id: string }; answer: Deleted };
  /** Delete an account that no campaign under way uses, and end its session */
  deleteConnectedAccount: { params: { account_id: string }; answer: Deleted };
  /** Delete a dataset and its leads, unless a campaign under way uses it */
  deleteDataset: { params: { dataset_id: string }; answer: Deleted };
  /** Delete a lead and stop it in every campaign */
  deleteLead: { params: { dataset_id: string; lead_id: string }; answer: Deleted };
  /** Delete a mail alias that no campaign under way sends from */
  deleteMailAlias: { params: { alias_id: string }; answer: Deleted };
  /** Delete a domain that no mail alias uses */
  deleteMailDomain: { params: { domain_id: string }; answer: Deleted };
  /** Delete a placement test; what has not left does not leave any more */
  deletePlacementTest: { params: { placement_test_id: string }; answer: Deleted };
  /** Delete a sender profile that no campaign under way uses */
  deleteSenderProfile: { params: { sender_profile_id: string }; answer: Deleted };
  /** Delete a post from our records */
  deleteSocialPost: { params: { post_id: string }; answer: Deleted };
  /** Allow mail again */
  deleteSuppression: { params: { suppression_id: string }; answer: Deleted };
  /** Delete a template that no campaign under way uses */
  deleteTemplate: { params: { template_id: string }; answer: Deleted };
  /** Delete a webhook */
  deleteWebhook: { params: { webhook_id: string }; answer: Deleted };
  /** Delete the workspace */
  deleteWorkspace: { answer: Deleted };
  /** Forget the access to a domain's figures at Google */
  disconnectDomainPostmaster: { params: { domain_id: string }; answer: Deleted };
  /** Note that the playground need not be pointed out again */
  dismissPlaygroundDiscovery: { params: { campaign_id: string }; answer: Campaign };
  /** Start no further leads; those that started get their remaining steps */
  drainCampaign: { params: { campaign_id: string }; answer: Campaign };
  /** Make a draft with the same configuration */
  duplicateCampaign: { params: { campaign_id: string }; answer: Campaign };
  /** Let a webhook go on that was disabled or rests */
  enableWebhook: { params: { webhook_id: string }; answer: Webhook };
  /** Sign out of the console */
  endSession: { answer: Deleted };
  /** Forget a person everywhere */
  eraseLead: { body: LeadErase; answer: Deleted };
  /** Why a campaign, its senders or one lead do not send now, and when they will */
  explainSending: { params: { campaign_id: string }; query?: { lead_id?: string; fields?: string }; answer: SendingStatus };
  /** Export where each lead of a campaign stands, as CSV */
  exportCampaignLeads: { params: { campaign_id: string }; answer: string };
  /** All that is kept of a person, as one file */
  exportLead: { body: LeadExport; answer: LeadExported };
  /** Export the leads as CSV */
  exportLeads: { params: { dataset_id: string }; answer: string };
  /** Export suppressed addresses and domains as CSV */
  exportSuppressions: { answer: string };
  /** Find somebody's address at a domain */
  findEmail: { body: FindEmail; answer: FoundEmail };
  /** Get a lead of any dataset */
  findLead: { params: { lead_id: string }; query?: { fields?: string }; answer: Lead };
  /** Find leads in all datasets */
  findLeads: { query: { cursor?: string; limit?: number; q: string; fields?: string }; answer: LeadPage };
  /** Find somebody's public profile */
  findProfile: { body: FindProfile; answer: FoundProfiles };
  /** What will be sent, when, from which alias, message by message */
  forecastCampaign: { params: { campaign_id: string }; query?: { days?: number; lead_id?: string; offset?: number; limit?: number; fields?: string }; answer: Forecast };
  /** What all running campaigns will send together, day by day */
  forecastWorkspace: { query?: { days?: number; fields?: string }; answer: WorkspaceForecast };
  /** Let the weights of a step's variants stay as they are */
  freezeCampaignExperiment: { params: { campaign_id: string; step: number }; answer: StepExperiment };
  /** Generate drafts of a step for the first leads that have none approved */
  generatePlaygroundDrafts: { params: { campaign_id: string }; body: PlaygroundGenerate; answer: PlaygroundBatch };
  /** What needs you now, the worst first */
  getAttention: { query?: { fields?: string }; answer: Attention };
  /** Get a campaign */
  getCampaign: { params: { campaign_id: string }; query?: { include?: string; fields?: string }; answer: CampaignInFull };
  /** See what a campaign's experiments show, and each change of their weights with its evidence */
  getCampaignExperiments: { params: { campaign_id: string }; query?: { fields?: string }; answer: CampaignExperiments };
  /** Get one lead of a campaign */
  getCampaignLead: { params: { campaign_id: string; campaign_lead_id: string }; query?: { fields?: string }; answer: CampaignLead };
  /** Count a campaign's messages by step, variant, alias or day */
  getCampaignStats: { params: { campaign_id: string }; query?: { by?: StatsBy; fields?: string }; answer: CampaignStats };
  /** Opens and clicks of a campaign, by people */
  getClickStats: { params: { campaign_id: string }; query?: { fields?: string }; answer: ClickStats };
  /** Get a connected account */
  getConnectedAccount: { params: { account_id: string }; query?: { fields?: string }; answer: ConnectedAccount };
  /** Get a conversation with all that was sent and received in it */
  getConversation: { params: { conversation_id: string }; query?: { fields?: string }; answer: ConversationDetail };
  /** Get the credit balance */
  getCreditBalance: { query?: { fields?: string }; answer: CreditBalance };
  /** The current user; with an API key, the one who created it */
  getCurrentUser: { query?: { fields?: string }; answer: CurrentUser };
  /** Get a dataset */
  getDataset: { params: { dataset_id: string }; query?: { fields?: string }; answer: Dataset };
  /** Get a dataset's last verification, or the one under way */
  getDatasetVerification: { params: { dataset_id: string }; query?: { cursor?: string; limit?: number; fields?: string }; answer: DatasetVerification };
  /** Whether a domain's mail keeps the rules of Google, Yahoo and Microsoft for bulk senders */
  getDomainHealth: { params: { domain_id: string }; query?: { fields?: string }; answer: DomainHealth };
  /** How receiving operators take a domain's mail: accepted, put off, refused, placed */
  getDomainOperators: { params: { domain_id: string }; query?: { days?: number; fields?: string }; answer: DomainOperators };
  /** What Gmail says of a domain's mail: spam rate, authentication, delivery errors */
  getDomainPostmaster: { params: { domain_id: string }; query?: { days?: number; fields?: string }; answer: DomainPostmaster };
  /** What receivers report of a domain: who sends in its name, what passes, what to do next */
  getDomainReports: { params: { domain_id: string }; query?: { days?: number; fields?: string }; answer: DomainReports };
  /** Get an email with its opens and clicks */
  getEmail: { params: { email_id: string }; query?: { fields?: string }; answer: EmailDetail };
  /** Get the verification of an email address */
  getEmailVerification: { params: { job_id: string }; query?: { fields?: string }; answer: EmailVerification };
  /** Get a lead */
  getLead: { params: { dataset_id: string; lead_id: string }; query?: { fields?: string }; answer: Lead };
  /** What happened with a lead, and what will */
  getLeadTimeline: { params: { lead_id: string }; query?: { cursor?: string; limit?: number; days?: number; fields?: string }; answer: TimelineItemPage };
  /** Get a mail alias */
  getMailAlias: { params: { alias_id: string }; query?: { fields?: string }; answer: MailAlias };
  /** Get a mail domain and the records to publish for it */
  getMailDomain: { params: { domain_id: string }; query?: { fields?: string }; answer: MailDomain };
  /** Get a message's HTML as a page for a sandboxed frame */
  getMessageHtml: { params: { conversation_id: string; message_id: string }; query?: { images?: "true" | "false" }; answer: string };
  /** Get what you are told, and where */
  getNotificationPreferences: { query?: { fields?: string }; answer: NotificationPreferences };
  /** Get a placement test with what was seen of each mail */
  getPlacementTest: { params: { placement_test_id: string }; query?: { fields?: string }; answer: PlacementTestDetail };
  /** Get every draft of a batch, in full */
  getPlaygroundDrafts: { params: { campaign_id: string }; query: { batch_id: string; fields?: string }; answer: PlaygroundDrafts };
  /** Get how far a batch of drafts is */
  getPlaygroundStatus: { params: { campaign_id: string }; query: { batch_id: string; fields?: string }; answer: PlaygroundStatus };
  /** Get an incoming message as it was received */
  getRawMessage: { params: { conversation_id: string; message_id: string }; answer: string };
  /** How far a run is */
  getRun: { params: { run_id: string }; query?: { fields?: string }; answer: PersonalizeRunStatus };
  /** Get a sender profile */
  getSenderProfile: { params: { sender_profile_id: string }; query?: { fields?: string }; answer: SenderProfile };
  /** Who is signed in, by what, and until when */
  getSession: { query?: { fields?: string }; answer: Session };
  /** Get the dataset's last import of a sheet, or the one under way */
  getSheetImport: { params: { dataset_id: string }; query?: { fields?: string }; answer: SheetImport };
  /** How people sign in to the console here */
  getSignInConfig: { answer: SignInConfig };
  /** Get a post with its counters */
  getSocialPost: { params: { post_id: string }; query?: { fields?: string }; answer: SocialPost };
  /** Count the messages of all campaigns by day, hour, campaign, alias or domain */
  getStats: { query?: { by?: "day" | "hour" | "campaign" | "alias" | "domain"; from?: string; to?: string; fields?: string }; answer: WorkspaceStats };
  /** Get a suppression */
  getSuppression: { params: { suppression_id: string }; query?: { fields?: string }; answer: Suppression };
  /** Get a template */
  getTemplate: { params: { template_id: string }; query?: { fields?: string }; answer: Template };
  /** Get a webhook */
  getWebhook: { params: { webhook_id: string }; query?: { fields?: string }; answer: Webhook };
  /** Get the workspace */
  getWorkspace: { query?: { fields?: string }; answer: Workspace };
  /** Send nothing to a lead for now */
  holdCampaignLead: { params: { campaign_id: string; campaign_lead_id: string }; body: CampaignLeadHold; answer: CampaignLead };
  /** Import leads from a CSV file, a list, a Google sheet or the prospect pool */
  importLeads: { params: { dataset_id: string }; query?: { dry_run?: "true" | "false" }; body: { mapping?: ColumnMapping; rows: Array<Record<string, unknown>> } | { gid?: number; mapping?: ColumnMapping; sheet_url: string } | { limit?: number; prospect_tags: Array<string> } | FormData; answer: ImportTrial | ImportReport | SheetImport };
  /** Suppress many addresses and domains, from a CSV file or a list */
  importSuppressions: { body: { items: Array<{ expires_at?: string | null; kind?: string | null; reason?: string | null; value: string }> } | FormData; answer: SuppressionImportReport };
  /** Invite somebody by email */
  invite: { body: InvitationCreate; answer: InvitationCreated };
  /** Launch a campaign, at once or at its start date */
  launchCampaign: { params: { campaign_id: string }; answer: LaunchedCampaign };
  /** List API keys, newest first; revoked ones stay listed */
  listApiKeys: { query?: { cursor?: string; limit?: number }; answer: ApiKeyPage };
  /** List the leads of a campaign, as a rule in dataset order */
  listCampaignLeads: { params: { campaign_id: string }; query?: { cursor?: string; limit?: number; status?: CampaignLeadStatus; held?: "true" | "false"; q?: string; order?: "row_index" | "-row_index" | "-updated_at"; fields?: string }; answer: CampaignLeadPage };
  /** List what a campaign sent, the earliest first, with what came of each */
  listCampaignMessages: { params: { campaign_id: string }; query?: { cursor?: string; limit?: number; date?: string; fields?: string }; answer: CampaignMessagePage };
  /** List campaigns, newest first */
  listCampaigns: { query?: { name?: "" | string; status?: CampaignStatus; external_id?: string; include?: string; cursor?: string; limit?: number; fields?: string }; answer: ListedCampaignPage };
  /** List what agents want to send and a person has to confirm, the oldest first */
  listConfirmations: { query?: { cursor?: string; limit?: number; fields?: string }; answer: ConfirmationPage };
  /** List connected accounts */
  listConnectedAccounts: { query?: { cursor?: string; limit?: number; fields?: string }; answer: ConnectedAccountPage };
  /** List conversations, the latest first */
  listConversations: { query?: { cursor?: string; limit?: number; unread?: "true" | "false"; lead_id?: string; campaign_id?: string; intent?: "interested" | "not_now" | "not_interested" | "referral" | "question" | "unclear"; class?: "reply" | "possible_opt_out" | "out_of_office" | "auto_reply" | "challenge" | "left_company" | "automated"; writer?: "person" | "machine"; state?: "open" | "done" | "snoozed"; q?: string; fields?: string }; answer: ConversationPage };
  /** List the entries of the credit ledger, newest first */
  listCreditEntries: { query?: { cursor?: string; limit?: number; fields?: string }; answer: CreditEntryPage };
  /** List the credit packs and what credits pay for */
  listCreditPacks: { query?: { cursor?: string; limit?: number; fields?: string }; answer: CreditPackPage };
  /** List datasets, newest first */
  listDatasets: { query?: { cursor?: string; limit?: number; fields?: string }; answer: DatasetPage };
  /** List emails sent through the API, newest first */
  listEmails: { query?: { cursor?: string; limit?: number; status?: EmailStatus; alias_id?: string; campaign_id?: string; to_email?: string; fields?: string }; answer: EmailPage };
  /** Read what happened, in order */
  listEvents: { query?: { after?: string; before?: string; actor?: string; types?: string; campaign_id?: string; limit?: number; fields?: string }; answer: Events };
  /** Who was invited and has not come yet */
  listInvitations: { query?: { cursor?: string; limit?: number; fields?: string }; answer: InvitationPage };
  /** The workspaces that this login is a member of */
  listJoinedWorkspaces: { answer: JoinedWorkspaces };
  /** List the leads of a dataset in row order */
  listLeads: { params: { dataset_id: string }; query?: { cursor?: string; limit?: number; fields?: string }; answer: LeadPage };
  /** List mail aliases */
  listMailAliases: { query?: { cursor?: string; limit?: number; fields?: string }; answer: MailAliasPage };
  /** List mail domains */
  listMailDomains: { query?: { cursor?: string; limit?: number; fields?: string }; answer: MailDomainPage };
  /** Who works in the workspace, and as what */
  listMembers: { query?: { cursor?: string; limit?: number; fields?: string }; answer: MemberPage };
  /** List the chats of a connected account, the latest first */
  listNetworkChats: { query?: { account_id?: string; cursor?: string; limit?: number; fields?: string }; answer: NetworkChats };
  /** List placement tests, newest first */
  listPlacementTests: { query?: { cursor?: string; limit?: number; fields?: string }; answer: PlacementTestPage };
  /** List a campaign's batches of drafts, newest first */
  listPlaygroundBatches: { params: { campaign_id: string }; query?: { cursor?: string; limit?: number; fields?: string }; answer: PlaygroundBatchProgressPage };
  /** List what became of a run's leads so far */
  listRunLeads: { params: { run_id: string }; query?: { offset?: number; limit?: number; fields?: string }; answer: GenerationRunLeads };
  /** List sender profiles */
  listSenderProfiles: { query?: { cursor?: string; limit?: number; fields?: string }; answer: SenderProfilePage };
  /** List posts, newest first, and the accounts that can publish */
  listSocialPosts: { query?: { connected_account_id?: string; cursor?: string; limit?: number; fields?: string }; answer: SocialPostList };
  /** List suppressed addresses and domains */
  listSuppressions: { query?: { cursor?: string; limit?: number; kind?: SuppressionKind; reason?: SuppressionReason; value?: string; q?: string; fields?: string }; answer: SuppressionPage };
  /** List templates */
  listTemplates: { query?: { archived?: "true" | "false"; cursor?: string; limit?: number; fields?: string }; answer: TemplatePage };
  /** List what did not get through at once, or was sent again; the newest first */
  listWebhookDeliveries: { params: { webhook_id: string }; query?: { cursor?: string; limit?: number; state?: "waiting" | "delivered" | "dead"; fields?: string }; answer: WebhookDeliveryPage };
  /** List webhooks */
  listWebhooks: { query?: { cursor?: string; limit?: number; fields?: string }; answer: WebhookPage };
  /** Mark a lead as replied, as not replied after all, or let an ended one go on */
  markCampaignLead: { params: { campaign_id: string; campaign_lead_id: string }; body: CampaignLeadMark; answer: CampaignLead };
  /** Ask to be taken out of the shared prospect pool */
  optOutOfProspects: { body: ProspectOptOut; answer: ProspectOptOutAsked };
  /** Pause a campaign: nothing begins to be sent any more */
  pauseCampaign: { params: { campaign_id: string }; answer: Campaign };
  /** What applying a campaign's file would change, whom it affects, and what would be sent */
  planCampaign: { body: PlanCampaign; answer: CampaignPlan };
  /** What a launch would lack, and what it would warn of */
  preflightCampaign: { params: { campaign_id: string }; query?: { fields?: string }; answer: Preflight };
  /** Write one email for one lead, while you wait */
  previewPersonalization: { body: PersonalizePreviewInput; answer: PersonalizePreview };
  /** Open a page on which a pack of credits is paid */
  purchaseCredits: { body: CreditPurchaseOrder; answer: CreditPurchase };
  /** Mark a conversation as read */
  readConversation: { params: { conversation_id: string }; answer: Done };
  /** Readiness: configuration, database and migrations */
  ready: { answer: Readiness };
  /** Take in one raw mail from a relay */
  receiveInboundMail: { body: string; answer: InboundReceived };
  /** Take in what the network's provider says of accounts, messages and connections */
  receiveNetworkEvents: { body: Record<string, unknown>; answer: NetworkEventsReceived };
  /** Take in one event of the payment provider */
  receivePaymentEvent: { body: Record<string, unknown>; answer: PaymentEventReceived };
  /** Take in what WhatsApp says of messages sent */
  receiveWhatsappEvents: { body: Record<string, unknown>; answer: WhatsappWebhookReceived };
  /** Connect an account again that is disconnected or in error */
  reconnectAccount: { params: { account_id: string }; body: AccountReconnect; answer: AccountConnected };
  /** Send an event again */
  redeliverWebhook: { params: { webhook_id: string; delivery_id: string }; answer: WebhookDelivery };
  /** End the hold of a lead */
  releaseCampaignLead: { params: { campaign_id: string; campaign_lead_id: string }; answer: CampaignLead };
  /** Take a member out, or leave */
  removeMember: { params: { user_id: string }; answer: Deleted };
  /** Show a step as one lead will get it, to the letter */
  renderCampaignStep: { params: { campaign_id: string; step: number }; body: StepRenderInput; answer: StepRendered };
  /** Show a text that is being written as a lead would get it */
  renderTemplate: { body: TemplateRenderInput; answer: TemplateRendered };
  /** Say what you want to be told, and where */
  replaceNotificationPreferences: { body: NotificationPreferencesWish; answer: NotificationPreferences };
  /** Send a webhook again what it was sent before */
  replayWebhook: { params: { webhook_id: string }; body: WebhookReplay; answer: WebhookReplayed };
  /** Make a campaign whose launch failed a draft again */
  resetCampaign: { params: { campaign_id: string }; answer: Campaign };
  /** Begin a step's experiment anew, as if nothing had been sent */
  resetCampaignExperiment: { params: { campaign_id: string; step: number }; answer: StepExperiment };
  /** Take back a lead's approvals, of one step or of all that were not sent */
  resetDraftReview: { params: { campaign_id: string; campaign_lead_id: string }; body: ReviewReset; answer: DraftReview };
  /** Resume a paused or draining campaign once what paused it is cured */
  resumeCampaign: { params: { campaign_id: string }; answer: Campaign };
  /** Revoke an API key, at once and for good */
  revokeApiKey: { params: { api_key_id: string }; answer: Deleted };
  /** Sign out everywhere */
  revokeSessions: { answer: Deleted };
  /** Give a webhook a new secret */
  rotateWebhookSecret: { params: { webhook_id: string }; answer: WebhookSecret };
  /** Search the shared prospect pool by tags */
  searchProspects: { body: ProspectSearch; answer: ProspectResults };
  /** Send a step to yourself, at once; it counts nowhere */
  sendCampaignStepTest: { params: { campaign_id: string; step: number }; body: StepTestInput; answer: StepTested };
  /** Send one email, now or later */
  sendEmail: { body: EmailSend; answer: Email };
  /** Send up to 100 emails, now or later */
  sendEmails: { body: EmailBatch; answer: EmailBatchSent };
  /** Say something to somebody on the network, at once */
  sendNetworkMessage: { body: NetworkMessageOrder; answer: NetworkMessageSent };
  /** Condition of each component; 503 when the service cannot work */
  status: { answer: Status };
  /** Condition of each component; 503 when the service cannot work */
  statusAsSpecified: { answer: Status };
  /** End a lead in this campaign */
  stopCampaignLead: { params: { campaign_id: string; campaign_lead_id: string }; answer: CampaignLead };
  /** Test the account, and whether replies come back */
  testMailAlias: { params: { alias_id: string }; answer: MailAliasTest };
  /** Send a webhook a test event, and see what it answers */
  testWebhook: { params: { webhook_id: string }; answer: WebhookTest };
  /** Take the approval of a lead's step back */
  unapproveDraft: { params: { campaign_id: string; campaign_lead_id: string }; body: DraftUnapproval; answer: DraftReview };
  /** Take a scheduled launch back; the campaign is a draft again */
  unscheduleCampaign: { params: { campaign_id: string }; answer: Campaign };
  /** Limit how much all aliases of a domain send in a day */
  updateMailDomain: { params: { domain_id: string }; body: MailDomainChange; answer: MailDomain };
  /** Verify every address of a dataset */
  verifyDataset: { params: { dataset_id: string }; answer: DatasetVerification };
  /** Verify an email address */
  verifyEmail: { body: EmailVerify; answer: EmailVerification };
  /** Check a login token */
  verifyLogin: { answer: VerifiedLogin };
  /** Look for the domain's records in DNS */
  verifyMailDomain: { params: { domain_id: string }; answer: MailDomainVerification };
  /** Check whether a Google sheet can be read, and what is in it */
  verifySheetAccess: { body: SheetAccessCheck; answer: SheetAccess };
  /** Prove to WhatsApp that the webhook is ours */
  verifyWhatsappWebhook: { query: { "hub.mode": "subscribe"; "hub.verify_token": string; "hub.challenge": string }; answer: string };
  /** Withdraw an invitation; its link ends */
  withdrawInvitation: { params: { invitation_id: string }; answer: Deleted };
}

/** Path, and the method where it is no GET; behind `!` it is sent with an Idempotency-Key. A path with a slash before it is of no version. */
export const operations: Record<keyof Operations, string> = {
  acceptInvitation: "invitations/{token}/accept POST!",
  actOnCampaignLeads: "campaigns/{campaign_id}/lead-actions POST",
  addCampaignLeads: "campaigns/{campaign_id}/leads POST!",
  answerCheckpoint: "connected-accounts/checkpoint POST!",
  answerConversation: "conversations/{conversation_id}/reply POST!",
  apiHealth: "health",
  applyPlan: "campaigns/apply POST!",
  approveConfirmation: "confirmations/{confirmation_id}/approve POST!",
  approveDraft: "campaigns/{campaign_id}/leads/{campaign_lead_id}/approve POST",
  approvePlaygroundBatch: "campaigns/{campaign_id}/playground/approve POST",
  beginPersonalizeRun: "personalize POST!",
  beginPlacementTest: "mailer/placement-tests POST!",
  beginSession: "auth/session POST",
  cancelDatasetVerification: "email-verification/dataset/{dataset_id} DELETE",
  cancelEmail: "mailer/emails/{email_id} DELETE",
  cancelPlaygroundBatch: "campaigns/{campaign_id}/playground/batches/{batch_id}/cancel POST",
  changeCampaign: "campaigns/{campaign_id} PATCH",
  changeConnectedAccount: "connected-accounts/{account_id} PATCH",
  changeConversation: "conversations/{conversation_id} PATCH",
  changeDataset: "datasets/{dataset_id} PATCH",
  changeLead: "datasets/{dataset_id}/leads/{lead_id} PATCH",
  changeMailAlias: "mailer/aliases/{alias_id} PATCH",
  changeMember: "workspace/members/{user_id} PATCH",
  changeSenderProfile: "sender-profiles/{sender_profile_id} PATCH",
  changeSocialPost: "socialnet/posts/{post_id} PATCH",
  changeTemplate: "templates/{template_id} PATCH",
  changeWebhook: "webhooks/{webhook_id} PATCH",
  changeWorkspace: "workspace PATCH",
  chooseWorkspace: "auth/session PATCH",
  connectAccount: "connected-accounts/connect POST!",
  connectDomainPostmaster: "mailer/domains/{domain_id}/postmaster POST",
  connectMailAlias: "mailer/aliases/{alias_id}/oauth POST",
  countCampaignLeads: "campaigns/{campaign_id}/lead-counts",
  countConversations: "conversations/counts",
  createApiKey: "api-keys POST!",
  createCampaign: "campaigns/ POST!",
  createDataset: "datasets POST!",
  createLead: "datasets/{dataset_id}/leads POST!",
  createMailAlias: "mailer/aliases POST!",
  createMailDomain: "mailer/domains POST!",
  createSenderProfile: "sender-profiles/ POST!",
  createSocialPost: "socialnet/posts/ POST!",
  createSuppression: "suppressions POST!",
  createTemplate: "templates POST!",
  createWebhook: "webhooks POST!",
  declineConfirmation: "confirmations/{confirmation_id}/decline POST!",
  deleteCampaign: "campaigns/{campaign_id} DELETE",
  deleteConnectedAccount: "connected-accounts/{account_id} DELETE",
  deleteDataset: "datasets/{dataset_id} DELETE",
  deleteLead: "datasets/{dataset_id}/leads/{lead_id} DELETE",
  deleteMailAlias: "mailer/aliases/{alias_id} DELETE",
  deleteMailDomain: "mailer/domains/{domain_id} DELETE",
  deletePlacementTest: "mailer/placement-tests/{placement_test_id} DELETE",
  deleteSenderProfile: "sender-profiles/{sender_profile_id} DELETE",
  deleteSocialPost: "socialnet/posts/{post_id} DELETE",
  deleteSuppression: "suppressions/{suppression_id} DELETE",
  deleteTemplate: "templates/{template_id} DELETE",
  deleteWebhook: "webhooks/{webhook_id} DELETE",
  deleteWorkspace: "workspace DELETE",
  disconnectDomainPostmaster: "mailer/domains/{domain_id}/postmaster DELETE",
  dismissPlaygroundDiscovery: "campaigns/{campaign_id}/playground/dismiss-discovery POST!",
  drainCampaign: "campaigns/{campaign_id}/drain POST",
  duplicateCampaign: "campaigns/{campaign_id}/duplicate POST!",
  enableWebhook: "webhooks/{webhook_id}/enable POST",
  endSession: "auth/session DELETE",
  eraseLead: "leads/erase POST!",
  explainSending: "campaigns/{campaign_id}/sending-status",
  exportCampaignLeads: "campaigns/{campaign_id}/leads.csv",
  exportLead: "leads/export POST!",
  exportLeads: "datasets/{dataset_id}/leads.csv",
  exportSuppressions: "suppressions.csv",
  findEmail: "email-finder/find POST!",
  findLead: "leads/{lead_id}",
  findLeads: "leads",
  findProfile: "profile-finder/find POST!",
  forecastCampaign: "campaigns/{campaign_id}/forecast",
  forecastWorkspace: "forecast",
  freezeCampaignExperiment: "campaigns/{campaign_id}/experiments/{step}/freeze POST",
  generatePlaygroundDrafts: "campaigns/{campaign_id}/playground/generate POST!",
  getAttention: "attention",
  getCampaign: "campaigns/{campaign_id}",
  getCampaignExperiments: "campaigns/{campaign_id}/experiments",
  getCampaignLead: "campaigns/{campaign_id}/leads/{campaign_lead_id}",
  getCampaignStats: "campaigns/{campaign_id}/stats",
  getClickStats: "campaigns/{campaign_id}/click-stats",
  getConnectedAccount: "connected-accounts/{account_id}",
  getConversation: "conversations/{conversation_id}",
  getCreditBalance: "payments/balance",
  getCurrentUser: "auth/me",
  getDataset: "datasets/{dataset_id}",
  getDatasetVerification: "email-verification/dataset/{dataset_id}",
  getDomainHealth: "mailer/domains/{domain_id}/health",
  getDomainOperators: "mailer/domains/{domain_id}/operators",
  getDomainPostmaster: "mailer/domains/{domain_id}/postmaster",
  getDomainReports: "mailer/domains/{domain_id}/dmarc",
  getEmail: "mailer/emails/{email_id}",
  getEmailVerification: "email-finder/verify/{job_id}",
  getLead: "datasets/{dataset_id}/leads/{lead_id}",
  getLeadTimeline: "leads/{lead_id}/timeline",
  getMailAlias: "mailer/aliases/{alias_id}",
  getMailDomain: "mailer/domains/{domain_id}",
  getMessageHtml: "conversations/{conversation_id}/messages/{message_id}/html",
  getNotificationPreferences: "notifications/preferences",
  getPlacementTest: "mailer/placement-tests/{placement_test_id}",
  getPlaygroundDrafts: "campaigns/{campaign_id}/playground/drafts",
  getPlaygroundStatus: "campaigns/{campaign_id}/playground/status",
  getRawMessage: "conversations/{conversation_id}/messages/{message_id}/raw",
  getRun: "personalize/generations/runs/{run_id}",
  getSenderProfile: "sender-profiles/{sender_profile_id}",
  getSession: "auth/session",
  getSheetImport: "datasets/{dataset_id}/import",
  getSignInConfig: "auth/config",
  getSocialPost: "socialnet/posts/{post_id}",
  getStats: "stats",
  getSuppression: "suppressions/{suppression_id}",
  getTemplate: "templates/{template_id}",
  getWebhook: "webhooks/{webhook_id}",
  getWorkspace: "workspace",
  holdCampaignLead: "campaigns/{campaign_id}/leads/{campaign_lead_id}/hold POST",
  importLeads: "datasets/{dataset_id}/import POST!",
  importSuppressions: "suppression-imports POST!",
  invite: "workspace/invitations POST!",
  launchCampaign: "campaigns/{campaign_id}/launch POST!",
  listApiKeys: "api-keys",
  listCampaignLeads: "campaigns/{campaign_id}/leads",
  listCampaignMessages: "campaigns/{campaign_id}/messages",
  listCampaigns: "campaigns/",
  listConfirmations: "confirmations",
  listConnectedAccounts: "connected-accounts",
  listConversations: "conversations",
  listCreditEntries: "payments/ledger",
  listCreditPacks: "payments/packs",
  listDatasets: "datasets",
  listEmails: "mailer/emails",
  listEvents: "events",
  listInvitations: "workspace/invitations",
  listJoinedWorkspaces: "auth/workspaces",
  listLeads: "datasets/{dataset_id}/leads",
  listMailAliases: "mailer/aliases",
  listMailDomains: "mailer/domains",
  listMembers: "workspace/members",
  listNetworkChats: "socialnet/chats",
  listPlacementTests: "mailer/placement-tests",
  listPlaygroundBatches: "campaigns/{campaign_id}/playground/batches",
  listRunLeads: "personalize/generations/runs/{run_id}/leads",
  listSenderProfiles: "sender-profiles/",
  listSocialPosts: "socialnet/posts/",
  listSuppressions: "suppressions",
  listTemplates: "templates",
  listWebhookDeliveries: "webhooks/{webhook_id}/deliveries",
  listWebhooks: "webhooks",
  markCampaignLead: "campaigns/{campaign_id}/leads/{campaign_lead_id}/mark POST!",
  optOutOfProspects: "prospects/opt-out POST",
  pauseCampaign: "campaigns/{campaign_id}/pause POST",
  planCampaign: "campaigns/plan POST!",
  preflightCampaign: "campaigns/{campaign_id}/preflight",
  previewPersonalization: "personalize/preview POST!",
  purchaseCredits: "payments/purchase-credits POST!",
  readConversation: "conversations/{conversation_id}/read POST",
  ready: "ready",
  receiveInboundMail: "mailer/inbound POST",
  receiveNetworkEvents: "socialnet/webhook POST",
  receivePaymentEvent: "payments/webhook POST",
  receiveWhatsappEvents: "notifications/whatsapp/webhook POST",
  reconnectAccount: "connected-accounts/{account_id}/reconnect POST!",
  redeliverWebhook: "webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver POST!",
  releaseCampaignLead: "campaigns/{campaign_id}/leads/{campaign_lead_id}/release POST",
  removeMember: "workspace/members/{user_id} DELETE",
  renderCampaignStep: "campaigns/{campaign_id}/steps/{step}/render POST!",
  renderTemplate: "templates/render POST!",
  replaceNotificationPreferences: "notifications/preferences PUT",
  replayWebhook: "webhooks/{webhook_id}/replay POST!",
  resetCampaign: "campaigns/{campaign_id}/reset POST",
  resetCampaignExperiment: "campaigns/{campaign_id}/experiments/{step}/reset POST",
  resetDraftReview: "campaigns/{campaign_id}/leads/{campaign_lead_id}/reset POST",
  resumeCampaign: "campaigns/{campaign_id}/resume POST",
  revokeApiKey: "api-keys/{api_key_id} DELETE",
  revokeSessions: "auth/sessions/revoke POST",
  rotateWebhookSecret: "webhooks/{webhook_id}/rotate-secret POST!",
  searchProspects: "prospects/search POST!",
  sendCampaignStepTest: "campaigns/{campaign_id}/steps/{step}/send-test POST!",
  sendEmail: "mailer/emails POST!",
  sendEmails: "mailer/emails/batch POST!",
  sendNetworkMessage: "socialnet/message POST!",
  status: "status",
  statusAsSpecified: "api/v1/status",
  stopCampaignLead: "campaigns/{campaign_id}/leads/{campaign_lead_id}/stop POST!",
  testMailAlias: "mailer/aliases/{alias_id}/test POST",
  testWebhook: "webhooks/{webhook_id}/test POST",
  unapproveDraft: "campaigns/{campaign_id}/leads/{campaign_lead_id}/unapprove POST",
  unscheduleCampaign: "campaigns/{campaign_id}/unschedule POST",
  updateMailDomain: "mailer/domains/{domain_id} PATCH",
  verifyDataset: "email-verification/dataset/{dataset_id} POST!",
  verifyEmail: "email-finder/verify POST!",
  verifyLogin: "auth/verify",
  verifyMailDomain: "mailer/domains/{domain_id}/verify POST",
  verifySheetAccess: "sheets/verify-access POST!",
  verifyWhatsappWebhook: "notifications/whatsapp/webhook",
  withdrawInvitation: "workspace/invitations/{invitation_id} DELETE",
};
