import { type Facts, type Given } from "./given.ts";
import { safeSentences } from "./sentences.ts";

export interface Commonality {
  text: string;
  confidence_score: number;
  rarity_score: number;
  relevance_score: number;
  supporting_evidence: string[];
}

/** A word of both sides, with the sentence that has it on each. */
export interface Shared {
  word: string;
  rarity: number;
  relevance: number;
  evidence: [sender: string, other: string];
}

/** Said by everybody of everything: two people who share such a word have nothing in common. */
const COMMON = new Set(
  (
    "about after also among based been before being best better build builds building business clients company companies " +
    "customer customers data every example experience first from global growth have help helps helping into just know leader " +
    "leading like look make makes management manager marketing more most much need offer offers only other over people platform " +
    "product products project projects provide provides sales service services since software solution solutions some start " +
    "support system systems team teams technology than that their them then there these they this those through time tool tools " +
    "under very want were what when where which while will with work works working world would year years your " +
    "aber auch dass eine einen einer euch firma haben hier ihre kunden mehr nach nicht oder ohne sich sind unser unsere unternehmen wird"
  ).split(" "),
);
const WEIGHTS: Record<string, number> = {
  value_proposition: 0.9,
  company_description: 0.7,
  job_title: 0.6,
  bio: 0.5,
};

/** The rarest word that the sender's profile and the lead's facts share; null where they share none. */
export function findShared({ sender, lead, research }: Given): Shared | null {
  const theirs = [...Object.values(lead), ...research];
  const found = Object.entries(sender).flatMap(([field, value]) =>
    sharedWords(value, WEIGHTS[field] ?? 0.4, theirs, lead),
  );
  found.sort(
    (a, b) => b.rarity - a.rarity || b.relevance - a.relevance || (a.word < b.word ? -1 : 1),
  );
  return found[0] ?? null;
}

function sharedWords(value: string, relevance: number, theirs: string[], lead: Facts): Shared[] {
  const names = new Set(
    Object.entries(lead).flatMap(([key, name]) => (/name/.test(key) ? wordsOf(name) : [])),
  );
  return [...new Set(wordsOf(value))].flatMap((word) => {
    if (word.length < 4 || COMMON.has(word.toLowerCase()) || names.has(word)) return [];
    const own = sentenceWith(value, word);
    const places = theirs.map((text) => sentenceWith(text, word)).filter((each) => each !== null);
    if (own === null || places.length === 0) return [];
    return [
      { word, rarity: rarityOf(word, places.length), relevance, evidence: [own, places[0]!] },
    ];
  });
}

const wordsOf = (text: string): string[] =>
  text.slice(0, 5_000).match(/\p{L}[\p{L}\p{M}\d-]+/gu) ?? [];

const sentenceWith = (text: string, word: string): string | null =>
  safeSentences(text).find((sentence) => wordsOf(sentence).includes(word)) ?? null;

/** Long words and names are rarer, and what stands in many places is not. */
function rarityOf(word: string, places: number): number {
  const isName = /^\p{Lu}/u.test(word) ? 0.2 : 0;
  const score = 0.25 + 0.04 * Math.min(12, word.length) + isName - 0.1 * (places - 1);
  return Math.round(Math.min(0.95, Math.max(0.05, score)) * 100) / 100;
}

export function commonalityOf(given: Given, shared: Shared | null): Commonality {
  if (shared !== null)
    return {
      text: `Both sides speak of ${shared.word}.`,
      confidence_score: 0.8,
      rarity_score: shared.rarity,
      relevance_score: shared.relevance,
      supporting_evidence: [...new Set(shared.evidence)],
    };
  const company = safeSentences(given.lead["company"] ?? "")[0];
  return {
    text: company === undefined ? "" : `The sender writes to ${company} for the first time.`,
    confidence_score: company === undefined ? 0 : 0.3,
    rarity_score: 0.05,
    relevance_score: company === undefined ? 0 : 0.2,
    supporting_evidence: company === undefined ? [] : [company],
  };
}
