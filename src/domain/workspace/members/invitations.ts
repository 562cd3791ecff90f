import {
  findInvitation,
  type InvitationRow,
  listInvitations as selectInvitations,
  removeInvitation as deleteInvitation,
  saveInvitation,
  takeInvitation,
} from "#db/access/invitations.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { hasRole, type Role } from "#src/domain/access/roles.ts";
import { isHandedOut } from "#src/domain/access/scopes.ts";
import { requireWorkspace } from "#src/domain/access/workspace.ts";
import { inWorkspace, newOwned } from "#src/domain/owned.ts";
import { AppError, conflict, forbidden, notFound, roleMissing } from "#src/errors.ts";
import { emailKey } from "#src/mime/email-key.ts";
import { DAY_MS } from "#src/platform/durations.ts";
import { sha256Hex } from "#src/platform/encoding.ts";
import { mailInvitation } from "./invitation-mail.ts";

export type Invitation = InvitationRow;

/** How long a link is good. */
const VALID_MS = 7 * DAY_MS;
/** Of a workspace, at a time: an invitation is a mail to a stranger. */
const MOST_OPEN = 100;

export const listInvitations = inWorkspace(selectInvitations);

/** Invites an address, in the place of an earlier invitation of it. The link is in this answer and in the mail, and nowhere else. */
export async function invite(
  deps: Deps,
  principal: Principal,
  { email, role }: { email: string; role: Role },
): Promise<Invitation & { url: string; isMailed: boolean }> {
  if (!hasRole(principal, role)) throw roleMissing(role);
  // An admin makes keys and an owner ends the workspace, which a key may not: nor may it make who does.
  if (isHandedOut(principal) && (role === "admin" || role === "owner"))
    throw forbidden(
      "JWT_REQUIRED",
      "Who is to be an admin or an owner is invited by a login; an API key, or a token that was granted scopes, invites members and viewers.",
    );
  const { id, now, ...owner } = newOwned(deps, principal);
  const token = deps.ids.secret(32);
  const row = {
    id,
    ...owner,
    email,
    // The schema let only addresses through.
    emailKey: emailKey(email)!,
    role,
    tokenHash: await sha256Hex(token),
    expiresAt: new Date(now.getTime() + VALID_MS),
    createdAt: now,
    updatedAt: now,
  };
  const saved = await saveInvitation(deps.db, row, MOST_OPEN);
  // Taken out, or with less, since the request was let in.
  if (saved === "forbidden") throw roleMissing(role);
  if (saved === "member")
    throw conflict("ALREADY_MEMBER", "Somebody with this address works in the workspace already.");
  if (saved === "too_many")
    throw conflict(
      "TOO_MANY_INVITATIONS",
      `${MOST_OPEN} invitations are open; withdraw some, or wait until they are taken or over.`,
    );
  const { name } = await requireWorkspace(deps, principal);
  const url = `${deps.settings.publicBaseUrl}/console/invitations/${token}`;
  const isMailed = mailInvitation(deps, { to: email, workspace: name, role, url });
  return { ...saved, url, isMailed };
}

export async function withdrawInvitation(
  deps: Deps,
  { workspaceId }: Principal,
  id: string,
): Promise<void> {
  if (!(await deleteInvitation(deps.db, workspaceId, id))) throw notFound("Invitation");
}

/** What the issuer says of the login that accepts. */
export interface Invited {
  email: string | null;
  emailVerified: boolean;
}

/** Joins the workspace that invited this login, once. */
export async function acceptInvitation(
  deps: Deps,
  { userId }: Principal,
  token: string,
  { email, emailVerified }: Invited,
): Promise<{ workspaceId: string; workspaceName: string; role: Role }> {
  const tokenHash = await sha256Hex(token);
  const now = deps.clock.now();
  const found = await findInvitation(deps.db, tokenHash, now);
  if (found === undefined) throw gone();
  if (email === null || emailKey(email) !== found.emailKey)
    throw forbidden(
      "INVITATION_OF_ANOTHER",
      "This invitation is for another address; sign in with the login that has it, or ask for an invitation of this one.",
    );
  if (!emailVerified)
    throw forbidden(
      "EMAIL_NOT_VERIFIED",
      "Your identity provider has not verified your address; verify it there, sign in again, and open the link once more.",
    );
  const taken = await takeInvitation(deps.db, tokenHash, userId, now);
  if (taken === undefined) throw gone();
  return { ...taken, workspaceName: found.workspaceName };
}

const gone = () =>
  new AppError(
    "not_found",
    "INVITATION_NOT_FOUND",
    "This invitation is not known: it was taken or withdrawn, or seven days are over. Ask for a new one.",
  );
