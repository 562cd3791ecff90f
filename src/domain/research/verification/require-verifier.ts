import type { Deps } from "#src/deps.ts";
import { AppError } from "#src/errors.ts";

/** 503 where this deployment has no way to the mail hosts; nothing is begun that could not end. */
export function requireVerifier({ mailProbe }: Pick<Deps, "mailProbe">): void {
  if (mailProbe !== null) return;
  throw new AppError(
    "unavailable",
    "SMTP_UNAVAILABLE",
    "This deployment has no way to ask mail hosts (VERIFIER_EGRESS).",
  );
}
