/** How numbers are spelled. A word stands for one number or, from a hundred on, for what multiplies the words before it. */
const WORDS: Record<string, string> = {
  en:
    "zero=0 one=1 two=2 three=3 four=4 five=5 six=6 seven=7 eight=8 nine=9 ten=10 eleven=11 twelve=12 thirteen=13 fourteen=14 fifteen=15 " +
    "sixteen=16 seventeen=17 eighteen=18 nineteen=19 twenty=20 thirty=30 forty=40 fifty=50 sixty=60 seventy=70 eighty=80 ninety=90 " +
    "hundred=100 hundreds=100 thousand=1000 thousands=1000 million=1000000 millions=1000000 billion=1000000000 billions=1000000000 " +
    "dozen=12 dozens=12 half=0.5 quarter=0.25 twice=2 double=2 doubled=2 triple=3 tripled=3 quadruple=4 quadrupled=4 thrice=3 " +
    "first=1 second=2 third=3 fourth=4 fifth=5 sixth=6 seventh=7 eighth=8 ninth=9 tenth=10 eleventh=11 twelfth=12 twentieth=20 thirtieth=30 " +
    "fortieth=40 fiftieth=50 hundredth=100",
  de:
    "null=0 zwei=2 drei=3 vier=4 fünf=5 sechs=6 sieben=7 acht=8 neun=9 zehn=10 elf=11 zwölf=12 dreizehn=13 vierzehn=14 fünfzehn=15 " +
    "sechzehn=16 siebzehn=17 achtzehn=18 neunzehn=19 zwanzig=20 dreißig=30 vierzig=40 fünfzig=50 sechzig=60 siebzig=70 achtzig=80 " +
    "neunzig=90 hundert=100 tausend=1000 million=1000000 millionen=1000000 milliarde=1000000000 milliarden=1000000000 dutzend=12 " +
    "doppelt=2 doppelte=2 verdoppelt=2 verdreifacht=3 hälfte=0.5 drittel=3 viertel=0.25",
  fr:
    "zéro=0 deux=2 trois=3 quatre=4 cinq=5 six=6 sept=7 huit=8 neuf=9 dix=10 onze=11 douze=12 treize=13 quatorze=14 quinze=15 seize=16 " +
    "vingt=20 vingts=20 trente=30 quarante=40 cinquante=50 soixante=60 cent=100 cents=100 mille=1000 million=1000000 millions=1000000 " +
    "milliard=1000000000 milliards=1000000000 douzaine=12 double=2 doublé=2 moitié=0.5 tiers=3 quart=0.25",
  es:
    "cero=0 dos=2 tres=3 cuatro=4 cinco=5 seis=6 siete=7 ocho=8 nueve=9 diez=10 once=11 doce=12 trece=13 catorce=14 quince=15 " +
    "dieciséis=16 diecisiete=17 dieciocho=18 diecinueve=19 veinte=20 veinticinco=25 treinta=30 cuarenta=40 cincuenta=50 sesenta=60 " +
    "setenta=70 ochenta=80 noventa=90 cien=100 ciento=100 cientos=100 doscientos=200 trescientos=300 quinientos=500 mil=1000 miles=1000 " +
    "millón=1000000 millones=1000000 docena=12 doble=2 mitad=0.5 tercio=3",
};
const VALUES = Object.fromEntries(
  Object.entries(WORDS).map(([language, words]) => [
    language,
    new Map(
      words.split(" ").map((each): [string, number] => {
        const [word, value] = each.split("=");
        return [word!, Number(value)];
      }),
    ),
  ]),
);
const GERMAN_UNITS = "ein|zwei|drei|vier|fünf|sechs|sieben|acht|neun";
const GERMAN_TENS = "zwanzig|dreißig|vierzig|fünfzig|sechzig|siebzig|achtzig|neunzig";
const GERMAN = new RegExp(
  `^(?:(${GERMAN_UNITS})?(tausend))?(?:(${GERMAN_UNITS})?(hundert))?(?:(${GERMAN_UNITS})und(${GERMAN_TENS})|(\\p{L}{3,9}))?$`,
  "u",
);

/** Other words in other languages: they count in a text of their own. */
const AMBIGUOUS = new Set(
  "once elf null cent cents half quart sept mil miles six double".split(" "),
);

const IN_ANY = new Map(
  Object.values(VALUES)
    .flatMap((values) => [...values])
    .filter(([word]) => !AMBIGUOUS.has(word)),
);
const IN_EVERY = new Map(Object.values(VALUES).flatMap((values) => [...values]));

/** The number that a word in small letters stands for in any of the languages; null for any other word. */
export function numberWord(word: string, language: string): number | null {
  const value = VALUES[language]?.get(word) ?? (language in VALUES ? IN_ANY : IN_EVERY).get(word);
  if (value !== undefined) return value;
  return word.length > 6 && /zig$|ßig$|hundert|tausend/.test(word) ? germanCompound(word) : null;
}

/** "fünfundzwanzig", "dreihundert", "zweitausendvierhundert". */
function germanCompound(word: string): number | null {
  if (word.length > 60) return null;
  const [, thousands, thousand, hundreds, hundred, unit, tens, rest] = GERMAN.exec(word) ?? [];
  const simple = (text: string | undefined, absent: number) =>
    text === undefined ? absent : text === "ein" ? 1 : (VALUES["de"]!.get(text) ?? Number.NaN);
  if (thousand === undefined && hundred === undefined && tens === undefined) return null;
  const value =
    (thousand === undefined ? 0 : 1000 * simple(thousands, 1)) +
    (hundred === undefined ? 0 : 100 * simple(hundreds, 1)) +
    simple(unit, 0) +
    simple(tens, 0) +
    simple(rest, 0);
  return Number.isFinite(value) ? value : null;
}

/** "two hundred and fifty" from its words' numbers: small ones add up, a hundred and more multiply. */
export function joinNumbers(values: readonly number[]): number {
  let [total, now] = [0, 0];
  for (const value of values) {
    // "quatre-vingts" is four times twenty.
    if (value === 20 && now === 4) now = 80;
    else if (value < 100) now += value;
    else if (value === 100) now = Math.max(1, now) * 100;
    else {
      total += Math.max(1, now) * value;
      now = 0;
    }
  }
  return total + now;
}
