import {
  insertKey,
  listKeys as selectKeys,
  type KeyRow,
  revokeKey as markRevoked,
} from "#db/access/keys.ts";
import type { Deps, Principal } from "#src/deps.ts";
import type { Confirms } from "#db/schema/index.ts";
import { inWorkspace, newOwned } from "#src/domain/owned.ts";
import { notFound, roleMissing, unprocessable } from "#src/errors.ts";
import type { Scope } from "./scopes.ts";
import { sha256Hex } from "#src/platform/encoding.ts";

export type ApiKey = KeyRow;

const PREFIX_LENGTH = 13;

export interface NewKey {
  name: string;
  /** Null: all. They stay as they are for the key's life. */
  scopes: Scope[] | null;
  /** Null: never. */
  expiresAt: Date | null;
  confirm: Confirms;
}

/** The whole key is in this answer and nowhere else: only its hash is stored. */
export async function createKey(
  deps: Deps,
  principal: Principal,
  wanted: NewKey,
): Promise<ApiKey & { key: string }> {
  if (wanted.expiresAt !== null && wanted.expiresAt <= deps.clock.now())
    throw unprocessable("VALIDATION_ERROR", "expires_at has to lie in the future.");
  const key = `svc_live_${deps.ids.secret(32)}`;
  const keyHash = await sha256Hex(key);
  const content = { ...wanted, keyPrefix: key.slice(0, PREFIX_LENGTH), keyHash };
  const row = await insertKey(deps.db, newOwned(deps, principal), content);
  // Its maker was taken out since the request was let in.
  if (row === undefined) throw roleMissing("admin");
  return { ...row, key };
}

export const listKeys = inWorkspace(selectKeys);

/** In force for every request that begins after this returns. Revoking again changes nothing. */
export async function revokeKey(deps: Deps, { workspaceId }: Principal, id: string): Promise<void> {
  if (!(await markRevoked(deps.db, workspaceId, id, deps.clock.now()))) throw notFound("API key");
}
