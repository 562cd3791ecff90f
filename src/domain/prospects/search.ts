import { searchProspects } from "#db/prospects.ts";
import type { Deps } from "#src/deps.ts";
import { normalTags } from "./tags.ts";

export interface Prospect {
  profileUrl: string;
  fullName: string;
  company: string | null;
  title: string | null;
  location: string | null;
  tags: string[];
  matchedTags: string[];
  /** The share of the tags asked for that fit: 0 to 1. */
  score: number;
}

/** Whom most of the tags fit, best first, at most `limit`. Nobody is an answer too. */
export async function findProspects(
  { db }: Pick<Deps, "db">,
  { tags, limit }: { tags: readonly string[]; limit: number },
): Promise<Prospect[]> {
  const asked = normalTags(tags);
  const found = await searchProspects(db, { tags: asked, limit });
  return found.map((prospect) => ({
    ...prospect,
    score: Math.round((prospect.matchedTags.length / asked.length) * 1000) / 1000,
  }));
}
