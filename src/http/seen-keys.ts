import type { Principal } from "#src/deps.ts";

const KEPT_MS = 60_000;
const MOST = 1_000;

/**
 * Whose key it was, of API keys that this isolate authenticated within the last minute, by their hash: to count a
 * request, and to work on a read, while its key is checked again. It authenticates no caller.
 */
const seen = new Map<string, { principal: Principal; until: number }>();

export function findSeen(keyHash: string, nowMs: number): Principal | undefined {
  const found = seen.get(keyHash);
  return found !== undefined && found.until > nowMs ? found.principal : undefined;
}

export function noteSeen(keyHash: string, principal: Principal, nowMs: number): void {
  seen.delete(keyHash);
  seen.set(keyHash, { principal, until: nowMs + KEPT_MS });
  if (seen.size > MOST) seen.delete(seen.keys().next().value!);
}

/** Of a key that was refused: its requests count for no workspace any more. */
export const forgetSeen = (keyHash: string): boolean => seen.delete(keyHash);
