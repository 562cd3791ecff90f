import * as z from "zod";
import { keepWebLookup, readWebLookup } from "#db/research/research-cache.ts";
import type { Json } from "#db/schema/columns.ts";
import type { Deps } from "#src/deps.ts";
import { sha256Hex } from "#src/platform/encoding.ts";

/** A look at the web, or what is kept of an earlier one. */
export interface Lookup<Answer> {
  answer: Answer;
  /** When it was looked up; null if just now. */
  cachedAt: Date | null;
}

export interface Looking<Answer extends Json> {
  /** `page <url>` or `robots <origin>`. */
  key: string;
  shape: z.ZodType<Answer>;
  /** Nothing is read from the cache, and what is found is kept all the same. */
  force: boolean;
  /** How long an answer counts; 0 for what may be otherwise in a moment. */
  keepMs(answer: Answer): number;
  look(): Promise<Answer>;
}

/** What is kept, or else what a look finds, which is kept for others. */
export async function lookUp<Answer extends Json>(
  { db, clock }: Pick<Deps, "db" | "clock">,
  { key, shape, force, keepMs, look }: Looking<Answer>,
): Promise<Lookup<Answer>> {
  const keyHash = await sha256Hex(key);
  const kept = force ? null : await readWebLookup(db, keyHash, clock.now());
  const known = shape.safeParse(kept?.answer);
  if (kept !== null && known.success) return { answer: known.data, cachedAt: kept.lookedUpAt };
  const answer = await look();
  const ms = keepMs(answer);
  const now = clock.now();
  if (ms > 0)
    await keepWebLookup(db, keyHash, answer, { now, expiresAt: new Date(now.getTime() + ms) });
  return { answer, cachedAt: null };
}
