/**
 * Letters beyond a-z as addresses spell them. Our own tables of three scripts, about 1 kB gzipped, because a package for all of
 * them weighs 55: what Han, Arabic or Hebrew names are in Latin letters cannot be read off their letters anyway.
 */

/** A Latin letter's two usual spellings: as if its mark were not there, and with the sound written out. */
const LATIN: Record<string, [plain: string, writtenOut: string]> = {
  ä: ["a", "ae"],
  ö: ["o", "oe"],
  ü: ["u", "ue"],
  å: ["a", "aa"],
  ø: ["o", "oe"],
  æ: ["ae", "a"],
  œ: ["oe", "o"],
  ß: ["ss", "s"],
  ı: ["i", "i"],
  ł: ["l", "l"],
  đ: ["d", "dj"],
  ð: ["d", "dh"],
  þ: ["th", "t"],
  ħ: ["h", "h"],
  ŋ: ["n", "ng"],
  ŧ: ["t", "t"],
  ə: ["a", "e"],
};

/** The first spelling after BGN/PCGN, the second after ICAO Doc 9303, which passports follow. */
const CYRILLIC: Record<string, [string, string?]> = {
  а: ["a"],
  б: ["b"],
  в: ["v"],
  г: ["g"],
  ґ: ["g"],
  д: ["d"],
  ѓ: ["gj"],
  ђ: ["dj"],
  е: ["e"],
  ё: ["e", "yo"],
  є: ["ye", "ie"],
  ж: ["zh"],
  з: ["z"],
  ѕ: ["dz"],
  и: ["i"],
  і: ["i"],
  ї: ["yi", "i"],
  й: ["y", "i"],
  ј: ["j"],
  к: ["k"],
  ќ: ["kj"],
  л: ["l"],
  љ: ["lj"],
  м: ["m"],
  н: ["n"],
  њ: ["nj"],
  о: ["o"],
  п: ["p"],
  р: ["r"],
  с: ["s"],
  т: ["t"],
  ћ: ["c"],
  у: ["u"],
  ў: ["u"],
  ф: ["f"],
  х: ["kh", "h"],
  ц: ["ts"],
  ч: ["ch"],
  џ: ["dz"],
  ш: ["sh"],
  щ: ["shch"],
  ъ: ["", "ie"],
  ы: ["y"],
  ь: [""],
  э: ["e"],
  ю: ["yu", "iu"],
  я: ["ya", "ia"],
};

/** Where a country's own rule differs from the one above, by the last label of the domain. */
const CYRILLIC_OF: Record<string, Record<string, string>> = {
  ua: { г: "h", и: "y", х: "kh" },
  bg: { х: "h", щ: "sht", ъ: "a", й: "y" },
  rs: { ж: "z", ч: "c", ш: "s", х: "h", ц: "c" },
  mk: { ж: "z", ч: "c", ш: "s", х: "h", ц: "c" },
};

/** Whole endings and pairs come before single letters. The second spelling as people write it, not after the standard. */
const GREEK: [letters: string, standard: string, everyday?: string][] = [
  ["ου", "ou"],
  ["ευ", "ef"],
  ["αυ", "av", "af"],
  ["μπ", "mp", "b"],
  ["ντ", "nt", "d"],
  ["γκ", "gk", "g"],
  ["γγ", "ng"],
  ["γχ", "nch"],
  ["α", "a"],
  ["β", "v"],
  ["γ", "g"],
  ["δ", "d"],
  ["ε", "e"],
  ["ζ", "z"],
  ["η", "i"],
  ["θ", "th"],
  ["ι", "i"],
  ["κ", "k"],
  ["λ", "l"],
  ["μ", "m"],
  ["ν", "n"],
  ["ξ", "x"],
  ["ο", "o"],
  ["π", "p"],
  ["ρ", "r"],
  ["σ", "s"],
  ["ς", "s"],
  ["τ", "t"],
  ["υ", "y", "i"],
  ["φ", "f"],
  ["χ", "ch", "h"],
  ["ψ", "ps"],
  ["ω", "o"],
];

/** Of two spellings the share that is written out, where the domain's country has a habit. */
const WRITTEN_OUT: Record<string, number> = {
  de: 0.75,
  at: 0.75,
  ch: 0.65,
  li: 0.65,
  lu: 0.6,
  dk: 0.45,
  no: 0.35,
  se: 0.06,
  fi: 0.05,
  is: 0.05,
  ee: 0.05,
  hu: 0.04,
  tr: 0.03,
  vn: 0,
};
const WRITTEN_OUT_ELSEWHERE = 0.4;
const SECOND_CYRILLIC = 0.3;

export interface Spelling {
  text: string;
  /** The share of people with this name at such a domain who spell it so. */
  weight: number;
}

/** The word in a-z, in its one or two spellings, the likelier first; none for a script whose letters do not tell. */
export function spellings(word: string, topLevel: string): Spelling[] {
  const lower = word.toLowerCase().normalize("NFC");
  if (/\p{Script=Cyrillic}/u.test(lower))
    return weigh(cyrillic(lower, 0, topLevel), cyrillic(lower, 1, topLevel), SECOND_CYRILLIC);
  if (/\p{Script=Greek}/u.test(lower)) return weigh(greek(lower, 0), greek(lower, 1), 0.4);
  const writtenOut = WRITTEN_OUT[topLevel] ?? WRITTEN_OUT_ELSEWHERE;
  return weigh(latin(lower, 0), latin(lower, 1), writtenOut);
}

/** The one spelling by which names are compared: marks and case make no difference. */
export const plainSpelling = (word: string): string => spellings(word, "se")[0]?.text ?? "";

function weigh(first: string, second: string, share: number): Spelling[] {
  if (first === "" || first === second) return first === "" ? [] : [{ text: first, weight: 1 }];
  const both = [
    { text: first, weight: 1 - share },
    { text: second, weight: share },
  ];
  return both.toSorted((a, b) => b.weight - a.weight);
}

const latin = (word: string, form: 0 | 1): string =>
  ascii([...word].map((letter) => LATIN[letter]?.[form] ?? letter).join(""));

function cyrillic(word: string, form: 0 | 1, topLevel: string): string {
  const home = CYRILLIC_OF[/[ґєії]/.test(word) ? "ua" : topLevel] ?? {};
  const spell = (letter: string) =>
    home[letter] ?? CYRILLIC[letter]?.[form] ?? CYRILLIC[letter]?.[0] ?? letter;
  // What a family name ends in is one letter to everybody but the standards.
  return ascii([...word.replace(/(ий|ый)$/, form === 0 ? "y" : "$1")].map(spell).join(""));
}

function greek(word: string, form: 0 | 1): string {
  const bare = word.normalize("NFD").replace(/\p{M}/gu, "");
  const pairs = new RegExp(GREEK.map(([letters]) => letters).join("|"), "g");
  return ascii(
    bare.replace(pairs, (letters) => {
      const [, standard, everyday] = GREEK.find(([each]) => each === letters)!;
      return form === 0 ? standard : (everyday ?? standard);
    }),
  );
}

const ascii = (text: string): string => text.normalize("NFKD").replace(/[^a-z0-9]/g, "");
