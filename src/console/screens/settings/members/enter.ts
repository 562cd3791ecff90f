import { href } from "../../../router.ts";

/**
 * Into another workspace: nothing that was read in the one before is kept. What was typed is (`parts/form-state.ts`), by
 * its workspace.
 */
export function enterWorkspace(): void {
  history.replaceState(null, "", href("/"));
  // A navigation alone would stay in the document, with all that it knows.
  location.reload();
}

/** Out of a workspace, or of the session: nothing is kept in the tab either. */
export function leaveWorkspace(): void {
  sessionStorage.clear();
  enterWorkspace();
}
