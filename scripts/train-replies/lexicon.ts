import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { spokenSentences } from "#src/domain/replies/inbound/understanding/words.ts";

const CONCEPTS = join(import.meta.dirname, "concepts");
const LANGUAGES: Readonly<Record<string, string>> = { "norwegian-danish": "norwegianDanish" };

/** What each entry of all languages (`english:take off`, `german:losch*`) means. */
export function readLexicon(): Map<string, string[]> {
  const entries = new Map<string, string[]>();
  for (const file of readdirSync(CONCEPTS).toSorted()) {
    const name = file.replace(".txt", "");
    for (const line of readFileSync(join(CONCEPTS, file), "utf8").trim().split("\n")) {
      const [concept = "", ...phrases] = line.trim().split(/\s+/);
      for (const phrase of phrases) {
        const words = wordsOf(phrase);
        if (words === "") continue;
        const key = `${LANGUAGES[name] ?? name}:${words}`;
        entries.set(key, [...new Set([...(entries.get(key) ?? []), concept])]);
      }
    }
  }
  return entries;
}

/** As the reader parts it; only of a single word may there be a beginning. */
function wordsOf(phrase: string): string {
  const [spoken] = spokenSentences(phrase.replaceAll("_", " ").replace(/\*$/, ""));
  const words = spoken?.words ?? [];
  const isSpaceless = words.every((word) => /^[\u3040-\u30ff\u3400-\u9fff]$/u.test(word));
  if (isSpaceless) return words.join("");
  return words.length === 1 && phrase.endsWith("*") ? `${words[0]}*` : words.join(" ");
}
