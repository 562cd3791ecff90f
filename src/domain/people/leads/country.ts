/** Languages in which a country's name is understood. */
const LANGUAGES = ["en", "de", "fr", "es", "it", "pt", "nl"];

/** Country names that people write and no standard list has. */
const MORE_NAMES: Record<string, string> = {
  uk: "GB",
  "great britain": "GB",
  england: "GB",
  scotland: "GB",
  wales: "GB",
  "united states of america": "US",
  "u s a": "US",
  "the netherlands": "NL",
  holland: "NL",
  "czech republic": "CZ",
  "south korea": "KR",
  russia: "RU",
  turkey: "TR",
  usa: "US",
  uae: "AE",
};

let byName: Map<string, string> | undefined;

/** ISO 3166-1 alpha-2 of a code or a name in one of seven languages; null when it is none. */
export function readCountry(text: string): string | null {
  byName ??= listCountries();
  const name = normalise(text);
  if (/^[a-z]{2}$/.test(name) && name !== "uk") {
    const code = name.toUpperCase();
    return byName.get(`=${code}`) ?? null;
  }
  return byName.get(name) ?? null;
}

function listCountries(): Map<string, string> {
  const found = new Map(Object.entries(MORE_NAMES));
  const letters = Array.from({ length: 26 }, (_, index) => String.fromCharCode(65 + index));
  const codes = letters.flatMap((first) => letters.map((second) => first + second));
  for (const language of LANGUAGES) {
    const names = new Intl.DisplayNames([language], { type: "region", fallback: "none" });
    for (const code of codes) {
      const name = names.of(code);
      if (name === undefined || NOT_COUNTRIES.has(code)) continue;
      found.set(`=${code}`, code);
      if (!found.has(normalise(name))) found.set(normalise(name), code);
    }
  }
  return found;
}

/** Codes that have a name in Unicode's list and are no country in ISO 3166-1: unions, former states, user-assigned ones. */
const NOT_COUNTRIES = new Set(
  "AC AN BU CP CQ CS CT DD DG DY EA EU EZ FQ FX HV IC JT MI NH NQ NT PC PU PZ QO QU RH SU TA TP UK UN VD WK XA XB YD YU ZR ZZ".split(
    " ",
  ),
);

/** Case, accents and punctuation do not matter. */
function normalise(name: string): string {
  return name
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^\p{L}]+/gu, " ")
    .trim();
}
