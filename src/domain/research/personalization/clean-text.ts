import { bodyFormat } from "#src/mime/body-format.ts";
import { htmlToText } from "#src/mime/html-to-text.ts";

/**
 * Characters that are invisible, or reorder visible ones: control characters, soft hyphens, joiners, marks and
 * overrides of direction, fillers, variation selectors and tags (which can spell whole hidden sentences).
 */
export const INVISIBLE =
  // oxlint-disable-next-line no-control-regex, no-misleading-character-class -- they are what is looked for
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\uffff\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]/gu;

/** Longer texts are cut before they are looked at; `MAX_DATA` of them is shown at most. */
const MAX_RAW = 100_000;

/** A stranger's text as plain text: without tags, and without characters that a reader cannot see. */
export function cleanText(text: string): string {
  const cut = text.slice(0, MAX_RAW).toWellFormed();
  const plain = bodyFormat(cut) === "html" ? htmlToText(cut) : cut;
  return plain.replaceAll("\r\n", "\n").replaceAll("\r", "\n").replace(INVISIBLE, "").trim();
}
