/** The rows of a file that were not taken, as a file to mend and import again. */

export interface Rejection {
  row_index: number;
  code: string;
  message: string;
}

const SEPARATORS = [",", ";", "\t", "|"];

/** Each as it stood in the file, with the reason as one more column; without the file, reasons alone. */
export function rejectsCsv(file: string | null, rejections: readonly Rejection[]): string {
  const [header, ...rows] = file === null ? [undefined] : recordsOf(file);
  if (header === undefined) {
    const lines = rejections.map(({ row_index: row, code, message }) =>
      [String(row + 1), code, cell(message, ",")].join(","),
    );
    return `${["row,code,reason", ...lines].join("\r\n")}\r\n`;
  }
  const by = separatorOf(header);
  const lines = rejections.flatMap(({ row_index: at, message }) =>
    rows[at] === undefined ? [] : [`${rows[at]}${by}${cell(message, by)}`],
  );
  return `${[`${header}${by}reason`, ...lines].join("\r\n")}\r\n`;
}

/** Records of a CSV file as they are written, without empty ones; a line break in quotes ends none. */
export function recordsOf(text: string): string[] {
  const records: string[] = [];
  let from = text.startsWith("\uFEFF") ? 1 : 0;
  let isQuoted = false;
  const end = (at: number) => {
    const record = text.slice(from, at);
    if (record.trim() !== "") records.push(record);
  };
  for (let at = from; at < text.length; at++) {
    const character = text[at];
    if (character === '"') isQuoted = !isQuoted;
    else if (!isQuoted && (character === "\n" || character === "\r")) {
      end(at);
      from = at + 1;
    }
  }
  end(text.length);
  return records;
}

const separatorOf = (header: string): string =>
  SEPARATORS.toSorted((a, b) => header.split(b).length - header.split(a).length)[0]!;

function cell(text: string, by: string): string {
  // What begins like this a spreadsheet takes for a formula.
  const plain = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /["\r\n]/.test(plain) || plain.includes(by) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
