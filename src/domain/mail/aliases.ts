import { UNIQUE_VIOLATION, violates } from "#db/client.ts";
import {
  type AliasContent,
  type AliasRow,
  type AliasWithLane,
  deleteAlias,
  getAlias,
  getAliasDomain,
  insertAlias,
  listAliases,
  noteAliasTest,
  updateAlias,
} from "#db/mail-aliases.ts";
import type { AliasStatus, SmtpSettings } from "#db/schema/index.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { conflict, notFound, unprocessable } from "#src/errors.ts";
import type { AccountReport, SmtpCredentials } from "#src/providers/mail/index.ts";
import { dayCap } from "./ramp.ts";

export type { AliasWithLane } from "#db/mail-aliases.ts";
export { ALIAS_STATUSES } from "#db/schema/index.ts";

/** An alias as its owner describes it; the password never comes back. */
export interface AliasWish {
  email: string;
  displayName: string;
  domainId?: string | null;
  replyTo?: string | null;
  transport: SmtpSettings & { password?: string };
  dailyLimit: number;
  minIntervalSeconds?: number | null;
  ramp?: AliasContent["ramp"];
  signature?: string | null;
  isDefault: boolean;
}
export type AliasChange = Partial<AliasWish> & { status?: AliasStatus };

const secretContext = (id: string) => `mail_aliases:${id}:transport_secret`;

export const readAliases = (deps: Deps, { workspaceId }: Principal) =>
  listAliases(deps.db, workspaceId);

export async function requireAlias(
  deps: Deps,
  { workspaceId }: Principal,
  id: string,
): Promise<AliasWithLane> {
  const found = await getAlias(deps.db, workspaceId, id);
  if (found === undefined) throw notFound("Mail alias");
  return found;
}

/** What the sender may send on its present accounting day, and has sent. */
export function countsOf(alias: AliasWithLane, now: Date): { sentToday: number; capToday: number } {
  const counts =
    alias.dayFrom !== null &&
    alias.dayUntil !== null &&
    now >= alias.dayFrom &&
    now < alias.dayUntil;
  return {
    sentToday: counts ? alias.used : 0,
    capToday: dayCap({ ...alias, ramp: alias.ramp }, now),
  };
}

export async function createAlias(
  deps: Deps,
  principal: Principal,
  wish: AliasWish,
): Promise<AliasWithLane> {
  const { isDefault, transport, ...rest } = wish;
  await requireOwnDomain(deps, principal, wish.domainId ?? null, wish.email);
  const owner = {
    id: deps.ids.uuid(),
    workspaceId: principal.workspaceId,
    userId: principal.userId,
    now: deps.clock.now(),
  };
  const { password, ...settings } = transport;
  const content: AliasContent = {
    ...rest,
    status: "active",
    transportKind: "smtp",
    transportSettings: settings,
    transportSecret:
      password === undefined ? null : await deps.vault.seal(password, secretContext(owner.id)),
  };
  const cap = dayCap(
    { dailyLimit: wish.dailyLimit, ramp: wish.ramp ?? null, createdAt: owner.now },
    owner.now,
  );
  await refuseTwice(
    wish.email,
    insertAlias(deps.db, owner, content, { asDefault: isDefault, dayCap: cap }),
  );
  return requireAlias(deps, principal, owner.id);
}

/** New credentials make an alias in error active again: its next send will tell. */
export async function changeAlias(
  deps: Deps,
  principal: Principal,
  id: string,
  change: AliasChange,
): Promise<AliasWithLane> {
  const alias = await requireAlias(deps, principal, id);
  const { isDefault, transport, ...rest } = change;
  await requireOwnDomain(
    deps,
    principal,
    rest.domainId ?? alias.domainId,
    rest.email ?? alias.email,
  );
  const secret = transport === undefined ? {} : await newTransport(deps, alias, transport);
  const status =
    change.status ??
    (transport !== undefined && alias.status === "error" ? "active" : alias.status);
  const content = {
    ...rest,
    ...secret,
    status,
    ...(status === "active" ? { lastError: null } : {}),
  };
  const next = { ...alias, ...content };
  const now = deps.clock.now();
  const lane = {
    open: status === "active",
    dayCap: dayCap(
      { dailyLimit: next.dailyLimit, ramp: next.ramp ?? null, createdAt: alias.createdAt },
      now,
    ),
    minIntervalSeconds: next.minIntervalSeconds ?? null,
  };
  const update = updateAlias(
    deps.db,
    principal.workspaceId,
    id,
    isDefault === true ? { ...content, isDefault } : content,
    lane,
    now,
  );
  if (!(await refuseTwice(next.email, update))) throw notFound("Mail alias");
  return requireAlias(deps, principal, id);
}

/** A password is kept only for the very account it was given for. */
async function newTransport(
  deps: Deps,
  alias: AliasRow,
  { password, ...settings }: SmtpSettings & { password?: string },
) {
  if (password !== undefined) {
    return {
      transportSettings: settings,
      transportSecret: await deps.vault.seal(password, secretContext(alias.id)),
    };
  }
  const old = alias.transportSettings;
  const isSame =
    old.host === settings.host && old.port === settings.port && old.username === settings.username;
  if (isSame || alias.transportSecret === null) return { transportSettings: settings };
  throw unprocessable(
    "VALIDATION_ERROR",
    "Give the password again: host, port or username of the transport changed.",
  );
}

async function requireOwnDomain(
  deps: Deps,
  { workspaceId }: Principal,
  domainId: string | null,
  email: string,
): Promise<void> {
  if (domainId === null) return;
  const domain = await getAliasDomain(deps.db, workspaceId, domainId);
  if (domain === undefined) throw notFound("Mail domain");
  const host = email.slice(email.lastIndexOf("@") + 1);
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

export async function removeAlias(
  deps: Deps,
  { workspaceId }: Principal,
  id: string,
): Promise<void> {
  const { deleted, usedBy } = await deleteAlias(deps.db, workspaceId, id);
  if (deleted) return;
  if (usedBy.length === 0) throw notFound("Mail alias");
  throw conflict("IN_USE", "Campaigns under way send from this alias.", {
    detail: { campaign_ids: usedBy },
  });
}

/** Opens the account without sending; what went wrong is said in plain words and kept as the alias's last error. */
export async function testAlias(
  deps: Deps,
  principal: Principal,
  id: string,
): Promise<AccountReport> {
  const alias = await requireAlias(deps, principal, id);
  const transport = deps.openMail();
  try {
    const report = await transport.check(await openAliasTransport(deps, alias));
    const owner = { id, workspaceId: principal.workspaceId };
    await noteAliasTest(deps.db, owner, report.ok ? null : report.message, deps.clock.now());
    return report;
  } finally {
    await transport.close();
  }
}

/** The credentials of an alias, its password opened. */
export async function openAliasTransport(
  { vault }: Deps,
  alias: Pick<AliasRow, "id" | "transportSettings" | "transportSecret">,
): Promise<SmtpCredentials> {
  const { id, transportSettings, transportSecret } = alias;
  if (transportSecret === null) return { ...transportSettings };
  return { ...transportSettings, password: await vault.open(transportSecret, secretContext(id)) };
}
