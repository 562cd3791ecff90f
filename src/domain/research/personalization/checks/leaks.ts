import { fold, wordsOf } from "../normalize-text.ts";
import { DEFAULT_PROMPT, RULES } from "../prompts.ts";
import type { Check } from "./check.ts";

/** Reference and fence are words of ours alone; spaced out or in capitals they are still them. */
export const hasMark: Check = ({ folded }, { marks }) => {
  const letters = folded.replace(/[^a-z0-9]+/g, "");
  const secrets = [marks.canary.replace("ref-", ""), marks.nonce];
  return secrets.some(
    (secret) => letters.includes(secret) || letters.includes([...secret].toReversed().join("")),
  );
};

/** So many equal words in a row are no chance. */
const COPIED_WORDS = 7;

/** Sentences of the frame, or of the service's own prompt. */
export const hasRuleText: Check = ({ words }) => {
  const runs = runsOf(words, COPIED_WORDS);
  return ours.some((run) => runs.has(run));
};

export function runsOf(words: readonly string[], length: number): Set<string> {
  const runs = new Set<string>();
  for (let at = 0; at + length <= words.length; at++)
    runs.add(words.slice(at, at + length).join(" "));
  return runs;
}

const ours = [...RULES, ...DEFAULT_PROMPT.split("\n")].flatMap((line) => [
  ...runsOf(wordsOf(fold(line)), COPIED_WORDS),
]);

const MACHINE = [
  /\b(?:as|being|i am|i'm|we are)(?: [a-z]+){0,2} an? (?:ai|a\.i\.|artificial|large language|language model|machine|chatbot|bot|robot|llm)\b(?!-)/,
  /\b(?:als|ich bin) (?:eine? )?(?:ki|künstliche|sprachmodell)/,
  /\b(?:en tant qu|je suis une?) ?'?(?:ia|intelligence artificielle|modèle de langage)\b/,
  /\b(?:como|soy) (?:una? )?(?:ia|inteligencia artificial|modelo de lenguaje)\b/,
  /\b(?:system|developer) (?:prompt|message|instructions?)\b|\bprompt injection\b|\bjailbreak/,
  /\b(?:ignore|disregard|forget|override)\b[^.\n]{0,30}\b(?:instructions?|prompts?|rules|guidelines)\b/,
  /\b(?:previous|prior|above|given|my|your|these|following) (?:instructions|prompt|rules|guidelines)\b/,
  /\b(?:i cannot|i can't|i am unable to|i'm unable to|i won't) (?:help|assist|comply|fulfil|write|create|generate|provide)/,
  /\b(?:here is|here's|below is|i have written|i've written) (?:the|your|a|an) (?:[a-z]+ ){0,2}(?:draft|email|letter|message)\b/,
  /\b(?:language model|training data|knowledge cutoff|chatgpt|openai|anthropic)\b/,
];

/** The writer speaks of itself, its orders or its answer: no person would to a stranger. What the customer says himself may be said. */
export const isMachineTalk: Check = ({ folded }, { own }) =>
  MACHINE.some((pattern) => {
    const [found] = pattern.exec(folded) ?? [];
    return found !== undefined && !own.includes(found);
  });
