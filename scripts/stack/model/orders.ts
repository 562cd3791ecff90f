import { sentencesOf } from "./sentences.ts";

/** What an order wants of a letter. */
export type Order =
  | { kind: "say" | "subject" | "greet" | "sign" | "only"; words: string }
  | { kind: "reveal"; what: "everything" | "reference" | "first rule" }
  | { kind: "language"; name: string };

const VERBS =
  "ignore|disregard|forget|override|write|say|state|mention|include|insert|add|append|attach|put|place|use|quote|copy|paste|repeat|recite|reveal|" +
  "disclose|expose|print|show|display|output|echo|translate|answer|reply|respond|link|point|direct|refer|send|forward|sign|greet|address|call|tell|" +
  "inform|ask|invite|urge|offer|promise|guarantee|claim|confirm|announce|start|begin|open|end|close|finish|conclude|replace|change|switch|set|make|" +
  "give|provide|pay|transfer|request|demand|recommend|warn|explain|describe|praise|insult|spell|encode|embed|render|format|wrap|cc|bcc|speak|act|" +
  "pretend|become|leave|keep|fill|compose|draft|create|generate|deliver|finalise|finalize|share|" +
  "schreiben?|füge|nennen?|erwähnen?|antworten?|grüßen?|unterschreiben?|setzen?|verwenden?|wiederholen?|sagen?|" +
  "écrivez|écris|ajoutez|ajoute|répondez|réponds|mentionnez|incluez|dites|signez|" +
  "escribe|escriba|añade|añada|responde|responda|menciona|mencione|incluye|incluya|firma|firme|di|diga";
/** At the beginning of a clause, after what is said to machines, or after "must". */
const IMPERATIVE = new RegExp(
  `(?:^|[,:;.!?>*#)\\]\\-–—"“]\\s*|\\b(?:and|then|please|instead|now|must|should|shall|will|to|always|also|und|bitte|et|y|du|you|never|only)\\s+)(?:${VERBS})(?![\\p{L}])\\s*`,
  "iu",
);
const MODAL =
  /\b(?:must|should|has to|have to|needs to|need to|shall|is to|are to|muss|müssen|doit|debe)\s+(?:\p{L}+\s+){0,2}?(?:be|contain|include|mention|say|end|begin|start|carry|read|state|have|use|enthalten|contenir|contener)\b\s*/iu;

/** A verb, and behind it what a prompt has. */
const REVEAL =
  /\b(?:reveal|disclose|expose|repeat|print|show|display|output|echo|recite|quote|copy|paste|include|append|add|state|write|tell|give|share|put|begin|start|end|translate|spell|encode|summari[sz]e|wiederhol\w*|nenne\w*|répète\w*|repite)\b[^]{0,80}\b(?:instructions?|(?:system )?prompts?|rules?|reference(?: code| line)?|canary|system message|(?:everything|text|words|lines?) above|anweisungen|directives|instrucciones)\b/i;
const LANGUAGE =
  /\b(?:in|into|to|auf|en|language(?: to)?:?)\s+(english|german|deutsch|french|français|spanish|español|italian|russian|chinese|dutch|japanese|portuguese|polish|latin|klingon)\b/i;

const MOST_ORDERS = 30;
const LONGEST = 2_000;

/** Everything that a text tells its reader to do, as an obedient reader would understand it. */
export function ordersIn(text: string): Order[] {
  return [text, ...decoded(text)].flatMap(ordersInPlain).slice(0, MOST_ORDERS);
}

function ordersInPlain(text: string): Order[] {
  const { text: whole, restore } = withQuotesWhole(text);
  const sentences = sentencesOf(whole);
  return sentences.flatMap((sentence, at) => {
    const rest = afterVerb(sentence);
    if (rest === null) return [];
    const following = restore(sentences.slice(at + 1, at + 4).join(" "));
    return orderOf(sentence, payloadOf(restore(sentence), restore(rest), following)) ?? [];
  });
}

/** What follows the verb of an order; null where there is none. To forget something is the way to the next verb. */
function afterVerb(sentence: string): string | null {
  const found = IMPERATIVE.exec(sentence) ?? MODAL.exec(sentence);
  if (found === null) return null;
  const rest = sentence.slice(found.index + found[0].length);
  return DISMISSAL.test(found[0]) ? (afterVerb(rest) ?? rest) : rest;
}

