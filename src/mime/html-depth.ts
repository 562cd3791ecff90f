/** A page of the deepest kind has some hundred; parsers take time by the square of it. */
export const MAX_OPEN_TAGS = 5_000;
const TAG = /<(\/?)([a-z][a-z0-9]*)/gi;
const VOID = /^(area|br|col|hr|img|input|link|meta|wbr)$/i;

/** Whether more tags are open at once than any page needs. Reads tags roughly: what it says of is no mail. */
export function isTooDeep(html: string): boolean {
  let open = 0;
  for (const [, slash, name] of html.matchAll(TAG)) {
    if (slash !== "") open = Math.max(0, open - 1);
    else if (!VOID.test(name!) && ++open > MAX_OPEN_TAGS) return true;
  }
  return false;
}
