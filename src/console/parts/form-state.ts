import { useEffect, useMemo } from "preact/hooks";
import { keptAt } from "../kept.ts";
import { createForm, type FormState } from "../pure/form-core.ts";

export type { FormState } from "../pure/form-core.ts";

/**
 * What is typed into a form. It outlives a reload, the session's end and a closed dialog, in this tab
 * (`sessionStorage`), by the form's id; `secrets` names fields that are not kept. `initial` is what was read, with its
 * `etag`: while nothing is typed the form follows it.
 */
export function useForm<Values extends object>(
  id: string,
  initial: Values,
  { secrets = [], etag = null }: { secrets?: (keyof Values)[]; etag?: string | null } = {},
): FormState<Values> {
  const form = useMemo(() => createForm(initial, { etag, secrets, kept: keptAt(id) }), [id]);
  useEffect(() => form.offer(initial, etag), [form, JSON.stringify(initial), etag]);
  return form;
}