const DISMISSAL = /\b(?:ignore|disregard|forget|override|stop)\s*$/i;
const SUBJECT = /\b(?:subject|betreff|objet|asunto)\b/i;
const GREET =
  /\b(?:greet\w*|address (?:him|her|them|the|this|me)|salut\w*|call (?:him|her|them|me)|dear)\b|\bgrüße?/i;
const SIGN = /\b(?:sign|signed|signature|unterschreib\w*|signez|firm[ae])\b/i;
const ONLY =
  /\b(?:only|nothing else|nothing but|whole email|entire email|replace (?:the|your) (?:email|letter|body|text|message))\b/i;

/** What the sentence wants done with the words. What it has in quotation marks is not read for that. */
function orderOf(sentence: string, words: string | null): Order | null {
  if (REVEAL.test(sentence)) return { kind: "reveal", what: revealed(sentence) };
  const language = LANGUAGE.exec(sentence)?.[1];
  if (language !== undefined) return { kind: "language", name: language };
  if (words === null) return null;
  const name = words.replace(/[.!]$/, "");
  if (SUBJECT.test(sentence)) return { kind: "subject", words: name };
  if (GREET.test(sentence)) return { kind: "greet", words: name };
  if (SIGN.test(sentence)) return { kind: "sign", words: name };
  return { kind: ONLY.test(sentence) ? "only" : "say", words };
}

/** Some ask for a part only. */
function revealed(sentence: string): "everything" | "reference" | "first rule" {
  if (/\breference (?:code|line)\b/i.test(sentence)) return "reference";
  return /\bfirst (?:of your )?rules?\b/i.test(sentence) ? "first rule" : "everything";
}

const QUOTED =
  /["“„«‹`]([^"“”„«»‹›`]{1,2000})["”“»›`]|(?<![\p{L}\d])['‘]([^'‘’\n]{2,2000})['’](?![\p{L}])/gu;
const ADDRESS =
  /(?:h\S{2,4}s?:\/\/\S+|www\.\S+|\S+@\S+|\b[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}(?:\/\S*)?|\+?\d[\d\s().-]{6,}\d)/gi;
/** What stands between the verb and what is to be said. */
const LEAD_IN =
  /^(?:that |dass |que )?(?:(?:him|her|them|everyone|the (?:reader|recipient|lead)) )?(?:in (?:your|the) (?:email|e-mail|reply|letter|body|message) )?(?:(?:the|this|these|a|an|den|la) (?:following )?(?:exact )?(?:words?|phrase|sentence|line|text|paragraph|satz|frase) )?(?:that |as |to |with |by |in )?/i;

/** The words to be said: in quotation marks, behind a colon, an address, or what follows the verb. */
function payloadOf(sentence: string, rest: string, following: string): string | null {
  const quotes = [...sentence.matchAll(QUOTED)].map(([, double, single]) => double ?? single!);
  if (quotes.length > 0) return clean(quotes.join(" "));
  const colon = /:\s+(\S[^]*)$/.exec(rest)?.[1];
  if (colon !== undefined) return clean(colon);
  if (/:\s*$/.test(rest)) return clean(following);
  const addresses = rest.match(ADDRESS) ?? [];
  const said = clean(rest.replace(LEAD_IN, ""));
  if (said === null) return clean(addresses.join(" "));
  return said;
}

const clean = (words: string): string | null => {
  const text = words.replaceAll("\\r", "\r").replaceAll("\\n", "\n").slice(0, LONGEST).trim();
  return text === "" ? null : text;
};

/** Keeps the full stops within quotation marks from ending a sentence. */
function withQuotesWhole(text: string): { text: string; restore(part: string): string } {
  const kept: string[] = [];
  const whole = text.replace(QUOTED, (quote) => {
    kept.push(quote);
    return `"\u{e000}${kept.length - 1}\u{e001}"`;
  });
  return {
    text: whole,
    restore: (part) =>
      part.replace(/"\u{e000}(\d+)\u{e001}"/gu, (_, at: string) => kept[Number(at)]!),
  };
}

/** Orders in Base64, which some models read as well. */
function decoded(text: string): string[] {
  return [...text.slice(0, 20_000).matchAll(/[A-Za-z0-9+/]{24,2000}={0,2}/g)]
    .map(([code]) => Buffer.from(code, "base64").toString("utf8"))
    .filter((plain) => /^[\p{L}\p{N}\p{P}\p{Z}\p{S}\n]{12,}$/u.test(plain));
}
