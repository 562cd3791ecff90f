import { isCommonFirstName } from "./common-names.ts";
import { plainSpelling, spellings } from "./letters.ts";
import { isSamePerson, otherNames } from "./nicknames.ts";
import { servantSpellings } from "./servant-names.ts";
import { isVietnamese } from "./vietnamese.ts";
import type { PersonName } from "./read-name.ts";

/** One way to write a part of a name in an address. */
export interface Form {
  /** a-z, 0-9 and hyphens. */
  text: string;
  /** What stands for it where a pattern has one letter. */
  initial: string;
  /** The share of such people whose address has it so; all forms of a part add up to 1 at most. */
  weight: number;
  /** Both first names together. */
  isJoined: boolean;
  /** Not the first name that was asked for: a nickname's long form, the short one, or the last word of several. */
  isOther: boolean;
  /** Where it stands written out it is rather a colleague's: Hans is one man and Johannes another, j.kessel may be his. */
  isInitialOnly: boolean;
}

export interface NameForms {
  given: Form[];
  /** The initial of a second first name, if there is one. */
  middle: string | null;
  family: Form[];
}

/** Forms beyond so many have hardly any weight left. */
const MAX_FORMS = 10;

/** Countries where of two family names the last one is used alone; in those of Spanish it is the first. */
const LAST_OF_TWO = new Set(["br", "pt"]);

/** How the two parts of a name are written in addresses at a domain that ends in `topLevel`. */
export function formsOf(name: PersonName, topLevel: string): NameForms {
  // Their đ is a d everywhere.
  const place = isVietnamese(name) ? "vn" : topLevel;
  const spell = (forms: Form[]) => spellOut(forms, place);
  const given = spell(givenForms(name));
  return {
    given: isVietnamese(name) ? given : withOtherNames(given, name.calledBy, topLevel),
    middle: spell([form(name.given[1] ?? "", 1)])[0]?.initial ?? null,
    family: spell(familyForms(name, topLevel)),
  };
}

const form = (text: string, weight: number, initial = "", is: Partial<Form> = {}): Form => ({
  text,
  weight,
  initial,
  isJoined: false,
  isOther: false,
  isInitialOnly: false,
  ...is,
});

function givenForms(name: PersonName): Form[] {
  const { given } = name;
  const [first = "", second] = given;
  if (second === undefined) return compoundForms(first);
  if (isVietnamese(name)) return lastWordForms(given);
  const joined = (weight: number) => form(first + second, weight, "", { isJoined: true });
  // "J. P." goes by both of them.
  if (first.length === 1 && second.length === 1) return [form(first, 0.6), joined(0.4)];
  // "J. Robert" goes by the name that is written out.
  if (first.length === 1)
    return [form(first, 0.25), ...weighted(compoundForms(second), 0.7), joined(0.05)];
  if (second.length === 1) return [...weighted(compoundForms(first), 0.97), joined(0.03)];
  // María José goes by both: jose alone is a man.
  const bySecond = isCommonFirstName(plainSpelling(second)) ? 0 : 0.06;
  return [
    ...weighted(compoundForms(first), 0.72 - bySecond),
    ...weighted(compoundForms(second), bySecond),
    joined(0.28),
  ];
}

/** Thị Thu Hà is called Hà, and has the other words before it or has them not. */
function lastWordForms(given: readonly string[]): Form[] {
  const last = given.at(-1)!;
  return [
    form(given.join(""), 0.12, last[0], { isJoined: true }),
    form(last, 0.78, "", { isOther: true }),
    ...(given.length > 2 ? [form(given.slice(-2).join(""), 0.1, last[0], { isOther: true })] : []),
  ];
}

/** Jean-Luc: jeanluc, jean-luc, jean; of one word itself. */
function compoundForms(word: string): Form[] {
  const servant = servantSpellings(word);
  if (servant !== null) return servant.map((each, at) => form(each, [0.6, 0.25, 0.15][at]!));
  const parts = word.split("-");
  if (parts.length === 1) return [form(word, 1)];
  const initials = parts.map((part) => part[0]).join("");
  return [form(parts.join(""), 0.45), form(word, 0.35, initials), form(parts[0]!, 0.2)];
}

function familyForms({ particles, family }: PersonName, topLevel: string): Form[] {
  const core = coreForms(family, topLevel);
  if (particles.length === 0) return core;
  const joined = particles.join("");
  const initials = particles.map((word) => word[0]).join("");
  return [
    ...core.map((each) => form(joined + each.text, each.weight * 0.62)),
    ...weighted(core, 0.22),
    ...core.map((each) => form([...particles, each.text].join("-"), each.weight * 0.06)),
    ...core.map((each) => form([...particles, each.text].join("."), each.weight * 0.06)),
    ...core.map((each) => form(initials + each.text, each.weight * 0.04)),
  ];
}

