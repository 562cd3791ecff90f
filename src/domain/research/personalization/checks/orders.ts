import { fold, wordsOf } from "../normalize-text.ts";
import { type Check, namesOf } from "./check.ts";
import { runsOf } from "./leaks.ts";

const VERB =
  "(?:write|say|reply|respond|answer|output|print|repeat|include|append|add|insert|mention|state|tell|begin|start|open|end|finish|close|conclude|sign|greet|address|translate|use|set|make|put|place|replace|change|reveal|quote|copy|paste|ask|invite|claim|promise|offer|announce|recommend|schreibe?|antworte|erwähne|füge?|ergänze|beende|beginne|sage?|écris|écrivez|réponds|répondez|ajoute[rz]?|termine[rz]?|dis|escribe|escriba|responde|añade|añada|incluye|incluya|termina|di|scrivi|aggiungi|rispondi|includi)";
const LETTER =
  "(?:e-?mails?|mails?|letters?|messages?|subjects?|subject line|body|repl(?:y|ies)|answers?|drafts?|signature|sentences?|paragraph|greeting|words?|text|output|response|p\\.?s\\.?|link|language|recipient|reader|betreff|brief|nachricht|satz|antwort|anrede|objet|lettre|phrase|courriel|asunto|correo|mensaje|carta|frase|oggetto|lettera|messaggio)";

/** Instructions to the model that writes, which no text about a lead contains. */
const ORDERS = [
  /\b(?:ignore|disregard|forget|override|bypass|skip|drop|ignoriere|vergiss|missachte|ignore[rz]|oublie[rz]?|ignora|olvida|dimentica)\b[^.\n]{0,60}\b(?:instructions?|rules?|prompts?|above|previous|prior|earlier|before|everything|guidelines?|system|anweisungen?|regeln|alles|consignes|règles|tout|instrucciones|reglas|todo|istruzioni|regole|anterior(?:es)?)\b/,
  /(?:^|[\n.!?:;>*#[(-]\s?)(?:system|assistant|developer|admin(?:istrator)?|operator|root|note to (?:the )?(?:ai|assistant|model|writer|bot|system)|attention (?:ai|assistant|model|bots?)|ai|llm|instructions?|new (?:task|rules?|instructions?)|important|override)\s?[:>\]]/,
  /\b(?:you (?:must|should|shall|will|are now|have to|need to|are going to)|your (?:task|job|goal|instructions?|answer|reply|output|response|role) (?:is|now|are)|du (?:musst|sollst|bist jetzt)|tu dois|vous devez|debes|devi)\b/,
  /\b(?:ai|language model|assistant|llm|chatbot|writer|whoever writes|copywriter|drafting tool)s?\b[^.\n]{0,80}\b(?:must|should|shall|please|is to|are to|has to)\b/,
  new RegExp(`\\b${VERB}\\b[^.\\n]{0,100}\\b${LETTER}\\b`),
  new RegExp(
    `\\b(?:in|of|to|into|at the end of|im|dans|en|nel) (?:the|your|this|every|each|all|any) ${LETTER}\\b`,
  ),
  /(?:^|[\n.!?:;>)-]\s?)(?:say|write|print|output|repeat|reply|respond|answer|shout|type|echo|recite|sage?|schreibe?|dis|dites|écris|di|diga|escribe|escriba)\b/,
  new RegExp(
    `(?:^|[\\n.!?:;>)-]\\s?|\\b(?:and|please|always|then|bitte|just|only|and then|must|to) )${VERB}\\s?(?:that|exactly|only|verbatim|this|the following|literally|wörtlich|genau|exactement|exactamente|:|"|')`,
  ),
].map((pattern) => new RegExp(pattern, "gu"));

/** An order is given in one sentence and filled in by the next ones. */
const REACH = 400;
/** Words in a row that an order and a letter do not share by chance. */
const SHARED_WORDS = 4;
const MAX_PAYLOAD_WORDS = 3;

/**
 * The draft does as a stranger's text says: it has words that stand in, or right behind, what a lead's field or a page orders
 * the writer to do, and that stand neither in the customer's own texts nor in the lead's names.
 */
export const followsOrder: Check = (draft, { own, foreign, request }) => {
  const texts = foreign.map(foldLines);
  const spans = texts.flatMap(ordersIn);
  if (spans.length === 0) return false;
  const names = namesOf(request.lead).map(foldLines);
  const innocent = ` ${wordsOf(own).join(" ")} ${names.map(withoutOrders).join("  ")} `;
  const runs = runsOf(draft.words, SHARED_WORDS);
  for (const span of spans)
    for (const run of runsOf(wordsOf(span), SHARED_WORDS))
      if (runs.has(run) && !innocent.includes(` ${run} `)) return true;
  const words = ` ${draft.words.join(" ")} `;
  return spans
    .flatMap(payloadsOf)
    .some((payload) => words.includes(` ${payload} `) && !innocent.includes(` ${payload} `));
};

/** Folded, and lines kept apart. */
const foldLines = (text: string): string => text.split("\n").map(fold).join("\n");

interface Span {
  start: number;
  end: number;
}

/** Where orders stand; each pattern's first places are enough, for a reach behind them is suspect as well. */
function spansOf(text: string): Span[] {
  const spans: Span[] = [];
  for (const pattern of ORDERS) {
    pattern.lastIndex = 0;
    for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
      const end = Math.min(text.length, match.index + match[0].length + REACH);
      spans.push({ start: match.index, end });
      pattern.lastIndex = end;
    }
  }
  return spans;
}

const ordersIn = (text: string): string[] =>
  spansOf(text).map(({ start, end }) => text.slice(start, end));

/** The words of what is left of a text without its orders, two spaces where one was. */
function withoutOrders(text: string): string {
  let [out, from] = ["", 0];
  for (const { start, end } of spansOf(text).toSorted((a, b) => a.start - b.start)) {
    if (start > from) out += `${wordsOf(text.slice(from, start)).join(" ")}  `;
    from = Math.max(from, end);
  }
  return out + wordsOf(text.slice(from)).join(" ");
}

/** What an order wants said, where that is short: what it quotes, and what it ends in behind its verb or a colon. */
function payloadsOf(span: string): string[] {
  const quoted = [...span.matchAll(/"([^"\n]{2,200})"|'([^'\n]{2,200})'/g)].map(
    ([, double, single]) => double ?? single!,
  );
  const tails = [
    ...span.matchAll(
      /(?::|\b(?:write|say|print|output|repeat|with|word|schreibe?|sage?|écris|escribe|scrivi)) ?([^.\n:;"]{2,60})(?=[.\n;]|$)/g,
    ),
  ].map(([, tail]) => tail!);
  return [...quoted, ...tails]
    .map((text) => wordsOf(text))
    .filter((words) => words.length > 0 && words.length <= MAX_PAYLOAD_WORDS)
    .map((words) => words.join(" "))
    .filter((payload) => payload.length >= 3);
}
