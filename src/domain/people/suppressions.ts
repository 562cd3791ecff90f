import { createPostgresStore } from "#db/engine/index.ts";
import {
  createSuppression,
  deleteSuppression,
  getSuppression,
  listSuppressions,
  type SuppressionRow,
} from "#db/people/suppressions.ts";
import type { SuppressionKind } from "#db/schema/index.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { emailKey, mailDomain } from "#src/mime/email-key.ts";
import { inWorkspace, newOwned, requires } from "#src/domain/owned.ts";
import { notFound, unprocessable } from "#src/errors.ts";
import { sha256Hex } from "#src/platform/encoding.ts";

export const kindOf = (value: string): SuppressionKind =>
  value.includes("@") ? "email" : "domain";

/** An address or domain in the form in which it is compared; null for what is neither. */
export function suppressedValue(
  value: string,
  kind: SuppressionKind = kindOf(value),
): { value: string; kind: SuppressionKind } | null {
  const normal = kind === "email" ? emailKey(value) : mailDomain(value.trim());
  return normal === null ? null : { value: normal, kind };
}

export { SUPPRESSION_KINDS, SUPPRESSION_REASONS } from "#db/schema/index.ts";
export type Suppression = SuppressionRow;

export const readSuppressions = inWorkspace(listSuppressions);
export const requireSuppression = requires("Suppression", getSuppression);

/** Stops all mail to an address or a domain; `value` is already in the form in which it is compared. */
export async function suppress(
  deps: Deps,
  principal: Principal,
  wish: { value: string; kind: "email" | "domain"; expiresAt: Date | null },
): Promise<Suppression> {
  const owner = newOwned(deps, principal);
  if (wish.expiresAt !== null && wish.expiresAt <= owner.now)
    throw unprocessable("VALIDATION_ERROR", "expires_at has passed already.");
  const valueHash = await sha256Hex(wish.value);
  const content = { ...wish, valueHash, reason: "manual" as const };
  const { row, endedIn } = await createSuppression(deps.db, owner, content);
  await createPostgresStore(deps.db).complete(owner.now, endedIn);
  return row;
}

export async function removeSuppression(
  deps: Deps,
  { workspaceId }: Principal,
  id: string,
): Promise<void> {
  if (!(await deleteSuppression(deps.db, workspaceId, id))) throw notFound("Suppression");
}
