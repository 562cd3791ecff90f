/** The text as Postgres keeps one: a half of a surrogate pair is U+FFFD, and there is no NUL. */
export const storable = (text: string): string => text.toWellFormed().replaceAll("\0", "");
