const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

/** In front of a name and no part of it, in a-z and without dots. */
export const TITLES = words(
  "mr mrs ms miss mx dr prof professor sir dame lord lady rev hon judge capt col gen lt sgt herr frau dipl ing dipling mag med phil " +
    "eng engr arch lic licda ca adv dott dottssa sig sigra mme mlle m me don dona sr sra srta dra pan pani",
);
/** A person can be called so, so these count as titles only with their dot. */
export const TITLES_WITH_DOT = words("m me don lady lord arch ca pan sr med gen col ing mag hon");

/** Behind a name and no part of it. */
export const SUFFIXES = words(
  "jr sr ii iii iv phd ph md dds dvm mba msc bsc llm llb esq cpa cfa cissp pmp pe rn frcs mbe obe kbe ba bs ms",
);
/** These are family names too, so they count as suffixes only behind a comma. */
export const SUFFIXES_BEHIND_COMMA = words("ba bs ms pe ph md sr rn");

/** Small words that belong to the family name behind them. */
export const PARTICLES = words(
  "van von der den de del della dello degli dei di da do dos das du des la le les lo los las af av zu zum zur vom ten ter te op in t " +
    "bin ibn bint al el ben abu mac st saint san santa e y und",
);
