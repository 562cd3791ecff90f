import { signal, type Signal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { asProblem, Problem, type FieldFault } from "../api/problem.ts";
import { me } from "../session.ts";

export interface FormState<Values extends object> {
  values: Signal<Values>;
  problem: Signal<Problem | undefined>;
  isSending: Signal<boolean>;
  /** True when something was typed that is not sent yet. */
  isChanged(): boolean;
  set<Name extends keyof Values>(name: Name, value: Values[Name]): void;
  faultsOf(name: string): FieldFault[];
  /** Back to what it began with. */
  discard(): void;
  /** What was typed stays until this worked. */
  send(work: (values: Values) => Promise<void>): Promise<boolean>;
}

/**
 * What is typed into a form. It outlives a reload, a sign-out and a closed dialog, in this tab (`sessionStorage`), by
 * the form's id; `secrets` names fields that are not kept. `initial` counts when it first is there: give what was read.
 */
export function useForm<Values extends object>(
  id: string,
  initial: Values,
  options: { secrets?: (keyof Values)[] } = {},
): FormState<Values> {
  return useMemo(() => createForm(id, initial, options.secrets ?? []), [id]);
}

function createForm<Values extends object>(
  id: string,
  initial: Values,
  secrets: (keyof Values)[],
): FormState<Values> {
  const place = `form:${me.peek()?.workspace.id ?? ""}:${id}`;
  const values = signal<Values>({ ...initial, ...kept(place) });
  const problem = signal<Problem | undefined>(undefined);
  const isSending = signal(false);
  const isChanged = () => JSON.stringify(values.peek()) !== JSON.stringify(initial);
  const forget = () => sessionStorage.removeItem(place);
  function keep(): void {
    if (!isChanged()) return forget();
    const open = Object.entries(values.peek()).filter(
      ([name]) => !secrets.includes(name as keyof Values),
    );
    try {
      sessionStorage.setItem(place, JSON.stringify(Object.fromEntries(open)));
    } catch {
      // The storage is full: it stays on the page all the same.
    }
  }
  return {
    values,
    problem,
    isSending,
    isChanged,
    set(name, value) {
      values.value = { ...values.peek(), [name]: value };
      keep();
    },
    faultsOf: (name) =>
      problem.value?.faults.filter(({ at }) => at === name || at.startsWith(`${name}/`)) ?? [],
    discard() {
      values.value = initial;
      problem.value = undefined;
      forget();
    },
    async send(work) {
      if (isSending.peek()) return false;
      isSending.value = true;
      problem.value = undefined;
      try {
        await work(values.peek());
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
}

function kept(place: string): object {
  try {
    return JSON.parse(sessionStorage.getItem(place) ?? "{}") as object;
  } catch {
    return {};
  }
}
