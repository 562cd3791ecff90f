/** Second levels under which countries register names. */
const SECOND_LEVEL = /^(co|com|net|org|ac|gov|edu|ne|or|go|gob)$/;

/** The part of a domain name that is registered, and most often its zone; a guess without a list, which may be a label too short. */
export function registrable(name: string): string {
  const labels = name.split(".");
  const take = labels.length > 2 && SECOND_LEVEL.test(labels.at(-2)!) ? 3 : 2;
  return labels.slice(-take).join(".");
}
