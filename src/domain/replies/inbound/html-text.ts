import { htmlToText } from "#src/mime/html-to-text.ts";

const MAX_HTML = 300_000;

/** The text of received HTML, of a page that is longer its beginning. */
export const textOfHtml = (html: string): string => htmlToText(html.slice(0, MAX_HTML));
