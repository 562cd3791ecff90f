import { z } from "zod";
import { badRequest } from "./errors.ts";

/** A form's value: a text, or what its brackets nest. Lists are objects with indexes for names. */
type FormValue = string | Form;
interface Form {
  [name: string]: FormValue;
}

/** Reads `a[b][0]=x`, as Stripe's libraries write it, into `{a: {b: {0: "x"}}}`. */
function parseForm(text: string): Form {
  const form = emptyForm();
  for (const [name, value] of new URLSearchParams(text)) {
    const path = name.split(/\]?\[|\]$/).filter((segment) => segment !== "");
    let at = form;
    for (const segment of path.slice(0, -1)) {
      const next = (at[segment] ??= emptyForm());
      if (typeof next === "string") throw badRequest(`Invalid object: ${name}`, { param: name });
      at = next;
    }
    at[path.at(-1) ?? ""] = value;
  }
  return form;
}

/** Without a prototype, so that no name in a request can mean more than itself. */
const emptyForm = () => Object.create(null) as Form;

/** The parameters of a request; another than those of the schema is refused by its name. */
export function parseParameters<Output>(schema: z.ZodType<Output>, form: string): Output {
  const parsed = schema.safeParse(parseForm(form));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  if (issue?.code === "unrecognized_keys") {
    const param = pathName([...issue.path, issue.keys[0] ?? ""]);
    throw badRequest(`Received unknown parameter: ${param}`, { code: "parameter_unknown", param });
  }
  const param = pathName(issue?.path ?? []);
  throw badRequest(`Invalid ${param}: ${issue?.message}`, { param });
}

/** `line_items[0][quantity]` */
const pathName = ([first, ...rest]: PropertyKey[]): string =>
  [String(first ?? ""), ...rest.map((segment) => `[${String(segment)}]`)].join("");

const text = z.string().min(1).max(5000);
const metadata = z.record(z.string().max(40), z.string().max(500));
const integer = (least: number, most: number) =>
  z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number)
    .pipe(z.int().min(least).max(most));
// Stripe puts the session's id in only later.
const webUrl = text.refine((value) => /^https?:\/\/[^/]/.test(value), "Not a valid URL");

/** Eight digits at most (https://docs.stripe.com/api/payment_intents), and no less than 50 cents. */
const cents = integer(50, 99_999_999);

/** What `POST /v1/checkout/sessions` takes here: one payment of one inline price on the hosted page. */
export const sessionParameters = z.strictObject({
  mode: z.literal("payment"),
  line_items: z.strictObject({
    0: z.strictObject({
      quantity: z.literal("1"),
      price_data: z.strictObject({
        currency: z.literal("usd"),
        unit_amount: cents,
        product_data: z.strictObject({ name: text }),
      }),
    }),
  }),
  client_reference_id: text.max(200),
  metadata,
  payment_intent_data: z.strictObject({ metadata }),
  success_url: webUrl,
  cancel_url: webUrl,
  expires_at: integer(0, Number.MAX_SAFE_INTEGER),
});

export type SessionParameters = z.infer<typeof sessionParameters>;

export const refundParameters = z.strictObject({ payment_intent: text, metadata });
export const pagingParameters = z.strictObject({
  payment_intent: text.optional(),
  limit: integer(1, 100).default(10),
  starting_after: text.optional(),
});
export const noParameters = z.strictObject({});
