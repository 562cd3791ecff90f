/**
 * "Servant of the Merciful" is one Arabic name, in one word or three: Abd al-Rahman, Abdul Rahman, Abdelrahman. Abdullah
 * is written in one.
 */
const FOLLOWED = /(?<!\p{L})abd[\s-]*[aeu]l[\s-]+(\p{L}{3,})(?=[\s-]+\p{L})/giu;
const ALONE = /(?<!\p{L})abd[\s-]*[aeu]l[\s-]+(\p{L}{3,})/giu;

const joined = (_: string, rest: string): string => `Abdul${rest.toLowerCase()}`;

/** In a field of first names. */
export const joinServant = (text: string): string => text.replace(ALONE, joined);

/** In a whole name, where Abdul Rahman alone may be a first name and a family name. */
export const joinServantBeforeFamily = (text: string): string => text.replace(FOLLOWED, joined);

/** Each spelling of the first word's vowel, the likeliest in front; null for any other name. */
export function servantSpellings(word: string): string[] | null {
  const root = /^abd[aeu]l(?!l?ah$)(.{3,})$/i.exec(word)?.[1];
  return root === undefined ? null : ["abdul", "abdel", "abdal"].map((start) => start + root);
}
