import type { Deps } from "#src/deps.ts";
import { AppError } from "#src/errors.ts";
import { describeError } from "#src/platform/log.ts";
import { type Payments, PaymentsFailure } from "#src/providers/payments/index.ts";

/** The payment provider of this deployment; 503 if it has none. */
export function requirePayments({ payments }: Deps): Payments {
  if (payments !== null) return payments;
  throw new AppError(
    "unavailable",
    "PAYMENTS_NOT_CONFIGURED",
    "This deployment sells no credits: STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET are not set.",
  );
}

/** Waits for the provider; what it fails to do is 502, or 504 when it did not answer, and the log has the cause. */
export async function orUpstreamError<Result>(
  { log }: Deps,
  work: Promise<Result>,
): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof PaymentsFailure)) throw error;
    log.error("payments_failed", describeError(error));
    throw error.kind === "timeout" ? tooLate(error) : failed(error);
  }
}

const again = "Nothing was bought; try again in a moment.";

const tooLate = (cause: Error) =>
  new AppError(
    "upstream_timeout",
    "UPSTREAM_TIMEOUT",
    `The payment provider did not answer in time. ${again}`,
    { cause, retryAfter: 5 },
  );

export const failed = (cause?: Error): AppError =>
  new AppError(
    "upstream_failed",
    "UPSTREAM_ERROR",
    `The payment provider could not do it. ${again}`,
    { cause, retryAfter: 5 },
  );
