/** An answer has to leave room for others in the context of who reads it. */
export const MOST_BYTES = 40_000;

const LONGEST = [20_000, 4_000, 1_000, 300];

/** The bytes of a text as UTF-8. */
const bytesOf = (text: string) => new TextEncoder().encode(text).length;

/** As JSON of at most 40 kB: long texts are cut first, then lists; `cut` says that there was more. */
export function fit(value: Record<string, unknown>): string {
  let text = JSON.stringify(value);
  if (bytesOf(text) <= MOST_BYTES) return text;
  for (const most of LONGEST) {
    text = JSON.stringify({ ...(shorten(value, most) as object), cut: "texts" });
    if (bytesOf(text) <= MOST_BYTES) return text;
  }
  for (let items = 64; items >= 1; items = Math.floor(items / 2)) {
    const cut = `lists, to ${items} items`;
    text = JSON.stringify({ ...(shorten(value, 300, items) as object), cut });
    if (bytesOf(text) <= MOST_BYTES) return text;
  }
  return JSON.stringify({ cut: "everything", code: "ANSWER_TOO_LARGE" });
}

function shorten(value: unknown, most: number, items = Infinity): unknown {
  if (typeof value === "string")
    return value.length <= most ? value : `${value.slice(0, most).toWellFormed()}…`;
  if (Array.isArray(value)) return value.slice(0, items).map((each) => shorten(each, most, items));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, shorten(inner, most, items)]),
  );
}
