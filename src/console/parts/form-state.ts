import { useEffect, useMemo } from "preact/hooks";
import { createForm, type FormState, type Kept } from "../pure/form-core.ts";
import { me } from "../session.ts";

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

function keptAt(id: string): Kept {
  const place = `form:${me.peek()?.workspace.id ?? ""}:${id}`;
  return {
    read: () => sessionStorage.getItem(place),
    write(text) {
      if (text === null) return sessionStorage.removeItem(place);
      try {
        sessionStorage.setItem(place, text);
      } catch {
        // The storage is full: it stays on the page all the same.
      }
    },
  };
}
