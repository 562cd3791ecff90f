import { createPostgresStore } from "#db/engine/index.ts";
import {
  createSuppression,
  deleteSuppression,
  getSuppression,
  listSuppressions,
  searchSuppressions,
  type SuppressionFilter,
  type SuppressionPlace,
  type SuppressionRow,
} from "#db/people/suppressions.ts";
import type { SuppressionKind } from "#db/schema/index.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { domainOfKey, emailKey, mailDomain } from "#src/mime/email-key.ts";
import { newOwned, requires } from "#src/domain/owned.ts";
import { notFound, unprocessable } from "#src/errors.ts";
import { sha256Hex } from "#src/platform/encoding.ts";

export const kindOf = (value: string): SuppressionKind =>
  value.includes("@") ? "email" : "domain";

export interface SuppressedValue {
  value: string;
  kind: SuppressionKind;
}

/** An address or domain in the form in which it is compared; null for what is neither. */
export function suppressedValue(
  value: string,
  kind: SuppressionKind = kindOf(value),
): SuppressedValue | null {
  const normal = kind === "email" ? emailKey(value) : mailDomain(value.trim());
  return normal === null ? null : { value: normal, kind };
}

export { SUPPRESSION_KINDS, SUPPRESSION_REASONS } from "#db/schema/index.ts";
export type Suppression = SuppressionRow;

export interface SuppressionQuery extends Omit<SuppressionFilter, "entries"> {
  /** Entries that hold back mail to it: its own, and its domain's. */
  value?: SuppressedValue | undefined;
}

/** A page in the order in which they were made; `reached` where a search has not looked at all that come behind. */
export async function readSuppressions(
  { db }: Deps,
  { workspaceId }: Principal,
  { value, ...filter }: SuppressionQuery,
  place: SuppressionPlace,
): Promise<{ rows: Suppression[]; reached: string | null }> {
  if (value === undefined && filter.part !== undefined)
    return searchSuppressions(db, workspaceId, filter, place);
  const wanted = { ...filter, entries: value && (await entriesOf(value)) };
  return { rows: await listSuppressions(db, workspaceId, wanted, place), reached: null };
}

async function entriesOf({ value, kind }: SuppressedValue) {
  const own = { kind, valueHash: await sha256Hex(value) };
  if (kind === "domain") return [own];
  return [own, { kind: "domain" as const, valueHash: await sha256Hex(domainOfKey(value)) }];
}

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
