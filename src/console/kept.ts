import type { Kept } from "./pure/form-core.ts";
import { me } from "./session.ts";

/** A place of this tab, of its workspace alone: it outlives a reload and the session's end. */
export function keptAt(id: string): Kept {
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
