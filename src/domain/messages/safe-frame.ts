import { ANY_VALUE } from "#src/domain/senders/templates/plain-template.ts";
import { readHtml } from "#src/mime/read-html.ts";
import { sanitizePage } from "#src/mime/sanitize-html.ts";

/** A tick writes the same page for many leads. */
const MOST_KEPT = 32;
const known = new Map<string, boolean>();

/**
 * Whether sanitising changes nothing in the page, whatever escaped values stand in the place of `ANY_VALUE`: it changes
 * nothing as it is, and they are all in its text. A value holds no bracket; one that a bracket of the page could make a
 * tag of stands behind that bracket, and brackets in text are changed.
 */
export function isSafeFrame(skeleton: string): boolean {
  const before = known.get(skeleton);
  if (before !== undefined) return before;
  const isSafe = sanitizePage(skeleton).html === skeleton && areInText(skeleton);
  const [oldest] = known.keys();
  if (known.size === MOST_KEPT) known.delete(oldest!);
  known.set(skeleton, isSafe);
  return isSafe;
}

function areInText(skeleton: string): boolean {
  let inText = 0;
  let style = 0;
  const isWhole = readHtml(skeleton, () => ({
    onopentag: (name) => void (style += name === "style" ? 1 : 0),
    onclosetag: (name) => void (style -= name === "style" ? 1 : 0),
    ontext: (text) => void (inText += style > 0 ? 0 : text.split(ANY_VALUE).length - 1),
  }));
  return isWhole && inText === skeleton.split(ANY_VALUE).length - 1;
}
