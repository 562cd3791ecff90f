/** One line, without what cannot be seen or stored: control and format characters, halves of pairs. */
export const plainText = (text: string): string =>
  text
    .toWellFormed()
    .replace(/\p{Cf}|[^\P{Cc}\s]/gu, "")
    .replace(/\s+/g, " ")
    .trim();
