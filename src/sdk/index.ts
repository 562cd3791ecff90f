/** The TypeScript SDK: a client of `/api/v2`, the check of a webhook, and calls bought from a wallet. docs/sdk.md shows each. */
export { Overture, type OvertureOptions } from "./client.ts";
export type { ErrorCode } from "./error-codes.ts";
export { OvertureError } from "./error.ts";
export type { PaidCalls, Resources } from "./methods.ts";
export { type Bought, paid, type PaidOptions, type Receipt, type Signer } from "./paid.ts";
export type { CallOptions, Page, Pages } from "./types.ts";
export { type VerifyOptions, WebhookError, webhooks } from "./webhooks.ts";
export type * from "../console/api/schema.ts";
