import {
  ACCOUNT_STATES_TOLD,
  ALIAS_STATUSES_TOLD,
  DATASET_VERIFICATIONS_TOLD,
  DOMAIN_STATUSES_TOLD,
  ORDER_STATUSES_TOLD,
  POST_STATUSES_TOLD,
  SHEET_IMPORTS_TOLD,
  VERIFICATION_JOBS_TOLD,
} from "./catalogue.ts";
import { becomes, byState, changed, quoted, words, type EventSource } from "./source.ts";

/** What lists, senders, money and keys tell. */
export const OF_WORKSPACE: readonly EventSource[] = [
  {
    name: "verification",
    table: "verification_jobs",
    ...byState("status", VERIFICATION_JOBS_TOLD),
    data: { verification_id: "new.id", status: "new.verdict ->> 'status'" },
  },
  {
    name: "dataset_verification",
    table: "dataset_verifications",
    ...byState("status", DATASET_VERIFICATIONS_TOLD),
    data: { dataset_id: "new.dataset_id", verification_id: "new.id" },
  },
  {
    name: "dataset_imported",
    table: "datasets",
    on: ["status"],
    // An import names the status whether or not it changes it; a deletion does not.
    when: "new.status = 'ready' and new.deleted_at is null",
    type: quoted("dataset.imported"),
    data: {
      dataset_id: "new.id",
      leads: "new.row_count",
      added: "new.row_count - old.row_count",
    },
  },
  {
    name: "sheet_import",
    table: "sheet_imports",
    ...byState("status", SHEET_IMPORTS_TOLD),
    data: { dataset_id: "new.dataset_id", error: words("error") },
  },
  {
    name: "account_status",
    table: "connected_accounts",
    ...byState("status", ACCOUNT_STATES_TOLD),
    data: {
      account_id: "new.id",
      provider: "new.provider",
      error: `case when new.status <> 'connected' then ${words("last_error")} end`,
    },
  },
  {
    name: "account_checkpoint",
    table: "connected_accounts",
    on: ["checkpoint_pending"],
    when: "new.checkpoint_pending and not old.checkpoint_pending",
    type: quoted("account.checkpoint"),
    data: { account_id: "new.id", provider: "new.provider" },
  },
  {
    name: "account_rate_limited",
    table: "connected_accounts",
    on: ["rate_limited_until"],
    when: `${changed("rate_limited_until")} and new.rate_limited_until > new.updated_at`,
    type: quoted("account.rate_limited"),
    data: { account_id: "new.id", provider: "new.provider", until: "new.rate_limited_until" },
  },
  {
    name: "post_status",
    table: "social_posts",
    ...byState("status", POST_STATUSES_TOLD),
    data: {
      post_id: "new.id",
      account_id: "new.connected_account_id",
      scheduled_at: "new.scheduled_at",
      error: `case when new.status = 'failed' then ${words("last_error")} end`,
    },
  },
  {
    name: "post_made",
    table: "social_posts",
    on: "insert",
    when: "new.status = 'scheduled'",
    type: quoted("post.scheduled"),
    data: {
      post_id: "new.id",
      account_id: "new.connected_account_id",
      scheduled_at: "new.scheduled_at",
    },
  },
  {
    name: "domain_status",
    table: "mail_domains",
    ...byState("status", DOMAIN_STATUSES_TOLD),
    data: { domain_id: "new.id", domain: "new.domain" },
  },
  {
    name: "alias_status",
    table: "mail_aliases",
    ...byState("status", ALIAS_STATUSES_TOLD),
    when: `${changed("status")} and (new.status = 'error' or (old.status = 'error' and new.status = 'active'))`,
    data: {
      alias_id: "new.id",
      error: `case when new.status = 'error' then ${words("last_error")} end`,
    },
  },
  {
    name: "order_status",
    table: "payment_orders",
    ...byState("status", ORDER_STATUSES_TOLD),
    data: { order_id: "new.id", pack_id: "new.pack_id", credits: "new.credits" },
  },
  {
    name: "credits_taken_back",
    table: "credit_entries",
    on: "insert",
    when: "new.kind in ('refund', 'dispute')",
    type: "case new.kind when 'refund' then 'credits.refunded' else 'credits.disputed' end",
    at: "new.created_at",
    data: { credits: "-new.available_delta", owed: "new.owed_delta" },
  },
  {
    name: "credits_low",
    table: "credit_balances",
    on: ["available"],
    when: "(old.available > 0 and new.available = 0) or (old.available >= 100 and new.available < 100)",
    type: "case new.available when 0 then 'credits.exhausted' else 'credits.low' end",
    data: { available: "new.available" },
  },
  {
    name: "key_created",
    table: "api_keys",
    on: "insert",
    type: quoted("key.created"),
    data: { key_id: "new.id", scopes: "to_jsonb(new.scopes)" },
  },
  {
    name: "key_revoked",
    table: "api_keys",
    on: ["revoked_at"],
    when: becomes("revoked_at"),
    type: quoted("key.revoked"),
    data: { key_id: "new.id" },
  },
];
