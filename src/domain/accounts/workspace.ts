import {
  getAccount,
  getWorkspace,
  updateWorkspace,
  type WorkspaceChange,
  type WorkspaceRow,
} from "#db/workspaces.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { notFound } from "#src/errors.ts";

export type Workspace = WorkspaceRow;

export async function requireAccount(deps: Deps, { workspaceId, userId }: Principal) {
  const account = await getAccount(deps.db, workspaceId, userId);
  if (account === undefined) throw notFound("User");
  return account;
}

export async function requireWorkspace(deps: Deps, { workspaceId }: Principal): Promise<Workspace> {
  return orNotFound(await getWorkspace(deps.db, workspaceId));
}

export async function changeWorkspace(
  deps: Deps,
  { workspaceId }: Principal,
  change: WorkspaceChange,
): Promise<Workspace> {
  return orNotFound(await updateWorkspace(deps.db, workspaceId, change, deps.clock.now()));
}

function orNotFound(workspace: Workspace | undefined): Workspace {
  if (workspace === undefined) throw notFound("Workspace");
  return workspace;
}
