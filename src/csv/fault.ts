export type CsvFaultCode =
  | "NOT_CSV"
  | "NOT_UTF8"
  | "NUL_CHARACTER"
  | "ROW_TOO_LARGE"
  | "UNCLOSED_QUOTE"
  | "TOO_MANY_COLUMNS";

/** The file cannot be read as CSV from this line on. */
export class CsvFault extends Error {
  override readonly name = "CsvFault";
  readonly code: CsvFaultCode;
  readonly line: number;

  constructor(code: CsvFaultCode, line: number, message: string) {
    super(message);
    this.code = code;
    this.line = line;
  }
}
