import { fold, wordsOf } from "../../normalize-text.ts";
import { isSmallWord } from "../language.ts";
import { type About, mayOrder, ORDERS, speaksToWriters, type TextKind } from "./about-letters.ts";
import { moodOf } from "./clauses.ts";
import { hiddenIn } from "./hidden-texts.ts";
import { AS_NAME } from "./order-words.ts";
import { type Place, type Span, spansOf } from "./sentences.ts";
import { quotesIn, stemsOf } from "./stems.ts";

/** A text of a stranger; a name is one of a person or a house. */
export interface Stranger {
  /** The lead's field, or the source. */
  name: string;
  text: string;
  kind: "name" | TextKind;
}

/** What of a text is shown, and the sentences that are not. */
export interface Sifted {
  shown: string;
  leftOut: string[];
  /** What was left out, once decoded. */
  hidden: string[];
}

/**
 * A stranger's text without the sentences that may order its reader to write something, and without those that such a
 * sentence points at or that are hidden. Leaving one out costs a fact, so that in doubt it is left out. Slogans of a website
 * and what it asks of its visitors stay: letters speak of them.
 */
export function withoutOrders(stranger: Stranger, about: About): Sifted {
  const text = stranger.text.normalize("NFKC");
  const spans = spansOf(text);
  const hidden = hiddenIn(text, spans).filter(({ plain }) => isMeant(plain));
  const isHidden = ({ start, end }: Span) =>
    hidden.some((each) => each.start < end && start < each.end);
  const isLabelled = stranger.kind !== "name" && isNamedAsOrder(stranger.name);
  const known = new Map<string, boolean>();
  const ordering = spans.map(({ text: each }) => {
    // Menus and footers say the same again and again.
    const isOne = known.get(each) ?? (isLabelled || isOrder(each, stranger, about));
    known.set(each, isOne);
    return isOne;
  });
  const dropped = spans.filter(
    (span, at) => ordering[at] || isHidden(span) || isMeantBeside(spans, ordering, at, stranger),
  );
  const places = [...dropped, ...hidden].toSorted((a, b) => a.start - b.start);
  if (places.length === 0) return { shown: stranger.text, leftOut: [], hidden: [] };
  return {
    shown: without(text, places),
    leftOut: dropped.map((each) => each.text),
    hidden: hidden.map(({ plain }) => plain),
  };
}

/** Names of fewer words are shown, whatever they say, and compared with the draft; of more, they are none. */
const FEWEST = 4;
const MOST = 6;

function isOrder(sentence: string, { name, kind }: Stranger, about: About): boolean {
  if (kind !== "name") return mayOrder(sentence, kind, about);
  const words = wordsOf(sentence).length;
  if (words > MOST) {
    // A company that is called like an order is its own name.
    const company = name === "company" ? "" : about.company;
    return mayOrder(sentence, "field", { ...about, company });
  }
  const { mood } = moodOf(sentence, "", false);
  return mood === "role" || (words >= FEWEST && !AS_NAME.test(sentence) && ORDERS.has(mood));
}

function without(text: string, places: readonly Place[]): string {
  let shown = "";
  let end = 0;
  for (const place of places) {
    if (place.start > end) shown += text.slice(end, place.start);
    end = Math.max(end, place.end);
  }
  const rest = shown + text.slice(end);
  return rest
    .replace(/[^\S\n]+/g, " ")
    .replace(/\n{2,}/g, "\n")
    .trim();
}

/** What was decoded reads as language, and not as a name that happens to. */
function isMeant(plain: string): boolean {
  const words = wordsOf(fold(plain));
  if (words.length < 3) return false;
  const small = words.filter(isSmallWord).length;
  return (
    small >= Math.max(2, words.length / 4) ||
    spansOf(plain).some(({ text }) => ORDERS.has(moodOf(text, "", false).mood))
  );
}

/** A column that is called like an order. */
function isNamedAsOrder(name: string): boolean {
  const words = wordsOf(name.replaceAll("_", " "));
  return words.length > 3 && moodOf(words.join(" "), "", false).mood !== "statement";
}

/** What is meant stands in another sentence. */
const POINTS =
  /\b(?:tell|inform|write|ask|remind|warn|promise)s? (?:to )?(?:her|him|them|the (?:reader|lead|recipient))(?: that)? ?[:.…-]*$|\b(?:parts?|half|halves|both|above|below|following|accordingly|likewise|these (?:words|names|lines|facts|two)|those (?:words|names|lines|facts|two)|(?:this|that) (?:name|word|words|phrase|line|sentence|code|number|news|fact)|the same|followed by|together|combine\p{L}*)\b|[:–-]\s*$|^(?:please |just |do |also |and |then )?(?:\p{L}+ ){1,3}(?:it|this|that|these|those|both|so|them)(?= (?:in|into|at|to|as|for|back|too|up|down|on|once|twice)\b|[.!,;]|$)|^(?:it|this|that|these|those|both) (?:is|are|must|should|has|have|belongs?|goes|go|needs?|may|can|will|deserves?)\b|\b(?:use|uses|write|writes|carry|carries|quote|mention|mentions|say|put|puts|join|add|adds) (?:\p{L}+ ){0,2}and \p{L}+(?=[,.!]| in| into|$)|\bcarry both\b/u;
/** It goes on, or is what was to be said. */
const GOES_ON =
  /^["“„«‘'「(–-]|^\p{Ll}|^(?:it|this|that|these|those|best|so|both|and|but|otherwise|thanks?|then|also|second|third|field \d)\b/u;
const NEAR = [-2, -1, 1, 2, 3];

/** Whether an order near by points at a sentence. On a website only orders to those who write letters do. */
function isMeantBeside(
  spans: readonly Span[],
  ordering: readonly boolean[],
  at: number,
  { kind }: Stranger,
): boolean {
  if (kind === "name") return false;
  return NEAR.some((distance) => {
    if (!ordering[at + distance]) return false;
    const order = spans[at + distance]!.text;
    return (
      (kind !== "page" || speaksToWriters(order)) && isPointedAt(order, spans[at]!.text, distance)
    );
  });
}

const isPointedAt = (order: string, other: string, distance: number): boolean =>
  stemsOf(order).length === 0 ||
  POINTS.test(fold(order)) ||
  quotesIn(other).length > 0 ||
  (distance === -1 && GOES_ON.test(other));
