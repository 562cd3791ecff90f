import type { InboxRow, OauthProvider } from "#db/schema/index.ts";
import type { Statement } from "#db/base/client.ts";
import {
  healInbox,
  type InboxContent,
  removeInboxStatement,
  setInboxStatement,
} from "#db/replies/inboxes.ts";
import type { Deps } from "#src/deps.ts";
import { unprocessable } from "#src/errors.ts";
import {
  type InboxAccount,
  InboxError,
  type OpenedInbox,
  type OpenInbox,
  type OpenMailbox,
  type SearchedMailbox,
} from "#src/providers/inbox/index.ts";
import { hostFault, readHost } from "#src/platform/public-host.ts";
import { accessTokenOf } from "./access-token.ts";
import { opensByToken, requireTokenHost } from "./token-hosts.ts";

/** An inbox as its owner describes it. */
export interface InboxInput {
  host: string;
  port: number;
  /** Absent: the alias's own address. */
  username?: string | null | undefined;
  /** Absent: as it was; null, or none before: the alias's OAuth. */
  password?: string | null | undefined;
  folder: string;
}

const secretContext = (aliasId: string) => `inboxes:${aliasId}:secret`;

interface Owner {
  id: string;
  workspaceId: string;
}

/** Statements that bring an alias's inbox in line with a wish: undefined leaves it, null removes it. `provider` is that of the alias's OAuth. */
export async function inboxStatements(
  deps: Deps,
  alias: Owner & { inbox?: InboxRow | null },
  wish: InboxInput | null | undefined,
  provider: OauthProvider | undefined,
  now: Date,
): Promise<Statement[]> {
  if (wish === undefined) return [];
  if (wish === null) return [removeInboxStatement(deps.db, alias.id, now)];
  requireInboxHost(deps, wish);
  if (provider !== undefined && opensByToken(alias.inbox ?? null, wish))
    requireTokenHost(deps, provider, wish);
  const { host, port, username = null, folder } = wish;
  const secret = await secretOf(deps, alias, { ...wish, username });
  const content: InboxContent = { host, port, username, folder, secret };
  return [setInboxStatement(deps.db, alias, content, now)];
}

/** A password is kept only for the very account it was given for. */
async function secretOf(
  deps: Deps,
  { id, inbox = null }: Owner & { inbox?: InboxRow | null },
  { password, host, port, username }: InboxInput,
): Promise<string | null> {
  if (password != null) return deps.vault.seal(password, secretContext(id));
  if (password === null || inbox === null || inbox.secret === null) return null;
  if (inbox.host === host && inbox.port === port && inbox.username === username)
    return inbox.secret;
  throw unprocessable(
    "VALIDATION_ERROR",
    "Give the password again: host, port or username of the inbox changed.",
  );
}

/** 422 for a host or a port at which no inbox is read; what a name leads to is judged when it is dialled. */
function requireInboxHost({ settings }: Deps, { host, port }: InboxInput): void {
  const fault = hostFault(host, { loopback: settings.allowLoopback });
  if (fault !== null)
    throw unprocessable("VALIDATION_ERROR", `inbox.host must be a public mail host: ${fault}`);
  const { ports } = settings.inboxes;
  if (readHost(host).kind !== "refused" && !ports.includes(port))
    throw unprocessable(
      "VALIDATION_ERROR",
      `inbox.port must be one that inboxes are read at: ${ports.join(", ")}.`,
    );
}

type StoredInbox = Pick<InboxRow, "aliasId" | "host" | "port" | "username" | "folder" | "secret">;

/**
 * Opens the inbox of an alias by its password, or else by the alias's OAuth: a token that is refused is asked for anew
 * once, because a provider may take one back. Throws InboxError.
 */
export const openAliasInbox = (
  deps: Deps,
  inbox: StoredInbox,
  email: string,
  open: OpenInbox,
): Promise<OpenedInbox> => openByLogin(deps, inbox, email, open);

/** The same for all of its folders. */
export const openAliasMailbox = (
  deps: Deps,
  inbox: StoredInbox,
  email: string,
  open: OpenMailbox,
): Promise<SearchedMailbox> => openByLogin(deps, inbox, email, open);

async function openByLogin<Opened>(
  deps: Deps,
  inbox: StoredInbox,
  email: string,
  open: (account: InboxAccount) => Promise<Opened>,
): Promise<Opened> {
  const { host, port, username, folder } = inbox;
  const login = await inboxLogin(deps, inbox);
  const account = { host, port, folder, username: username ?? email, login };
  try {
    return await open(account);
  } catch (error) {
    if (!("accessToken" in login) || !isRefusedLogin(error)) throw error;
    return open({ ...account, login: await tokenLogin(deps, inbox, login.accessToken) });
  }
}

const isRefusedLogin = (error: unknown): boolean =>
  error instanceof InboxError && error.stage === "login" && error.fault === "account";

async function inboxLogin(deps: Deps, inbox: StoredInbox): Promise<InboxAccount["login"]> {
  const { aliasId, secret } = inbox;
  if (secret === null) return tokenLogin(deps, inbox);
  return { password: await deps.vault.open(secret, secretContext(aliasId)) };
}

async function tokenLogin(
  deps: Deps,
  { aliasId, host }: Pick<StoredInbox, "aliasId" | "host">,
  refused?: string,
) {
  const result = await accessTokenOf(deps, { id: aliasId, host }, { refused });
  if (!result.ok) throw new InboxError("login", result.message, result.fault);
  return { accessToken: result.token };
}

/** Logs in to the inbox and reads no mail. An inbox that works again is read at once. */
export async function checkInbox(
  deps: Deps,
  inbox: InboxRow,
  email: string,
): Promise<{ ok: boolean; message: string }> {
  try {
    const opened = await openAliasInbox(deps, inbox, email, deps.readInboxes());
    await opened.close();
    await healInbox(deps.db, inbox.aliasId, deps.clock.now());
    const message = `${inbox.host}:${inbox.port} accepted the login; the folder “${inbox.folder}” has ${opened.messages} messages, and none was read.`;
    return { ok: true, message };
  } catch (error) {
    if (!(error instanceof InboxError)) throw error;
    return { ok: false, message: error.message };
  }
}

/** While it stands, no inbox is looked for: a service without one leaves the database asleep. */
export const NO_INBOXES = "inboxes:none";

/** To be called after a commit that may have made the first inbox. */
export async function noteInbox({ cache, log }: Deps): Promise<void> {
  await cache.delete(NO_INBOXES).catch(() => log.error("inbox_note_stands", {}));
}
