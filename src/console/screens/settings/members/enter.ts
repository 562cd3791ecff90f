import { href } from "../../../router.ts";

/** Into another workspace, or out: nothing that was read or typed in the one before is kept, in memory or in the tab. */
export function enterWorkspace(): void {
  sessionStorage.clear();
  history.replaceState(null, "", href("/"));
  // A navigation alone would stay in the document, with all that it knows.
  location.reload();
}
