export interface Span {
  start: number;
  end: number;
}

const CLOSERS: Record<string, string> = {
  "“": '”“"',
  "„": '“”"',
  "«": "»",
  "»": "«",
  "‹": "›",
  "「": "」",
  "『": "』",
  "‟": "”",
  '"': '"”',
  "＂": "＂",
};
const LONGEST = 1_000;

/** Every quotation with its marks, in the marks of any language; one that nothing closes goes to the end of its paragraph. */
export function quotesIn(text: string): Span[] {
  const spans: Span[] = [];
  for (let at = 0; at < text.length; at++) {
    const closers = CLOSERS[text[at]!] ?? (opensSingle(text, at) ? "’'" : undefined);
    if (closers === undefined) continue;
    const end = endOf(text, at, closers);
    if (end === -1) continue;
    if (text.slice(at + 1, end - 1).trim() !== "") spans.push({ start: at, end });
    at = end - 1;
  }
  return spans;
}

/** An apostrophe has a letter before it, a quotation mark has none. */
const opensSingle = (text: string, at: number): boolean =>
  /['‘‚]/.test(text[at]!) &&
  !/[\p{L}\p{N}]/u.test(text[at - 1] ?? " ") &&
  /[\p{L}\p{N}]/u.test(text[at + 1] ?? " ");

function endOf(text: string, start: number, closers: string): number {
  const isSingle = closers.includes("'");
  const limit = Math.min(text.length, start + LONGEST);
  for (let at = start + 1; at < limit; at++) {
    if (text.startsWith("\n\n", at)) return isSingle ? -1 : at;
    const closes = closers.includes(text[at]!);
    if (closes && !(isSingle && /[\p{L}\p{N}]/u.test(text[at + 1] ?? " "))) return at + 1;
  }
  return isSingle ? -1 : limit;
}
