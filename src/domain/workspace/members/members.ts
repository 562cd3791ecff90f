import {
  changeRole as writeRole,
  findMember,
  type JoinedRow,
  listMembers as selectMembers,
  type MemberEnd,
  type MemberRow,
  removeMember as deleteMember,
  workspacesOf,
} from "#db/access/members.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { hasRole, type Role } from "#src/domain/access/roles.ts";
import { inWorkspace, requireFound } from "#src/domain/owned.ts";
import { conflict, notFound, roleMissing } from "#src/errors.ts";

export type Member = MemberRow;
export type JoinedWorkspace = JoinedRow;

export const listMembers = inWorkspace(selectMembers);

export const joinedWorkspaces = ({ db }: Deps, { userId }: Principal): Promise<JoinedWorkspace[]> =>
  workspacesOf(db, userId);

const orderOf = ({ clock }: Deps, principal: Principal, userId: string) => ({
  workspaceId: principal.workspaceId,
  userId,
  mayTouchOwners: hasRole(principal, "owner"),
  now: clock.now(),
});

/** An admin changes everybody but owners, and makes none. The last owner stays one. */
export async function changeRole(
  deps: Deps,
  principal: Principal,
  userId: string,
  role: Role,
): Promise<Member> {
  refuseUnlessDone(await writeRole(deps.db, orderOf(deps, principal, userId), role));
  return requireFound(await findMember(deps.db, principal.workspaceId, userId), "Member");
}

/** Everybody may leave; an admin takes out everybody but owners. Sessions and keys of who left are refused from here on. */
export async function removeMember(
  deps: Deps,
  principal: Principal,
  userId: string,
): Promise<void> {
  const isLeaving = principal.via === "jwt" && userId === principal.userId;
  if (!isLeaving && !hasRole(principal, "admin")) throw roleMissing("admin");
  const order = orderOf(deps, principal, userId);
  refuseUnlessDone(await deleteMember(deps.db, order));
}

function refuseUnlessDone(end: MemberEnd): void {
  if (end === "unknown") throw notFound("Member");
  if (end === "forbidden") throw roleMissing("owner");
  if (end === "last_owner")
    throw conflict(
      "LAST_OWNER",
      "A workspace has an owner at any time: make somebody else an owner first, or delete the workspace.",
    );
}
