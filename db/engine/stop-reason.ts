import type { SendOutcome } from "./store.ts";

const CODED = /^([A-Z][A-Z0-9_]+)(?::|$)/;

/**
 * The code of an end that an outcome brings, null for one that ends nothing: the code in capitals that its words begin
 * with, or else what kind of end it is. The words are the lead's last error.
 */
export function stopReasonOf(outcome: SendOutcome): string | null {
  const coded = CODED.exec(outcome.reason)?.[1]?.toLowerCase();
  switch (outcome.kind) {
    case "rejected":
      return coded ?? (outcome.scope === "recipient" ? "hard_bounce" : "refused");
    case "given_up":
      return coded ?? "given_up";
    case "render_failed":
      return coded ?? "not_written";
    default:
      return null;
  }
}
