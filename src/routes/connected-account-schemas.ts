import * as z from "zod";
import type { Account } from "#src/domain/network/accounts.ts";
import { CHECKPOINT_TYPES, type Login } from "#src/domain/network/connect.ts";
import { SHOWN_STATES, shownStatus } from "#src/domain/senders/account-status.ts";
import { line, ownedFields } from "#src/http/fields.ts";

const credentials = {
  username: line(256).describe("The email address or telephone number of the login."),
  password: z.string().min(1).max(256).describe("Never kept and never logged."),
  country: z
    .string()
    .regex(/^[A-Z]{2}$/, "must be an ISO 3166-1 alpha-2 code in capitals")
    .nullable()
    .optional()
    .describe("From where the session is opened; without it the provider chooses."),
};
const example = { username: "ada@example.com", password: "secret", country: "GB" };

export const ConnectBody = z
  .object({ ...credentials, provider: z.literal("socialnet").default("socialnet") })
  .openapi("AccountConnect", { example: { ...example, provider: "socialnet" } });

export const ReconnectBody = z.object(credentials).openapi("AccountReconnect", { example });

export const CheckpointCode = z
  .object({
    checkpoint_token: z.string().min(1).max(256),
    code: z
      .string()
      .max(4096)
      .describe("What the network asked for; empty to ask whether it was approved in its app."),
  })
  .openapi("CheckpointCode", {
    example: { checkpoint_token: "GqVhzHk3cD0pVnq5oC0C3w3lJ3mE2n9Yd9s4m6kZx1A", code: "123456" },
  });

export const AccountBody = z
  .object({
    ...ownedFields,
    provider: z.string(),
    provider_account_id: z.string().describe("Empty until the account was connected."),
    status: z.enum(SHOWN_STATES),
    checkpoint_pending: z.boolean(),
    display_name: z.string(),
    profile_url: z.string(),
    is_default: z.boolean(),
    daily_connection_limit: z.int(),
    daily_message_limit: z.int(),
    warmup_days: z.int(),
    connection_country: z.string().nullable(),
  })
  .openapi("ConnectedAccount");

export const AccountChange = z
  .object({
    daily_connection_limit: z.int().min(0).max(100),
    daily_message_limit: z.int().min(0).max(500),
    warmup_days: z.int().min(0).max(90),
    is_default: z.boolean(),
  })
  .partial()
  .openapi("ConnectedAccountChange");

const checkpoint = {
  checkpoint_required: z.boolean(),
  checkpoint_type: z.enum(CHECKPOINT_TYPES).nullable(),
  checkpoint_token: z.string().nullable().describe("Shown this once; good for five minutes."),
};

export const Connected = z
  .object({ success: z.boolean(), account: AccountBody, ...checkpoint })
  .openapi("AccountConnected");

export const CheckpointAnswered = z
  .object({ success: z.boolean(), account: AccountBody })
  .extend(z.object(checkpoint).partial().shape)
  .openapi("CheckpointAnswered", {
    description: "What the next checkpoint needs, where one follows.",
  });

export function accountToWire(account: Account, now: Date): z.input<typeof AccountBody> {
  return {
    id: account.id,
    user_id: account.userId,
    workspace_id: account.workspaceId,
    created_at: account.createdAt.toISOString(),
    updated_at: account.updatedAt.toISOString(),
    provider: account.provider,
    provider_account_id: account.providerAccountId,
    status: shownStatus(account, now),
    checkpoint_pending: account.checkpointPending,
    display_name: account.displayName,
    profile_url: account.profileUrl,
    is_default: account.isDefault,
    daily_connection_limit: account.dailyConnectionLimit,
    daily_message_limit: account.dailyMessageLimit,
    warmup_days: account.warmupDays,
    connection_country: account.connectionCountry,
  };
}

export const connectToWire = (
  { account, challenge }: Login,
  now: Date,
): z.input<typeof Connected> => ({
  success: challenge === null,
  account: accountToWire(account, now),
  checkpoint_required: challenge !== null,
  checkpoint_type: challenge?.type ?? null,
  checkpoint_token: challenge?.token ?? null,
});

export function checkpointToWire(login: Login, now: Date): z.input<typeof CheckpointAnswered> {
  const { success, account, ...challenge } = connectToWire(login, now);
  return success ? { success, account } : { success, account, ...challenge };
}
