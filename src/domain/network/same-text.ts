import { htmlToText } from "#src/mime/html-to-text.ts";
import { textToHtml } from "#src/mime/text-to-html.ts";

/**
 * Whether two texts are the same message or post: networks write blanks their own way, leave out invisible characters
 * and replace links with shorter ones.
 */
export const saysTheSame = (one: string, other: string): boolean => essence(one) === essence(other);

/** The same of a page that was made of a text (`textToHtml`), as the ledger keeps it. */
export const saysThePage = (page: string, text: string): boolean =>
  saysTheSame(htmlToText(page), htmlToText(textToHtml(text)));

const essence = (text: string): string =>
  text
    .normalize("NFKC")
    .replace(/https?:\/\/\S+/gi, "link")
    .replace(/[\s\p{Cf}\p{Cc}]+/gu, "");
