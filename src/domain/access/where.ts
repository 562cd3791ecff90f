import { findInvitation } from "#db/access/invitations.ts";
import { findKey } from "#db/access/keys.ts";
import { placeOfLogin } from "#db/access/logins.ts";
import type { Deps } from "#src/deps.ts";
import { FIRST, type Whereabouts } from "#src/platform/cells.ts";
import { sha256Hex } from "#src/platform/encoding.ts";
import { KEY_PATTERN, verifyLogin } from "./authenticate.ts";
import type { Residence } from "./moving.ts";
import { openSession } from "./sessions.ts";

/** A caller's credential: a key or a login token, or what the browser keeps. */
export interface Credential {
  token: string | null;
  sealed: string | undefined;
  /** The workspace that a login names. */
  workspace: string | null;
}

const AGENTS_PATH = "/mcp";
const UNKNOWN: Whereabouts = { at: "unknown" };

/**
 * Where the caller's workspace is, as this cell knows it. The look makes and writes nothing, and lets no caller in: a
 * revoked key is known here, and refused here.
 */
export async function whereIs(
  deps: Deps,
  { token, sealed, workspace }: Credential,
): Promise<Whereabouts> {
  if (token !== null && KEY_PATTERN.test(token)) return whereIsKey(deps, await sha256Hex(token));
  if (token !== null) {
    // Made for the service, or for agents alone.
    const claims =
      (await verifyLogin(deps, token)) ??
      (await verifyLogin(deps, token, deps.settings.publicBaseUrl + AGENTS_PATH));
    return claims === null ? UNKNOWN : whereIsLogin(deps, { ...claims, workspace });
  }
  if (sealed === undefined) return UNKNOWN;
  const session = await openSession(deps, sealed).catch(() => null);
  if (session === null) return UNKNOWN;
  if (session.kind === "key") return whereIsKey(deps, session.keyHash);
  return whereIsLogin(deps, { ...session, workspace: workspace ?? session.workspace });
}

async function whereIsKey({ db }: Deps, keyHash: string): Promise<Whereabouts> {
  const found = await findKey(db, keyHash);
  return found === undefined ? UNKNOWN : placeOf(found, FIRST);
}

async function whereIsLogin(
  { db }: Deps,
  login: { issuer: string; subject: string; workspace: string | null },
): Promise<Whereabouts> {
  const found = await placeOfLogin(db, login);
  if (found === undefined) return UNKNOWN;
  const { isDeleted, isOwn, joinedAt } = found;
  const isSure = !isDeleted && (isOwn || login.workspace !== null);
  return placeOf(found, isSure ? FIRST : `${isDeleted ? 2 : 1} ${joinedAt.toISOString()}`);
}

/** Of the workspace whose link that is. */
export async function whereIsInvitation({ db, clock }: Deps, token: string): Promise<Whereabouts> {
  const found = await findInvitation(db, await sha256Hex(token), clock.now());
  return found === undefined ? UNKNOWN : { at: "here", order: FIRST };
}

function placeOf({ frozenAt, cell }: Residence, order: string): Whereabouts {
  if (frozenAt !== null) return { at: "moving" };
  return cell === null ? { at: "here", order } : { at: "elsewhere", cell };
}
