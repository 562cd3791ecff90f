import {
  insertKey,
  listKeys as selectKeys,
  type KeyRow,
  revokeKey as markRevoked,
} from "#db/access/keys.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { inWorkspace, newOwned } from "#src/domain/owned.ts";
import { notFound } from "#src/errors.ts";
import { sha256Hex } from "#src/platform/encoding.ts";

export type ApiKey = KeyRow;

const PREFIX_LENGTH = 13;

/** The whole key is in this answer and nowhere else: only its hash is stored. */
export async function createKey(
  deps: Deps,
  principal: Principal,
  name: string,
): Promise<ApiKey & { key: string }> {
  const key = `svc_live_${deps.ids.secret(32)}`;
  const keyHash = await sha256Hex(key);
  const content = { name, keyPrefix: key.slice(0, PREFIX_LENGTH), keyHash };
  const row = await insertKey(deps.db, newOwned(deps, principal), content);
  return { ...row, key };
}

export const listKeys = inWorkspace(selectKeys);

/** In force for every request that begins after this returns. Revoking again changes nothing. */
export async function revokeKey(deps: Deps, { workspaceId }: Principal, id: string): Promise<void> {
  if (!(await markRevoked(deps.db, workspaceId, id, deps.clock.now()))) throw notFound("API key");
}
