import { CaptureTag, type FilterImplOptions, Liquid, LiquidError, Token } from "liquidjs";
import { escapeHtml } from "#src/mime/escape-html.ts";
import { Encoded, plainOf } from "./encoded.ts";

/** Bodies have at most 50,000 characters; the rest is room for expanded spintax. */
export const MAX_TEMPLATE_CHARACTERS = 60_000;
/** Characters that filters and captures of one rendering may handle; what stops texts that double. */
const MAX_WORKED_CHARACTERS = 1_000_000;

/**
 * The tags that a template may use. There are no loops, so rendering is linear in the template's length:
 * time limits would not hold in Workers, whose clock stands still while a request computes.
 */
const TAGS = new Set(["if", "unless", "case", "assign", "capture", "comment", "#"]);
const FILTERS = new Set(
  (
    "default append prepend strip lstrip rstrip downcase upcase capitalize remove remove_first remove_last replace " +
    "replace_first replace_last truncate truncatewords strip_newlines squish normalize_whitespace strip_html split " +
    "join first last size date url_encode escape escape_once newline_to_br abs ceil floor round plus minus times " +
    "divided_by modulo at_least at_most"
  ).split(" "),
);

/** Filters that leave markup whole: they take or change white space alone. */
const OF_BLANKS = ["strip", "lstrip", "rstrip", "strip_newlines", "squish", "normalize_whitespace"];

export type TemplateContext = "html" | "text";

// For the place of each variable and the words of each error, liquidjs reads and copies the source from
// its start: 10,000 variables took 20 s. Neither is used here; `positionOf` finds the place of one error.
Object.defineProperty(LiquidError.prototype, "update", { value() {} });
Object.defineProperty(Token.prototype, "getPosition", { value: () => [1, 1] });

/** The two engines differ in one thing: what an output becomes on its way into the text. */
export const engines: Readonly<Record<TemplateContext, Liquid>> = {
  html: createEngine(escapeHtml),
  text: createEngine((text) => text),
};

/** Message of the error for an output without a value, such as the first of an empty list or a number divided by 0. */
export const NO_VALUE = "no value";

type FilterHandler = Extract<FilterImplOptions, (...args: never[]) => unknown>;

function createEngine(encode: (text: string) => string): Liquid {
  /** An output as text: charged to the limit, escaped for its place; objects and lists have no text form. */
  const output: FilterHandler = function (value) {
    if (isNoValue(value)) throw new Error(NO_VALUE);
    const isEncoded = value instanceof Encoded;
    const text = isEncoded ? Encoded.htmlOf(value) : textOf(value);
    this.context.memoryLimit.use(text.length);
    return isEncoded ? text : encode(text);
  };
  const engine = new Liquid({
    strictFilters: true,
    strictVariables: true,
    lenientIf: true,
    ownPropertyOnly: true,
    catchAllErrors: true,
    templates: {},
    timezoneOffset: 0,
    locale: "en-US",
    parseLimit: MAX_TEMPLATE_CHARACTERS,
    memoryLimit: MAX_WORKED_CHARACTERS,
    outputEscape: output,
  });
  for (const name of Object.keys(engine.tags)) if (!TAGS.has(name)) delete engine.tags[name];
  for (const name of Object.keys(engine.filters))
    if (!FILTERS.has(name)) delete engine.filters[name];
    else if (name !== "default") engine.registerFilter(name, ofValue(engine.filters[name]));

  // Outputs are escaped anyway: these leave it to them.
  for (const name of ["escape", "escape_once"])
    engine.registerFilter(name, (value) => (isNoValue(value) ? undefined : value));
  engine.registerFilter(
    "newline_to_br",
    ofValue((value) => textOf(value)),
  );
  if (encode === escapeHtml) keepHtml(engine);
  const date = engine.filters["date"] as FilterHandler;
  engine.registerFilter("date", function (value, ...formats) {
    // What a template says must not depend on when it is rendered: a preview is what gets sent.
    if (/^(now|today)$/.test(String(value)))
      throw new Error("date: there is no current time in a template");
    return date.call(this, value, ...formats);
  });
  return engine;
}

/** Lets a capture be the HTML that it is, also behind the filters that can tell its markup from a value's. */
function keepHtml(engine: Liquid): void {
  engine.registerTag(
    "capture",
    class extends CaptureTag {
      override *render(...[context]: Parameters<CaptureTag["render"]>) {
        yield* super.render(context);
        const scope = context.bottom();
        scope[this.variable] = Encoded.of(scope[this.variable]);
      }
    },
  );
  const filterOf = (name: string) => engine.filters[name] as FilterHandler;
  const fallback = filterOf("default");
  engine.registerFilter("default", function (value, ...rest) {
    return value instanceof Encoded ? value : fallback.call(this, value, ...rest);
  });
  for (const name of OF_BLANKS) {
    const plain = filterOf(name);
    engine.registerFilter(name, function (value, ...rest) {
      return value instanceof Encoded && rest.length === 0
        ? Encoded.of(plain.call(this, Encoded.htmlOf(value)))
        : plain.call(this, value, ...rest);
    });
  }
  for (const name of ["append", "prepend"]) {
    const plain = filterOf(name);
    engine.registerFilter(name, function (value, ...rest) {
      const [other] = rest;
      if (isNoValue(value) || !(value instanceof Encoded || other instanceof Encoded))
        return plain.call(this, value, ...rest);
      const [first, second] = name === "append" ? [value, other] : [other, value];
      const html = `${htmlOf(first)}${htmlOf(second)}`;
      this.context.memoryLimit.use(html.length);
      return Encoded.of(html);
    });
  }
  engine.registerFilter("newline_to_br", function (value) {
    if (isNoValue(value)) return undefined;
    const html = htmlOf(value).replace(/\r?\n/g, "<br>\n");
    this.context.memoryLimit.use(html.length);
    return Encoded.of(html);
  });
}

const htmlOf = (value: unknown): string =>
  Encoded.htmlOf(value instanceof Encoded ? value : textOf(value));

/** A missing value stays missing through all filters, until a `default` replaces it. */
function ofValue(filter: Liquid["filters"][string] | undefined): FilterHandler {
  const handler = filter as FilterHandler;
  return function (value, ...rest) {
    const result: unknown = isNoValue(value)
      ? undefined
      : handler.call(this, plainOf(value), ...rest.map(plainOf));
    return isNoValue(result) ? undefined : result;
  };
}

const isNoValue = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === "number" && !Number.isFinite(value));

function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (Array.isArray(value)) return value.map(textOf).join(", ");
  return "";
}
