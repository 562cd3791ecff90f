import { z } from "zod";
import { badRequest, StripeRefusal } from "./errors.ts";
import type { Form, FormValue } from "./form.ts";

/** The shapes of parameters in Stripe's forms, where everything is text, and its complaints about them. */
const LONGEST_TEXT = 5000;

function complain(code: string, message: string) {
  return { message, params: { code } };
}

export function text(longest = LONGEST_TEXT) {
  return z
    .string()
    .refine(
      (value) => value !== "",
      complain(
        "parameter_invalid_empty",
        "You passed an empty string for '%'. We assume empty values are an attempt to unset a parameter; however '%' cannot be unset. You should remove '%' from your request or supply a non-empty value.",
      ),
    )
    .refine(
      (value) => value.length <= longest,
      complain(
        "parameter_invalid_string",
        `Invalid string: % must be at most ${longest} characters`,
      ),
    );
}

export function integer(least = 0, most = Number.MAX_SAFE_INTEGER) {
  return z
    .string()
    .refine(
      (value) => /^-?\d{1,15}$/.test(value),
      complain("parameter_invalid_integer", "Invalid integer: %"),
    )
    .transform(Number)
    .refine(
      (value) => value >= least,
      complain(
        "parameter_invalid_integer",
        `This value must be greater than or equal to ${least}.`,
      ),
    )
    .refine(
      (value) => value <= most,
      complain("parameter_invalid_integer", `This value must be at most ${most}.`),
    );
}

export const flag = z.enum(["true", "false"]).transform((value) => value === "true");

export const webUrl = z.string().refine(isWebUrl, complain("url_invalid", "Not a valid URL"));

function isWebUrl(value: string): boolean {
  // Stripe puts the session's id in only later.
  const url = URL.parse(value.replaceAll("{CHECKOUT_SESSION_ID}", "cs"));
  return url !== null && ["http:", "https:"].includes(url.protocol) && value.length <= LONGEST_TEXT;
}

/** `a[0]`, `a[1]`; in the order of the indexes. */
export function list<Item extends z.ZodType>(item: Item, most = 100) {
  const inOrder = (value: unknown) =>
    typeof value === "object" && value !== null
      ? Object.keys(value).every((key) => /^\d{1,9}$/.test(key))
        ? Object.values(value)
        : value
      : value;
  return z.preprocess(inOrder, z.array(item).max(most));
}

/** At most 50 keys of 40 characters with values of 500; an empty value unsets, which here is leaving it out. */
export const metadata = z
  .record(
    z.string().max(40, "Metadata keys can have up to 40 characters"),
    z.string().max(500, "Metadata values can have up to 500 characters"),
  )
  .refine((value) => Object.keys(value).length <= 50, "You can only have 50 metadata keys")
  .transform((value) =>
    Object.fromEntries(Object.entries(value).filter(([, each]) => each !== "")),
  );

/** The parameters of one operation; each may ask for objects in place of ids. */
export function parameters<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.strictObject({ ...shape, expand: list(text()).optional() });
}

export function parseParameters<Output>(schema: z.ZodType<Output>, form: Form): Output {
  const parsed = schema.safeParse(form);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw issue === undefined ? badRequest("Invalid request.") : refusalOf(issue, form);
}

function refusalOf(issue: z.core.$ZodIssue, form: Form): StripeRefusal {
  if (issue.code === "unrecognized_keys") {
    const param = pathName([...issue.path, issue.keys[0] ?? ""]);
    return badRequest(`Received unknown parameter: ${param}`, { code: "parameter_unknown", param });
  }
  const param = pathName(issue.path);
  const given = valueAt(form, issue.path);
  if (given === undefined) {
    return badRequest(`Missing required param: ${param}.`, { code: "parameter_missing", param });
  }
  if (issue.code === "custom") {
    const code = (issue.params as { code?: string } | undefined)?.code;
    const about = issue.message.startsWith("Invalid integer") ? String(given) : param;
    return badRequest(issue.message.replaceAll("%", about), {
      ...(code === undefined ? {} : { code }),
      param,
    });
  }
  if (issue.code === "invalid_value") {
    return badRequest(`Invalid ${param}: must be one of ${issue.values.join(", ")}`, { param });
  }
  return badRequest(`Invalid ${param}: ${issue.message}`, { param });
}

/** `line_items[0][quantity]` */
function pathName([first, ...rest]: PropertyKey[]): string {
  return [String(first ?? ""), ...rest.map((segment) => `[${String(segment)}]`)].join("");
}

function valueAt(form: Form, path: PropertyKey[]): FormValue | undefined {
  let value: FormValue | undefined = form;
  for (const segment of path) {
    if (typeof value !== "object") return undefined;
    value = value[String(segment)];
  }
  return value;
}
