import { wordsOf } from "../../normalize-text.ts";
import { ciphersIn } from "./ciphers.ts";
import type { Place, Span } from "./sentences.ts";

const MAX_HIDDEN = 40;
const LONGEST = 2_000;

/**
 * What a text says to a reader who decodes it: Base64, hexadecimal, binary and decimal codes, percent signs and entities,
 * Morse, letters set apart or turned round, shifted alphabets, digits and foreign letters in the place of Latin ones.
 * Only what then reads as words. A text that hides nothing costs a search for each.
 */
export function hiddenIn(text: string, sentences: readonly Span[]): Hidden[] {
  const found = [...codesIn(text), ...sentences.flatMap(inSentence)];
  return found
    .map((each) => ({ ...each, plain: each.plain.slice(0, LONGEST) }))
    .slice(0, MAX_HIDDEN);
}

/** A hidden text once decoded, and the place of what hides it. */
export interface Hidden extends Place {
  plain: string;
}

const inSentence = ({ text, start, end }: Span): Hidden[] =>
  [...foreignLettersIn(text), ...ciphersIn(text)].map((plain) => ({ plain, start, end }));

const bytes = (codes: readonly number[]): string =>
  new TextDecoder().decode(Uint8Array.from(codes));

const numbers =
  (base: number, digits: RegExp) =>
  (run: string): string =>
    bytes((run.match(digits) ?? []).map((each) => Number.parseInt(each, base)));

