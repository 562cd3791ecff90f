import { UNIQUE_VIOLATION, violates } from "#db/base/client.ts";
import { updateAlias } from "#db/senders/alias-change.ts";
import {
  type AliasWithLane,
  deleteAlias,
  findDomainOf,
  getAlias,
  getAliasDomain,
  insertAlias,
  listAliases,
} from "#db/senders/aliases.ts";
import type { AliasStatus, Ramp } from "#db/schema/index.ts";
import type { Deps, Principal } from "#src/deps.ts";
import {
  inWorkspace,
  newOwned,
  removes,
  requireFound,
  requires,
  retryWhileChanged,
} from "#src/domain/owned.ts";
import { conflict, unprocessable } from "#src/errors.ts";
import { type AccountInput, sealAccount } from "./alias-account.ts";
import { inboxStatements, type InboxInput, noteInbox } from "./alias-inbox.ts";
import {
  isConnected,
  type LoginInput,
  namedAccount,
  planAccount,
  presetAccount,
  sealLogin,
} from "./alias-login.ts";
import { needsToken } from "./stored-account.ts";
import { movesToken, requireTokenHost } from "./token-hosts.ts";
import { getWorkspace } from "#db/access/workspaces.ts";
import { capWithin } from "./domain-quota.ts";
import { dayCap } from "./ramp.ts";

export type { AliasWithLane } from "#db/senders/aliases.ts";
export { ALIAS_ERROR_KINDS, ALIAS_STATUSES, TRANSPORT_KINDS } from "#db/schema/index.ts";

/** An alias as its owner describes it; the password never comes back. */
export interface AliasInput {
  email: string;
  displayName: string;
  /** Absent: the workspace's own record for the address's domain, if it has one. */
  domainId?: string | null;
  replyTo?: string | null;
  /** Absent: the one of the provider that `oauth` names. */
  transport?: AccountInput;
  oauth?: LoginInput | null;
  inbox?: InboxInput | null;
  dailyLimit: number;
  minIntervalSeconds?: number | null;
  ramp?: Ramp | null;
  signature?: string | null;
  isDefault: boolean;
}
export type AliasChange = Partial<AliasInput> & { status?: AliasStatus };

export const readAliases = inWorkspace(listAliases);
export const requireAlias = requires("Mail alias", getAlias);

/** The alias's cap on its present accounting day, and how much of it is sent or claimed. */
export function countsOf(alias: AliasWithLane, now: Date): { sentToday: number; capToday: number } {
  const counts =
    alias.dayFrom !== null &&
    alias.dayUntil !== null &&
    now >= alias.dayFrom &&
    now < alias.dayUntil;
  return {
    sentToday: counts ? alias.used : 0,
    // Drawn when the day began; before that, what it would be.
    capToday: counts ? alias.dayCap : capWithin(alias, alias.domainQuota, now, alias.timezone),
  };
}

export async function createAlias(
  deps: Deps,
  principal: Principal,
  wish: AliasInput,
): Promise<AliasWithLane> {
  const {
    isDefault,
    transport: wanted,
    oauth = null,
    inbox,
    ramp = null,
    domainId,
    ...rest
  } = wish;
  const ownDomain = domainId === undefined ? await domainOf(deps, principal, wish.email) : domainId;
  await requireOwnDomain(deps, principal, ownDomain, wish.email);
  const owner = newOwned(deps, principal);
  const login = oauth === null ? null : await sealLogin(deps, owner.id, oauth);
  const account = await sealAccount(deps, owner.id, accountFor(wish.email, wanted, oauth));
  if (login !== null && needsToken(account))
    requireTokenHost(deps, login.provider, account.transportSettings);
  const content = {
    ...rest,
    ...account,
    domainId: ownDomain,
    ramp: startRamp(null, ramp, owner.now),
    status: isConnected(account, login) ? ("active" as const) : ("pending" as const),
  };
  const workspace = requireFound(await getWorkspace(deps.db, owner.workspaceId), "Workspace");
  const cap = dayCap({ ...content, createdAt: owner.now }, owner.now, workspace.timezone);
  const settings = await inboxStatements(deps, owner, inbox, login?.provider, owner.now);
  const marks = { asDefault: isDefault, dayCap: cap, login };
  await refuseTwice(wish.email, insertAlias(deps.db, owner, content, marks, settings));
  if (inbox != null) await noteInbox(deps);
  return requireAlias(deps, principal, owner.id);
}

