/** Marks that turn the direction of what follows: a name could write over the words around it. */
const DIRECTIONS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
// oxlint-disable-next-line no-control-regex -- control characters are what is replaced
const BLANKS = /[\s\u0000-\u001f\u007f-\u009f\u2028\u2029\ufeff]+/g;

/** A stranger's text as one line of so many characters at most, fit for a header. */
export function oneLine(text: string, most: number): string {
  // Nothing past it could be shown, and a long text is not to be walked whole.
  const line = text
    .slice(0, most * 8)
    .toWellFormed()
    .replace(DIRECTIONS, "")
    .replace(BLANKS, " ")
    .trim();
  return cut(line, most);
}

/** The first lines, each as one line; empty ones are left out. */
export function firstLines(text: string, lines: number, most: number): string[] {
  const all = text.split(/\r\n|[\n\r\u2028\u2029]/).map((line) => oneLine(line, most));
  const filled = all.filter((line) => line !== "");
  return filled.length > lines ? [...filled.slice(0, lines), "…"] : filled;
}

function cut(line: string, most: number): string {
  const characters = [...line];
  return characters.length <= most
    ? line
    : `${characters
        .slice(0, most - 1)
        .join("")
        .trimEnd()}…`;
}
