import { signal, type Signal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { asProblem, Problem, type FieldFault } from "../api/problem.ts";
import { me } from "../session.ts";

export interface FormState<Values extends object> {
  values: Signal<Values>;
  problem: Signal<Problem | undefined>;
  isSending: Signal<boolean>;
  /** Of the record as it was when one began to type: `write(input, { ifMatch: form.etag })`. */
  etag: string | null;
  /** True when something was typed that is not sent yet. */
  isChanged(): boolean;
  /** What was typed otherwise than it was: for PATCH. */
  changes(): Partial<Values>;
  /** What another changed since: how it was, is now, and is typed here. */
  differences(): Difference[];
  /** What was typed goes on top of what is there now; `except` takes a value as it is now. */
  rebase(except?: string): void;
  set<Name extends keyof Values>(name: Name, value: Values[Name]): void;
  faultsOf(name: string): FieldFault[];
  /** Back to what it began with, or is meanwhile. */
  discard(): void;
  /** The record is like this now: shown, unless something else was typed. */
  offer(initial: Values, etag: string | null): void;
  /** What was typed stays until this worked. */
  send(work: (values: Values) => Promise<void>): Promise<boolean>;
}

export interface Difference {
  name: string;
  before: unknown;
  now: unknown;
  /** As it is here, where it was typed otherwise than before. */
  typed?: unknown;
}

/**
 * What is typed into a form. It outlives a reload, a sign-out and a closed dialog, in this tab (`sessionStorage`), by
 * the form's id; `secrets` names fields that are not kept. `initial` is what was read, with its `etag`: while nothing
 * is typed the form follows it.
 */
export function useForm<Values extends object>(
  id: string,
  initial: Values,
  { secrets = [], etag = null }: { secrets?: (keyof Values)[]; etag?: string | null } = {},
): FormState<Values> {
  const form = useMemo(() => createForm(id, initial, etag, secrets), [id]);
  useEffect(() => form.offer(initial, etag), [form, JSON.stringify(initial), etag]);
  return form;
}

function createForm<Values extends object>(
  id: string,
  initial: Values,
  etag: string | null,
  secrets: (keyof Values)[],
): FormState<Values> {
  const place = `form:${me.peek()?.workspace.id ?? ""}:${id}`;
  const before = kept<Values>(place);
  // What was typed before a reload stays upon the record as it was then.
  let base: Values = { ...initial, ...before.base };
  const newest = signal({ values: initial, etag });
  const values = signal<Values>({ ...base, ...before.typed });
  const problem = signal<Problem | undefined>(undefined);
  const isSending = signal(false);
  const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
  const isChanged = () => !isSame(values.peek(), base);
  const forget = () => sessionStorage.removeItem(place);
  function keep(): void {
    if (!isChanged()) return forget();
    const open = Object.entries(values.peek()).filter(
      ([name]) => !secrets.includes(name as keyof Values),
    );
    try {
      const typed = Object.fromEntries(open);
      sessionStorage.setItem(place, JSON.stringify({ typed, base, etag: form.etag }));
    } catch {
      // The storage is full: it stays on the page all the same.
    }
  }
  const form: FormState<Values> = {
    values,
    problem,
    isSending,
    etag: before.typed === undefined ? etag : (before.etag ?? null),
    isChanged,
    differences: () =>
      Object.entries(newest.value.values)
        .map(([name, now]): Difference => {
          const [was, mine] = [base, values.value].map((each) => each[name as keyof Values]);
          return { name, before: was, now, ...(isSame(was, mine) ? {} : { typed: mine }) };
        })
        .filter(({ before: was, now }) => !isSame(was, now)),
    rebase(except) {
      const mine = form.changes();
      if (except !== undefined) delete mine[except as keyof Values];
      base = newest.peek().values;
      form.etag = newest.peek().etag;
      values.value = { ...base, ...mine };
      problem.value = undefined;
      keep();
    },
    changes: () =>
      Object.fromEntries(
        Object.entries(values.peek()).filter(
          ([name, value]) => !isSame(value, base[name as keyof Values]),
        ),
      ) as Partial<Values>,
    offer(initial, tag) {
      if (!isSame(newest.peek(), { values: initial, etag: tag }))
        newest.value = { values: initial, etag: tag };
      if (isChanged()) return;
      base = initial;
      form.etag = tag;
      if (!isSame(values.peek(), base)) values.value = base;
    },
    set(name, value) {
      values.value = { ...values.peek(), [name]: value };
      keep();
    },
    faultsOf: (name) =>
      problem.value?.faults.filter(({ at }) => at === name || at.startsWith(`${name}/`)) ?? [],
    discard() {
      base = newest.peek().values;
      form.etag = newest.peek().etag;
      values.value = base;
      problem.value = undefined;
      forget();
    },
    async send(work) {
      if (isSending.peek()) return false;
      isSending.value = true;
      problem.value = undefined;
      try {
        await work(values.peek());
        // The answer of the next read may be another, and is then taken.
        base = values.peek();
        forget();
        return true;
      } catch (error) {
        problem.value = asProblem(error);
        return false;
      } finally {
        isSending.value = false;
      }
    },
  };
  return form;
}

interface Kept<Values> {
  typed?: Partial<Values>;
  base?: Values;
  etag?: string | null;
}

function kept<Values>(place: string): Kept<Values> {
  try {
    return JSON.parse(sessionStorage.getItem(place) ?? "{}") as Kept<Values>;
  } catch {
    return {};
  }
}
