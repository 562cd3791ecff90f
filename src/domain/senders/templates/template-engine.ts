import { type FilterImplOptions, Liquid, LiquidError, Token } from "liquidjs";
import { escapeHtml } from "#src/mime/escape-html.ts";

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
    const text = textOf(value);
    this.context.memoryLimit.use(text.length);
    return encode(text);
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
    engine.registerFilter(
      name,
      ofValue((value) => value),
    );
  engine.registerFilter("newline_to_br", {
    raw: true,
    handler(value) {
      const text: string = output.call(this, value);
      return encode === escapeHtml ? text.replace(/\r?\n/g, "<br>\n") : text;
    },
  });
  const date = engine.filters["date"] as FilterHandler;
  engine.registerFilter("date", function (value, ...formats) {
    // What a template says must not depend on when it is rendered: a preview is what gets sent.
    if (/^(now|today)$/.test(String(value)))
      throw new Error("date: there is no current time in a template");
    return date.call(this, value, ...formats);
  });
  return engine;
}

/** A missing value stays missing through all filters, until a `default` replaces it. */
function ofValue(filter: Liquid["filters"][string] | undefined): FilterHandler {
  const handler = filter as FilterHandler;
  return function (value, ...rest) {
    const result: unknown = isNoValue(value) ? undefined : handler.call(this, value, ...rest);
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
