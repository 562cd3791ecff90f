import type { Principal } from "#src/deps.ts";

/** The workspace whose quota a request counts against, before the request is authenticated. */
export type Seen = Pick<Principal, "workspaceId" | "plan">;

const KEPT_MS = 60_000;
const MOST = 1_000;

/**
 * API keys that this isolate authenticated within the last minute, by their hash: only to count a request before its
 * key is checked. It authenticates no caller.
 */
const seen = new Map<string, Seen & { until: number }>();

export function findSeen(keyHash: string, nowMs: number): Seen | undefined {
  const found = seen.get(keyHash);
  return found !== undefined && found.until > nowMs ? found : undefined;
}

export function noteSeen(keyHash: string, { workspaceId, plan }: Seen, nowMs: number): void {
  seen.delete(keyHash);
  seen.set(keyHash, { workspaceId, plan, until: nowMs + KEPT_MS });
  if (seen.size > MOST) seen.delete(seen.keys().next().value!);
}

/** Of a key that was refused: its requests count for no workspace any more. */
export const forgetSeen = (keyHash: string): boolean => seen.delete(keyHash);
