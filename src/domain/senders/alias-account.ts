import { getAlias } from "#db/senders/aliases.ts";
import { recordAliasTest } from "#db/senders/alias-change.ts";
import type { TransportKind, TransportSettings } from "#db/schema/index.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { requireFound } from "#src/domain/owned.ts";
import { unprocessable } from "#src/errors.ts";
import { describeError } from "#src/platform/log.ts";
import type { AccountReport, MailAccount } from "#src/providers/mail/index.ts";
import type { NoToken } from "./access-token.ts";
import { explainHost, requireMailHost } from "./account-host.ts";
import { createLogins, withLogin } from "./account-login.ts";
import { checkInbox } from "./alias-inbox.ts";
import type { StoredAccount } from "./stored-account.ts";

/** An account as its owner describes it: the settings of its kind, and its password or key; null takes it away. */
export type AccountInput = {
  [K in TransportKind]: { kind: K; settings: TransportSettings[K]; secret?: string | null };
}[TransportKind];

/** The context under which the vault seals an alias's password. */
export const aliasSecretContext = (id: string) => `mail_aliases:${id}:transport_secret`;

/** Settings and secret as they are stored. */
export async function sealAccount(deps: Deps, aliasId: string, wish: AccountInput) {
  const { kind, settings, secret } = wish;
  if (kind === "smtp") requireMailHost(deps, settings);
  const transportSecret =
    secret == null ? null : await deps.vault.seal(secret, aliasSecretContext(aliasId));
  return { transportKind: kind, transportSettings: settings, transportSecret };
}

/**
 * A secret is kept only for the very account it was given for; an SMTP account without a username has none,
 * and one that is logged in to by OAuth needs none.
 */
export async function changeAccount(
  deps: Deps,
  alias: StoredAccount,
  wish: AccountInput,
  { byOauth }: { byOauth: boolean },
) {
  const { kind, settings, secret } = wish;
  if (kind === "smtp") requireMailHost(deps, settings);
  if (secret !== undefined || (kind === "smtp" && settings.username === undefined))
    return sealAccount(deps, alias.id, wish);
  const isSame = isSameAccount(alias, wish);
  const transportSecret = isSame ? alias.transportSecret : null;
  if (transportSecret !== null || (kind === "smtp" && byOauth))
    return { transportKind: kind, transportSettings: settings, transportSecret };
  throw unprocessable(
    "VALIDATION_ERROR",
    kind === "smtp"
      ? "Give the password again: host, port or username of the transport changed."
      : `Give the key again: the ${kind} account is another one.`,
  );
}

/** Whether what was given for the stored account may be used for this one. */
export const isSameAccount = (
  { transportKind, transportSettings }: StoredAccount,
  { kind, settings }: AccountInput,
): boolean =>
  transportKind === kind &&
  IDENTITY[kind].every(
    (field) =>
      (transportSettings as Record<string, unknown>)[field] ===
      (settings as Record<string, unknown>)[field],
  );

/** The fields that identify an account, by kind. */
const IDENTITY: Record<TransportKind, string[]> = {
  smtp: ["host", "port", "username"],
  ses: ["region", "accessKeyId"],
  mailgun: ["domain", "region"],
  postmark: [],
  resend: [],
};

/** The account of an alias, its secret opened; one that is logged in to by OAuth has none (`withLogin`). */
export async function openAccount({ vault }: Pick<Deps, "vault">, alias: StoredAccount) {
  const { id, transportKind, transportSettings, transportSecret } = alias;
  const secret =
    transportSecret === null
      ? undefined
      : await vault.open(transportSecret, aliasSecretContext(id));
  return accountOf(transportKind, transportSettings, secret);
}

function accountOf(
  kind: TransportKind,
  stored: TransportSettings[TransportKind],
  secret: string | undefined,
): MailAccount {
  switch (kind) {
    case "smtp": {
      const settings = stored as TransportSettings["smtp"];
      return { kind, ...settings, ...(secret === undefined ? {} : { password: secret }) };
    }
    case "ses":
      return {
        kind,
        ...(stored as TransportSettings["ses"]),
        secretAccessKey: secret ?? "",
      };
    case "mailgun":
      return { kind, ...(stored as TransportSettings["mailgun"]), apiKey: secret ?? "" };
    case "postmark":
      return { kind, ...(stored as TransportSettings["postmark"]), serverToken: secret ?? "" };
    case "resend":
      return { kind, apiKey: secret ?? "" };
  }
}

/** The vault does not open the account's secret: neither owner nor server can mend that. */
const UNOPENED: AccountReport = {
  ok: false,
  stage: "connect",
  message:
    "The stored password or key could not be opened; the service's operator has to look at it, the account is not at fault.",
  capabilities: [],
};

/**
 * Opens the account without sending. What went wrong is said in plain words and kept as the alias's
 * last error. It is in error, and its sender stops, where the account is at fault, as after a send
 * that says so; a test that goes well ends that. The inbox is opened too, and says for itself.
 */
export async function testAlias(
  deps: Deps,
  { workspaceId }: Principal,
  id: string,
): Promise<
  Omit<AccountReport, "fault" | "tokenRefused"> & { inbox?: { ok: boolean; message: string } }
> {
  const alias = requireFound(await getAlias(deps.db, workspaceId, id), "Mail alias");
  const transport = deps.openMail();
  try {
    const account = await openAccount(deps, alias).catch((error: unknown) => {
      deps.log.error("account_unusable", { lane_id: id, ...describeError(error) });
      return null;
    });
    const check = (ready: MailAccount) => transport.check(ready, alias.email);
    const [tried, inbox] = await Promise.all([
      account === null ? UNOPENED : withLogin(createLogins(deps), id, account, check),
      alias.inbox && checkInbox(deps, alias.inbox, alias.email),
    ]);
    const found = reportOf(tried);
    const {
      fault,
      tokenRefused: _,
      ...report
    } = account?.kind === "smtp" ? await explainHost(deps.dns, account.host, found) : found;
    const { message } = report;
    const kind = account === null ? "vault" : (fault ?? "line");
    await recordAliasTest(deps.db, alias, report.ok ? null : { kind, message }, deps.clock.now());
    return { ...report, ...(inbox && { inbox }) };
  } finally {
    await transport.close();
  }
}

/** An account without a token was not asked. */
const reportOf = (found: AccountReport | NoToken): AccountReport =>
  "stage" in found ? found : { ...found, stage: "auth", capabilities: [] };
