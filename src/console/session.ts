import { signal } from "@preact/signals";
import { invalidate, seed } from "./api/cache.ts";
import { call, shown, signedOut, type Answer } from "./api/call.ts";
import { asProblem, type Problem } from "./api/problem.ts";

export type Me = Answer<"getCurrentUser">;

/** The session: undefined until it is known, null when there is none. */
export const me = signal<Me | null | undefined>(undefined);
/** Why it could not be found out. */
export const meProblem = signal<Problem | null>(null);

/** Asks for the signed-in person. */
export async function learnMe(): Promise<void> {
  meProblem.value = null;
  try {
    const found = await call("getCurrentUser");
    shown.workspace = found.workspace.id;
    signedOut.value = false;
    seed("getCurrentUser", undefined, found);
    me.value = found;
  } catch (error) {
    const problem = asProblem(error);
    if (problem.status === 401) {
      // Above a page that is open the dialog asks; there is nothing to throw away yet.
      if (me.peek() == null) me.value = null;
    } else meProblem.value = problem;
  }
}

/** By an API key or a login token; the cookie that it gets is out of this page's reach. */
export async function signIn(credential: string): Promise<void> {
  await call("beginSession", { body: { credential } });
  const id = shown.workspace;
  // Of a key there is nothing to choose; who may not is told by what is asked next.
  if (id) await call("chooseWorkspace", { body: { workspace_id: id } }).catch(() => {});
  await learnMe();
  const problem = meProblem.peek();
  // Of a workspace that is not theirs nothing is kept, neither what was read nor what is open.
  if (problem?.status === 403) return location.reload();
  if (problem) throw problem;
  // What was asked in vain is asked again; the page stays as it is.
  invalidate();
}

export async function signOut(): Promise<void> {
  await call("endSession");
  // Everything of the person goes, in memory and in the tab.
  sessionStorage.clear();
  location.reload();
}
