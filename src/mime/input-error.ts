/** Something that must not go into a message: a forged header, a malformed address, too much of it. */
export class MailInputError extends Error {
  override readonly name = "MailInputError";
  /** The input it is about, e.g. `subject` or `to`. */
  readonly field: string;

  constructor(field: string, message: string) {
    super(`${field}: ${message}`);
    this.field = field;
  }
}
