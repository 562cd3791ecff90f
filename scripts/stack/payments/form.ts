import { badRequest } from "./errors.ts";

/** A form's value: a text, or what its brackets nest. Lists are objects with indexes for names. */
export type FormValue = string | { [name: string]: FormValue };
export type Form = { [name: string]: FormValue };

const MOST_PAIRS = 1000;
const NAME = /^([^[\]]+)((?:\[[^[\]]*\])*)$/;

/** Reads `a[b][0]=x`, as Stripe's libraries write it, into `{a: {b: {0: "x"}}}`; `a[]` takes the next index. */
export function parseForm(text: string): Form {
  const form = emptyForm();
  const pairs = [...new URLSearchParams(text)];
  if (pairs.length > MOST_PAIRS) throw badRequest("The request has too many parameters.");
  for (const [name, value] of pairs) place(form, name, value);
  return form;
}

/** Without a prototype, so that no name in a request can mean more than itself. */
function emptyForm(): Form {
  return Object.create(null) as Form;
}

function place(form: Form, name: string, value: string): void {
  const [, first, rest] = NAME.exec(name) ?? [];
  const path =
    first === undefined
      ? [name]
      : [first, ...[...(rest ?? "").matchAll(/\[([^\]]*)\]/g)].map(inner)];
  let at = form;
  for (const segment of path.slice(0, -1)) {
    const next = (at[nameIn(at, segment)] ??= emptyForm());
    if (typeof next === "string") throw badRequest(`Invalid object: ${name}`, { param: name });
    at = next;
  }
  at[nameIn(at, path.at(-1) ?? "")] = value;
}

const inner = (match: RegExpExecArray) => match[1] ?? "";

function nameIn(form: Form, segment: string): string {
  return segment === "" ? String(Object.keys(form).length) : segment;
}
