/** A tag as it is stored and compared. */
export const normalTag = (tag: string): string => tag.trim().normalize("NFC").toLowerCase();

/** Each tag once, in its normal form; what is empty is none. */
export const normalTags = (tags: readonly string[]): string[] => [
  ...new Set(tags.map(normalTag).filter((tag) => tag !== "")),
];
