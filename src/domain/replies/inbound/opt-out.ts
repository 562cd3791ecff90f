import { chinese } from "./opt-out-words/chinese.ts";
import { dutch } from "./opt-out-words/dutch.ts";
import { english } from "./opt-out-words/english.ts";
import { french } from "./opt-out-words/french.ts";
import { german } from "./opt-out-words/german.ts";
import { italian } from "./opt-out-words/italian.ts";
import { japanese } from "./opt-out-words/japanese.ts";
import { type OptOutLanguage, optOutLanguage, plainLetters } from "./opt-out-words/language.ts";
import { moreLanguages } from "./opt-out-words/more-languages.ts";
import { norwegianDanish } from "./opt-out-words/norwegian-danish.ts";
import { polish } from "./opt-out-words/polish.ts";
import { portuguese } from "./opt-out-words/portuguese.ts";
import { russian } from "./opt-out-words/russian.ts";
import { spanish } from "./opt-out-words/spanish.ts";
import { swedish } from "./opt-out-words/swedish.ts";

/** `perhaps`: the lead may want no more mail, and a user should read it. */
export type StopWish = "stop" | "perhaps" | "no";

const TABLES = [
  english,
  german,
  french,
  spanish,
  portuguese,
  italian,
  dutch,
  swedish,
  norwegianDanish,
  polish,
  russian,
  japanese,
  chinese,
  moreLanguages,
];

let compiled: readonly OptOutLanguage[] | undefined;
/** Compiled for the first reply, and not at each start. */
const languages = (): readonly OptOutLanguage[] => (compiled ??= TABLES.map(optOutLanguage));

const MAX_TEXT = 1_500;
/** A word alone asks for something where greetings stand around it; beside more it may mean anything. */
const MAX_WORDS_AROUND = 6;
const LONG_LINE_GOES_ON = /(?<=[^\n]{50})\n(?=\p{Ll})/gu;

/**
 * Whether a lead asks in its own words (`visibleReply`) not to be written to any more. Being not
 * interested is no such wish, and neither is talk of newsletters, copies and waiting lists; a reply that
 * asks for less mail, or says too little, is for a user to judge.
 */
export function asksToStop(visible: string): StopWish {
  const text = visible.slice(0, MAX_TEXT).replace(LONG_LINE_GOES_ON, " ");
  // The end of a short line may be that of a sentence, or a program has wrapped it there.
  const readings = [text, text.replace(/(?<!\n)\n(?!\n)/g, " ")].map(sentencesOf);
  const wishes = readings.flatMap((sentences) =>
    languages().flatMap((language) => [
      wishAlone(language, sentences),
      ...sentences.map((_, at) => wishIn(language, sentences, at)),
    ]),
  );
  return (["stop", "perhaps"] as const).find((wish) => wishes.includes(wish)) ?? "no";
}

function wishAlone({ alone }: OptOutLanguage, sentences: readonly Sentence[]): StopWish {
  const rest = sentences.filter(({ plain }) => !alone.test(plain));
  if (rest.length === sentences.length) return "no";
  return rest.every(({ plain }) => wordCount(plain) <= MAX_WORDS_AROUND) ? "stop" : "perhaps";
}

/** About two characters are a word where no spaces part them. */
const wordCount = (plain: string): number =>
  plain.replace(/[\u3040-\u9fff]{2}/g, "$& ").split(" ").length;

/** The wish of a clause: about the things that the clause names, and narrowed by the words that follow it. */
function wishIn(
  { asks, other, narrower, elsewhere, hints }: OptOutLanguage,
  sentences: readonly Sentence[],
  at: number,
): StopWish {
  const { own, clauses } = sentences[at]!;
  const first = clauses.findIndex((each) => asks.test(each));
  if (first === -1 && !asks.test(own))
    return hints.test(own) && !other.test(own) ? "perhaps" : "no";
  const asking = clauses[first] ?? own;
  const on = first === -1 ? own : clauses.slice(first).join(" ");
  const isDoubtful =
    other.test(asking) ||
    narrower.test(on) ||
    elsewhere.test(on) ||
    sentences.slice(at + 1).some(({ plain }) => elsewhere.test(plain));
  return isDoubtful ? "perhaps" : "stop";
}

interface Sentence {
  plain: string;
  /** Without what it quotes, which is not what its writer asks for. */
  own: string;
  clauses: readonly string[];
}

/** Sentences are parted by marks and by line ends. */
function sentencesOf(text: string): Sentence[] {
  return plainLetters(text)
    .replace(/[’`´]/g, "'")
    .split(/(?<=[.!?。！？])\s+|(?<=[。！？])|\n/u)
    .map((sentence) => {
      const clauses = sentence
        .replace(QUOTED, " ")
        .split(/[,;:]|\s[-–—]\s/u)
        .map(words);
      return { plain: words(sentence), own: clauses.join(" "), clauses };
    })
    .filter(({ plain }) => plain !== "");
}

const QUOTED = /"[^"]{0,100}"|„[^“”]{0,100}[“”]|“[^”]{0,100}”|«[^»]{0,100}»|「[^」]{0,100}」/gu;

/** The words of a sentence or clause, with one space between. */
const words = (text: string): string => text.replace(/[^\p{L}\p{N}'-]+/gu, " ").trim();
