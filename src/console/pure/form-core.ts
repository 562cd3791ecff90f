import { signal, type Signal } from "@preact/signals";
import { asProblem, type FieldFault, type Problem } from "../api/problem.ts";

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
  /** What was typed goes on top of what is there now; of `except` what is there now is taken. */
  rebase(except?: string): void;
  set<Name extends keyof Values>(name: Name, value: Values[Name]): void;
  faultsOf(name: string): FieldFault[];
  /** To the record as it is now. */
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

/** Where what is typed is kept: null forgets it. */
export interface Kept {
  read(): string | null;
  write(text: string | null): void;
}

interface Stored<Values> {
  values: Partial<Values>;
  /** What was typed before a reload stays upon the record as it was then. */
  base?: Values;
  etag: string | null;
}

export function createForm<Values extends object>(
  initial: Values,
  { etag, secrets, kept }: { etag: string | null; secrets: (keyof Values)[]; kept: Kept },
): FormState<Values> {
  const stored = parse<Values>(kept.read());
  let base: Values = { ...initial, ...stored?.base };
  const newest = signal({ values: initial, etag });
  const values = signal<Values>({ ...base, ...stored?.values });
  const problem = signal<Problem | undefined>(undefined);
  const isSending = signal(false);
  const isChanged = () => !isSame(values.peek(), base);

  function keep(): void {
    if (!isChanged()) return kept.write(null);
    const open = Object.entries(values.peek()).filter(
      ([name]) => !secrets.includes(name as keyof Values),
    );
    kept.write(JSON.stringify({ values: Object.fromEntries(open), base, etag: form.etag }));
  }

  const form: FormState<Values> = {
    values,
    problem,
    isSending,
    etag: stored?.etag ?? etag,
    isChanged,
    changes: () =>
      Object.fromEntries(
        Object.entries(values.peek()).filter(
          ([name, value]) => !isSame(value, base[name as keyof Values]),
        ),
      ) as Partial<Values>,
    differences: () =>
      Object.entries(newest.value.values)
        .map(([name, now]): Difference => {
          const [before, typed] = [base, values.value].map((each) => each[name as keyof Values]);
          return { name, before, now, ...(isSame(before, typed) ? {} : { typed }) };
        })
        .filter(({ before, now }) => !isSame(before, now)),
    rebase(except) {
      const typed = form.changes();
      if (except !== undefined) delete typed[except as keyof Values];
      base = newest.peek().values;
      form.etag = newest.peek().etag;
      values.value = { ...base, ...typed };
      problem.value = undefined;
      keep();
    },
    set(name, value) {
      values.value = { ...values.peek(), [name]: value };
      keep();
    },
    faultsOf: (name) =>
      problem.value?.faults.filter(({ at }) => at === name || at.startsWith(`${name}/`)) ?? [],
    discard() {
      // An object of its own each time: `send` sees by it that it was given up meanwhile.
      base = { ...newest.peek().values };
      form.etag = newest.peek().etag;
      values.value = base;
      problem.value = undefined;
      kept.write(null);
    },
    offer(initial, tag) {
      const now = { values: initial, etag: tag };
      if (!isSame(newest.peek(), now)) newest.value = now;
      if (isChanged()) return;
      base = initial;
      form.etag = tag;
      if (!isSame(values.peek(), base)) values.value = base;
    },
    async send(work) {
      if (isSending.peek()) return false;
      isSending.value = true;
      problem.value = undefined;
      const sent = values.peek();
      const before = base;
      try {
        await work(sent);
        if (base === before) {
          // What is secret is never shown again. What was typed while it was on its way is still to be sent.
          base = { ...sent };
          const now = { ...values.peek() };
          for (const name of secrets) {
            base[name] = initial[name];
            if (now[name] === sent[name]) now[name] = initial[name];
          }
          values.value = now;
        }
        keep();
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

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

function parse<Values>(text: string | null): Stored<Values> | null {
  try {
    const stored = JSON.parse(text ?? "null") as Stored<Values> | null;
    return typeof stored?.values === "object" ? stored : null;
  } catch {
    return null;
  }
}
