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
import { hasRole, type Role, ROLES } from "#src/domain/access/roles.ts";
import { isHandedOut } from "#src/domain/access/scopes.ts";
import { inWorkspace, requireFound } from "#src/domain/owned.ts";
import { conflict, forbidden, notFound, roleMissing } from "#src/errors.ts";

export type Member = MemberRow;
export type JoinedWorkspace = JoinedRow;

export const listMembers = inWorkspace(selectMembers);

export const joinedWorkspaces = ({ db }: Deps, { userId }: Principal): Promise<JoinedWorkspace[]> =>
  workspacesOf(db, userId);

/**
 * An admin touches everybody but owners. An admin makes keys and an owner ends the workspace, which a key or an agent's
 * token may not: nor may it say who does.
 */
function touchedBy(principal: Principal): readonly Role[] {
  if (isHandedOut(principal)) return ["viewer", "member"];
  return hasRole(principal, "owner") ? ROLES : ROLES.filter((role) => role !== "owner");
}

const orderOf = ({ clock }: Deps, principal: Principal, userId: string) => ({
  workspaceId: principal.workspaceId,
  userId,
  touches: touchedBy(principal),
  // The role was read before the body came, which takes as long as the caller likes.
  by: { userId: principal.userId, role: principal.role },
  now: clock.now(),
});

/** Whom the caller may touch, to what they may touch. The last owner stays one. */
export async function changeRole(
  deps: Deps,
  principal: Principal,
  userId: string,
  role: Role,
): Promise<Member> {
  const order = orderOf(deps, principal, userId);
  refuseUnlessDone(await writeRole(deps.db, order, role), principal);
  return requireFound(await findMember(deps.db, principal.workspaceId, userId), "Member");
}

/** Everybody may leave; an admin takes out whom they may touch. Sessions and keys of who left are refused from here on. */
export async function removeMember(
  deps: Deps,
  principal: Principal,
  userId: string,
): Promise<void> {
  const isLeaving = principal.via === "jwt" && userId === principal.userId;
  if (!isLeaving && !hasRole(principal, "admin")) throw roleMissing("admin");
  const order = orderOf(deps, principal, userId);
  const end = await deleteMember(deps.db, isLeaving ? { ...order, by: null } : order);
  refuseUnlessDone(end, principal);
}

function refuseUnlessDone(end: MemberEnd, principal: Principal): void {
  if (end === "role_lost") throw roleMissing(principal.role);
  if (end === "unknown") throw notFound("Member");
  if (end === "forbidden" && isHandedOut(principal))
    throw forbidden(
      "JWT_REQUIRED",
      "Who is or is to be an admin or an owner is changed and taken out by a login; an API key, or a token that was granted scopes, changes members and viewers.",
    );
  if (end === "forbidden") throw roleMissing("owner");
  if (end === "last_owner")
    throw conflict(
      "LAST_OWNER",
      "A workspace has an owner at any time: make somebody else an owner first, or delete the workspace.",
    );
}
