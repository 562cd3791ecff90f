import {
  insertKey,
  listKeys as selectKeys,
  type KeyRow,
  revokeKey as markRevoked,
} from "#db/keys.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { notFound } from "#src/errors.ts";
import { sha256Hex } from "#src/platform/encoding.ts";

export type ApiKey = KeyRow;

const PREFIX_LENGTH = 13;

/** The whole key is in this answer and nowhere else: only its hash is stored. */
export async function createKey(
  deps: Deps,
  { workspaceId, userId }: Principal,
  name: string,
): Promise<ApiKey & { key: string }> {
  const key = `svc_live_${deps.ids.secret(32)}`;
  const row = await insertKey(deps.db, {
    id: deps.ids.uuid(),
    workspaceId,
    userId,
    name,
    keyPrefix: key.slice(0, PREFIX_LENGTH),
    keyHash: await sha256Hex(key),
    now: deps.clock.now(),
  });
  return { ...row, key };
}

export function listKeys(deps: Deps, { workspaceId }: Principal): Promise<ApiKey[]> {
  return selectKeys(deps.db, workspaceId);
}

/** In force for every request that begins after this returns. Revoking again changes nothing. */
export async function revokeKey(deps: Deps, { workspaceId }: Principal, id: string): Promise<void> {
  if (!(await markRevoked(deps.db, workspaceId, id, deps.clock.now()))) throw notFound("API key");
}