function accountFor(
  email: string,
  wanted: AccountInput | undefined,
  oauth: LoginInput | null,
): AccountInput {
  const account = wanted ?? (oauth === null ? null : presetAccount(oauth.provider, email));
  if (account === null)
    throw unprocessable("VALIDATION_ERROR", "Give the transport: its hosts are not known.");
  return oauth === null ? account : namedAccount(account, email);
}

/** A new account or login ends what stood against the old one, and its rest: its next send will tell. */
export async function changeAlias(
  deps: Deps,
  principal: Principal,
  id: string,
  change: AliasChange,
): Promise<AliasWithLane> {
  const attempt = async () => {
    const alias = await requireAlias(deps, principal, id);
    const now = deps.clock.now();
    const { inbox, ...rest } = change;
    const moves = movesToken(alias, inbox);
    const plan = await planChange(deps, principal, alias, rest, { now, moves });
    const { content, lane, login, provider } = plan;
    const settings = await inboxStatements(deps, alias, inbox, provider, now);
    const update = updateAlias(deps.db, alias, content, lane, now, settings, login);
    const isChanged = await refuseTwice(change.email ?? alias.email, update);
    if (inbox != null) await noteInbox(deps);
    return isChanged ? requireAlias(deps, principal, id) : undefined;
  };
  const message = "The alias is being changed by others; read it and try again.";
  return retryWhileChanged(attempt, "CONFLICT", message);
}

async function planChange(
  deps: Deps,
  principal: Principal,
  alias: AliasWithLane,
  { isDefault, transport, oauth, ramp, ...rest }: Omit<AliasChange, "inbox">,
  { now, moves }: { now: Date; moves: boolean },
) {
  const domainId = rest.domainId === undefined ? alias.domainId : rest.domainId;
  await requireOwnDomain(deps, principal, domainId, rest.email ?? alias.email);
  const { account, login, connected, provider } = await planAccount(deps, alias, {
    transport,
    oauth,
    moves,
  });
  const heals =
    (transport !== undefined || oauth !== undefined) &&
    (["error", "pending"].includes(alias.status) ||
      (alias.status === "active" && alias.lastErrorKind !== null));
  const wanted = rest.status ?? (heals ? "active" : undefined);
  const isUsed = ["active", "error"].includes(wanted ?? alias.status);
  const status = isUsed && !connected ? "pending" : wanted;
  const content = {
    ...rest,
    ...account,
    ...(ramp === undefined ? {} : { ramp: startRamp(alias.ramp, ramp, now) }),
    ...(status === undefined ? {} : { status }),
    ...(status === "active" || status === "pending"
      ? { lastError: null, lastErrorKind: null }
      : {}),
    ...(isDefault === true ? { isDefault } : {}),
  };
  const next = { ...alias, ...content };
  const touchesLane =
    status !== undefined ||
    ramp !== undefined ||
    domainId !== alias.domainId ||
    rest.dailyLimit !== undefined ||
    rest.minIntervalSeconds !== undefined;
  const lane = {
    ...(status === undefined ? {} : { open: status === "active" }),
    dayCap: dayCap(next, now, alias.timezone),
    minIntervalSeconds: next.minIntervalSeconds,
  };
  return { content, lane: touchesLane ? lane : null, login, provider };
}

/** A ramp counts its days from when it is switched on; changing its numbers does not begin it anew. */
function startRamp(before: Ramp | null, ramp: Ramp | null, now: Date): Ramp | null {
  if (ramp === null || !ramp.enabled) return ramp;
  const startedAt = before?.enabled === true ? before.startedAt : now.toISOString();
  return { ...ramp, ...(startedAt === undefined ? {} : { startedAt }) };
}

const hostOf = (email: string) => email.slice(email.lastIndexOf("@") + 1);

async function domainOf(deps: Deps, { workspaceId }: Principal, email: string) {
  return (await findDomainOf(deps.db, workspaceId, hostOf(email))) ?? null;
}

async function requireOwnDomain(
  deps: Deps,
  { workspaceId }: Principal,
  domainId: string | null,
  email: string,
): Promise<void> {
  if (domainId === null) return;
  const found = await getAliasDomain(deps.db, workspaceId, domainId);
  const domain = requireFound(found, "Mail domain");
  const host = hostOf(email);
  if (host !== domain && !host.endsWith(`.${domain}`)) {
    throw unprocessable("VALIDATION_ERROR", `${email} is not an address of the domain ${domain}.`);
  }
}

async function refuseTwice<T>(email: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!violates(error, UNIQUE_VIOLATION, "mail_aliases_email")) throw error;
    throw conflict("ALIAS_EXISTS", `There is an alias ${email} already.`);
  }
}

export const removeAlias = removes(
  "Mail alias",
  "Campaigns under way send from this alias.",
  deleteAlias,
);
