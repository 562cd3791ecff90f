const MAX_TEXT = 20_000;
const LONGEST = 160;

/** Sentences and lines of a text, as they stand in it. */
export const sentencesOf = (text: string): string[] =>
  text
    .slice(0, MAX_TEXT)
    .split(/\n+|(?<=[.!?;。])\s+/)
    .map((each) => each.trim())
    .filter((each) => each !== "");

/** What one does not tell a machine without wanting something of it, in the languages that the composer writes. */
const ORDER_WORDS =
  /\b(ignore|disregard|forget|override|instruct\w*|prompts?|system|assistant|must|write|say|mention|include|insert|add|append|reveal|repeat|print|output|translate|answer|reply|respond|click|visit|please|always|never|instead|email|e-mail|mail|subject|sign|greet|note to|language model|AI|LLM|schreib\w*|nenne|antworte|ignorier\w*|füge|écri\w*|ajoute\w*|ignorez|répond\w*|escrib\w*|añad\w*|ignora|respond\w*)\b/i;

/** Sentences that merely state something: short, without addresses, and without a word that orders. */
export const safeSentences = (text: string): string[] =>
  sentencesOf(text).filter(
    (each) =>
      each.length <= LONGEST &&
      !/[@<>{}[\]|\\]|:\/\/|www\.|\.(com|net|org|io)\b/i.test(each) &&
      !ORDER_WORDS.test(each),
  );

/** A value that can stand within a sentence; null for one that is long, or wants something. */
export function nameOf(value: string | undefined): string | null {
  const text = value?.trim() ?? "";
  return text !== "" &&
    text.length <= 80 &&
    !text.includes("\n") &&
    safeSentences(text).join(" ") === text.replace(/\s+/g, " ")
    ? text
    : null;
}
