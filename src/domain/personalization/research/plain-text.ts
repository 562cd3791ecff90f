/** One line, without what cannot be seen or stored: control and format characters, halves of pairs. */
export const plainText = (text: string): string =>
  text
    .toWellFormed()
    .replace(/\s+/g, " ")
    .replace(/[\p{Cc}\p{Cf}]/gu, "")
    .trim();