/** Letters of some language, mostly, and nothing that text does not have. */
function isLegible(text: string): boolean {
  if (text.length < 4 || /[\ufffd\u0000-\u0008\u000e-\u001f]/.test(text)) return false;
  const letters = text.match(/[\p{L}\p{N} .,'"!?\n-]/gu)?.length ?? 0;
  return letters >= 0.9 * text.length && wordsOf(text).some((word) => /\p{L}{3}/u.test(word));
}

function base64(run: string): string {
  const code = run.replace(/\s+/g, "").replaceAll("-", "+").replaceAll("_", "/");
  try {
    return bytes([...atob(code.replace(/=+$/, ""))].map((each) => each.charCodeAt(0)));
  } catch {
    return "";
  }
}

function percents(run: string): string {
  const codes = run.match(/%[0-9a-f]{2}|[^%]|%/gi) ?? [];
  return bytes(
    codes.flatMap((each) =>
      each.length === 3
        ? [Number.parseInt(each.slice(1), 16)]
        : [...new TextEncoder().encode(each === "+" ? " " : each)],
    ),
  );
}

const entities = (run: string): string =>
  run
    .replaceAll(/&nbsp;?/gi, " ")
    .replaceAll(/&#x([0-9a-f]{2,6});?/gi, (_, hex: string) => character(Number.parseInt(hex, 16)))
    .replaceAll(/&#(\d{2,7});?/g, (_, decimal: string) => character(Number(decimal)));

const escapes = (run: string): string =>
  run.replaceAll(/\\[ux]\{?([0-9a-f]{2,6})\}?/gi, (_, hex: string) =>
    character(Number.parseInt(hex, 16)),
  );

const character = (code: number): string => (code <= 0x10ffff ? String.fromCodePoint(code) : "");

const MORSE = new Map(
  (
    ".- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. -- -. --- .--. --.- .-. ... - ..- ...- .-- -..- -.-- --.. " +
    "----- .---- ..--- ...-- ....- ..... -.... --... ---.. ----."
  )
    .split(" ")
    .map((code, at) => [code, "abcdefghijklmnopqrstuvwxyz0123456789"[at]!]),
);

const morse = (run: string): string =>
  run
    .replaceAll(/[·•]/g, ".")
    .split(/ ?[/|] ?| {2,}/)
    .map((word) =>
      word
        .trim()
        .split(" ")
        .map((code) => MORSE.get(code) ?? "")
        .join(""),
    )
    .join(" ");

/** Letters one by one. What stands between words is more, or another mark, than between letters. */
const setApart = (run: string): string => {
  const isMarked = /[\p{L}\p{N}][.,:_*~|–—-][\p{L}\p{N}]/u.test(run);
  return run.replaceAll(
    /([\p{L}\p{N}])([ .,:_*~|–—-]{1,3})/gu,
    (_, letter: string, between: string) =>
      between.length > 1 || (isMarked && between === " ") ? `${letter} ` : letter,
  );
};

const regional = (run: string): string =>
  [...run]
    .map((each) =>
      /\s/.test(each) ? each : String.fromCodePoint(each.codePointAt(0)! - 0x1f1e6 + 97),
    )
    .join("");

const SMALL = Object.fromEntries(
  [..."ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ"].map((each, at) => [each, "abcdefghijklmnoprstuvwyz"[at]!]),
);
const smallCapitals = (run: string): string => [...run].map((each) => SMALL[each] ?? each).join("");

const CODES: [RegExp, (run: string) => string][] = [
  [/[A-Za-z0-9+/_-]{12,}={0,2}/g, base64],
  [
    /(?<![A-Za-z0-9+/_-])(?:(?=[A-Za-z0-9+/_-]{0,75}?(?:[a-z][A-Z]|\d))[A-Za-z0-9+/_-]{4,76}[ \n]){2,10}[A-Za-z0-9+/_-]{2,76}={0,2}/g,
    base64,
  ],
  [
    /(?:(?:\\x|0x|%|\b)?[0-9a-f]{2}[ :,;]{0,2}){6,}/gi,
    numbers(16, /(?<!\b0)(?:[1-9a-f][0-9a-f]|0[9ad])/gi),
  ],
  [/(?:[01]{8}[ ,]?){4,}/g, numbers(2, /[01]{8}/g)],
  [/(?:\b(?:3[2-9]|[4-9]\d|1[01]\d|12[0-6])\b[ ,;.-]{1,2}){5,}\d{2,3}/g, numbers(10, /\d+/g)],
  [/(?:[^\s%]{0,40}%[0-9a-f]{2}){3,}\S{0,400}/gi, percents],
  [/(?:[^&\n]{0,20}&(?:#\d{2,7}|#x[0-9a-f]{2,6}|nbsp);?){3,}[^&\n]{0,60}/gi, entities],
  [/(?:\S{0,30}?\\[ux]\{?[0-9a-f]{2,6}\}?){3,}\S{0,60}/gi, escapes],
  [/(?:[.·•-]{1,6}(?: ?[/|] ?| {1,3}|$)){8,}[.·•-]{0,6}/g, morse],
  [
    /(?<![\p{L}\p{N}])(?:[\p{L}\p{N}][ .,:_*~|–—-]{1,3}){5,}[\p{L}\p{N}](?![\p{L}\p{N}])/gu,
    setApart,
  ],
  [/[\u{1f1e6}-\u{1f1ff}\s]{6,}/gu, regional],
  [/(?:[ᴀ-ᴢɢʜɪɴʀʏʟʙꜰꜱ]+[a-zx\s]*){2,}/gu, smallCapitals],
];

const codesIn = (text: string): Hidden[] =>
  CODES.flatMap(([pattern, decode]) =>
    [...text.matchAll(pattern)].slice(0, MAX_HIDDEN).flatMap((match) => {
      const [run] = match;
      const plain = decode(run.slice(0, 2 * LONGEST));
      if (!isLegible(plain)) return [];
      const place = { start: match.index, end: match.index + run.length };
      return [plain, ...codesIn1(plain)].map((each) => ({ plain: each, ...place }));
    }),
  );

/** Codes within what was decoded, once. */
const codesIn1 = (text: string): string[] =>
  CODES.slice(0, 1).flatMap(([pattern, decode]) =>
    [...text.matchAll(pattern)]
      .slice(0, 4)
      .map(([run]) => decode(run))
      .filter(isLegible),
  );

const ALIKE = Object.fromEntries(
  [..."аеорсухіјѕԁһԛԝѵмтвнкгпАЕОРСУХІЈЅМТВНКαεορτυνικηγωΑΕΟΡΤΥΝΙΚΗΒΖΜΧ"].map((each, at) => [
    each,
    "aeopcyxijsdhqwvmtbhkrnAEOPCYXIJSMTBHKaeoptuvikngwAEOPTYNIKHBZMX"[at]!,
  ]),
);
const LEET: Record<string, string> = {
  ...{ "0": "o", "3": "e", "4": "a", "5": "s", "6": "g", "7": "t", "8": "b", "9": "g" },
  ...{ "@": "a", $: "s", "!": "i", "€": "e", "|": "l", "+": "t" },
};

/** Words that mix alphabets, or letters and digits, as they look. */
function foreignLettersIn(sentence: string): string[] {
  const mixed =
    /\p{Script=Latin}[\p{Script=Cyrillic}\p{Script=Greek}]|[\p{Script=Cyrillic}\p{Script=Greek}]\p{Script=Latin}/u;
  if (mixed.test(sentence)) return [[...sentence].map((each) => ALIKE[each] ?? each).join("")];
  const words = sentence.match(/[\p{L}\d@$!€|+]+/gu) ?? [];
  const odd = words.filter(
    (word) =>
      /[a-z][\d@$€|]+[a-z]|^\d[a-z]|[a-z]\d$/i.test(word) &&
      !/^\d+(?:st|nd|rd|th|km|kg|am|pm|h|m|x|k)$/i.test(word),
  );
  if (odd.length < 2 || odd.length < words.length / 4) return [];
  return ["i", "l"].map((one) =>
    sentence.replaceAll(/[\d@$!€|+](?=[\p{L}\d@$])|(?<=[\p{L}\d@$])[\d@$€|+]/gu, (each) =>
      each === "1" ? one : (LEET[each] ?? each),
    ),
  );
}
