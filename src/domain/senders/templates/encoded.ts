import { Drop } from "liquidjs";
import { escapeHtml } from "#src/mime/escape-html.ts";

const ENTITY = /&(amp|lt|gt|quot|#39);/g;
const CHARACTERS: Readonly<Record<string, string>> = {
  ...{ amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" },
};

/**
 * HTML that was escaped where it had to be: an output leaves it as it is. No value of a lead is ever one, and what else is
 * made of one, by most filters or a comparison, is made of plain text, which an output escapes again.
 */
export class Encoded extends Drop {
  readonly #html: string;

  private constructor(html: string) {
    super();
    this.#html = html;
  }

  /** Of HTML that a template's output has made; itself where it is the same as text. */
  static of(html: string): Encoded | string {
    return escapeHtml(html) === html ? html : new Encoded(html);
  }

  /** Either of two that a filter is given, as HTML. */
  static htmlOf(value: Encoded | string): string {
    return value instanceof Encoded ? value.#html : escapeHtml(value);
  }

  /** As plain text, markup and all. */
  override valueOf(): string {
    return this.#html.replace(ENTITY, (_, name: string) => CHARACTERS[name]!);
  }

  /** Its properties are those of its text. */
  toLiquid(): string {
    return this.valueOf();
  }
}

/** What a filter that knows no HTML is given. */
export const plainOf = (value: unknown): unknown =>
  value instanceof Encoded ? value.valueOf() : value;
