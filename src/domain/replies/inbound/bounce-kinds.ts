import type { RefusalCategory, RefusalKind } from "#src/domain/people/refusals/categories.ts";

export interface BouncedRecipient {
  /** Null when the notice names no recipient. */
  recipient: string | null;
  /** As the sender addressed it, where the report says so. */
  originalRecipient: string | null;
  /** `delayed`: the system is still trying; nothing has failed. */
  kind: RefusalKind | "delayed";
  category: RefusalCategory;
  /** Enhanced status code (RFC 3463), or empty. */
  status: string;
  /** SMTP reply code, or empty. */
  reply: string;
  diagnostic: string;
  /** The rule that decided kind and category. */
  rule: string;
}

export interface Bounce {
  class: "bounce" | "delayed" | "delivered";
  /** A machine-readable report (RFC 3464), or a notice in words. */
  format: "report" | "notice";
  recipients: readonly BouncedRecipient[];
  evidence: readonly string[];
}