function coreForms(family: string[], topLevel: string): Form[] {
  const [first = "", ...more] = family;
  // "Núñez y Vega", "Gómez de Liaño": the small words in between belong to the whole alone.
  const second = more.at(-1);
  if (second !== undefined && more.length > 1)
    return [
      form(first, 0.5),
      form(family.join(""), 0.35),
      form(first + second, 0.1),
      form(second, 0.05),
    ];
  if (second !== undefined) {
    const [byFirst, bySecond] = LAST_OF_TWO.has(topLevel) ? [0.1, 0.6] : [0.55, 0.12];
    return [
      form(first, byFirst),
      form(first + second, 0.25),
      form(second, bySecond),
      form(`${first}-${second}`, 0.05),
    ];
  }
  const [before, ...behind] = first.split("-");
  if (behind.length > 0)
    return [
      form(first.replaceAll("-", ""), 0.38),
      form(first, 0.34),
      form(before!, 0.14),
      form(behind.at(-1)!, 0.14),
    ];
  return apostropheForms(first);
}

/** O'Brien: obrien, then o.brien, o-brien and brien. */
function apostropheForms(word: string): Form[] {
  const [before = "", ...behind] = word.split("'");
  if (behind.length === 0) return [form(word, 1)];
  const rest = behind.join("");
  return [
    form(before + rest, 0.86),
    form(`${before}.${rest}`, 0.06),
    form(`${before}-${rest}`, 0.04),
    form(rest, 0.04),
  ];
}

const weighted = (forms: Form[], share: number): Form[] =>
  forms.map((each) => ({ ...each, weight: each.weight * share }));

/** The forms in a-z, with both spellings where letters have two. */
function spellOut(forms: Form[], topLevel: string): Form[] {
  const spelled = forms.flatMap(({ text, weight, initial, ...is }) =>
    joinSpellings(text, topLevel).map((spelling) => ({
      ...is,
      text: spelling.text,
      initial: spellings(initial, topLevel)[0]?.text ?? spelling.text[0] ?? "",
      weight: weight * spelling.weight,
    })),
  );
  return merge(spelled);
}

/** Word by word, because hyphens and dots between them stay. All words take the same spelling. */
function joinSpellings(text: string, topLevel: string) {
  const words = text.split(/([.-])/).map((word) => ({ word, spelled: spellings(word, topLevel) }));
  const isSeparator = (word: string) => word === "-" || word === ".";
  if (words.some(({ word, spelled }) => spelled.length === 0 && !isSeparator(word))) return [];
  const longest = words.find(({ spelled }) => spelled.length > 1)?.spelled ?? [{ weight: 1 }];
  return longest.map(({ weight }, at) => ({
    weight,
    text: words.map(({ word, spelled }) => (spelled[at] ?? spelled[0])?.text ?? word).join(""),
  }));
}

const CALLED_BY = 0.4;
/** Who gives a short name has it in the address less often than who gives the long one has the short. */
const OTHERS = { called: 0.1, formal: 0.3, formalOfFormal: 0.08 };

function withOtherNames(forms: Form[], calledBy: string | null, topLevel: string): Form[] {
  const spelled = spellings(calledBy ?? "", topLevel)[0]?.text;
  const own = spelled === undefined ? forms : weighted(forms, 1 - CALLED_BY);
  const bracketed = spelled === undefined ? [] : [form(spelled, CALLED_BY, spelled[0])];
  const main = own[0];
  if (main === undefined) return bracketed;
  const { called, formal, isFormal } = otherNames(main.text);
  const others = [
    ...dealt(called, OTHERS.called),
    ...dealt(formal, isFormal ? OTHERS.formalOfFormal : OTHERS.formal),
  ].map((each) =>
    form(each.text, each.weight * main.weight, each.text[0], {
      isOther: true,
      isInitialOnly: !isSamePerson(main.text, each.text),
    }),
  );
  const taken = others.reduce((sum, { weight }) => sum + weight, 0);
  return merge([
    { ...main, weight: main.weight - taken },
    ...own.slice(1),
    ...bracketed,
    ...others,
  ]);
}

/** The likelier in front get more: halves, and the last one what is left. */
function dealt(names: string[], share: number): { text: string; weight: number }[] {
  const shares = names.map((_, at) => 2 ** -at);
  const sum = shares.reduce((total, each) => total + each, 0);
  return names.map((text, at) => ({ text, weight: (share * shares[at]!) / sum }));
}

function merge(forms: Form[]): Form[] {
  const byText = new Map<string, Form>();
  for (const each of forms) {
    if (each.text === "" || each.weight <= 0) continue;
    const known = byText.get(each.text);
    byText.set(each.text, known ? { ...known, weight: known.weight + each.weight } : each);
  }
  return [...byText.values()].toSorted((a, b) => b.weight - a.weight).slice(0, MAX_FORMS);
}
