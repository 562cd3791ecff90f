/**
 * Whether two texts are the same post: networks write blanks their own way, leave out invisible characters and
 * replace links with shorter ones.
 */
export const saysTheSame = (one: string, other: string): boolean => essence(one) === essence(other);

const essence = (text: string): string =>
  text
    .normalize("NFKC")
    .replace(/https?:\/\/\S+/gi, "link")
    .replace(/[\s\p{Cf}\p{Cc}]+/gu, "");
