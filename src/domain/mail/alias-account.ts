import { type AliasRow, getAlias } from "#db/mail-aliases.ts";
import { noteAliasTest } from "#db/mail-alias-change.ts";
import type { SmtpSettings } from "#db/schema/index.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { notFound, unprocessable } from "#src/errors.ts";
import type { AccountReport, AccountStage, SmtpCredentials } from "#src/providers/mail/index.ts";

export type AccountWish = SmtpSettings & { password?: string };

/** The context under which the vault seals an alias's password. */
export const aliasSecretContext = (id: string) => `mail_aliases:${id}:transport_secret`;

/** Settings and password as they are stored. */
export async function sealAccount(
  { vault }: Deps,
  aliasId: string,
  { password, ...transportSettings }: AccountWish,
) {
  const transportSecret =
    password === undefined ? null : await vault.seal(password, aliasSecretContext(aliasId));
  return { transportSettings, transportSecret };
}

/** A password is kept only for the very account it was given for; one without a username has none. */
export async function changeAccount(
  deps: Deps,
  { id, transportSettings: old, transportSecret }: AliasRow,
  account: AccountWish,
) {
  const { password, ...settings } = account;
  const sealed = () => sealAccount(deps, id, account);
  if (password !== undefined || settings.username === undefined) return sealed();
  const isSame =
    old.host === settings.host && old.port === settings.port && old.username === settings.username;
  if (isSame && transportSecret !== null) return { transportSettings: settings, transportSecret };
  throw unprocessable(
    "VALIDATION_ERROR",
    "Give the password again: host, port or username of the transport changed.",
  );
}

/** The credentials of an alias, its password opened. */
export async function openAliasTransport(
  { vault }: Deps,
  alias: Pick<AliasRow, "id" | "transportSettings" | "transportSecret">,
): Promise<SmtpCredentials> {
  const { id, transportSettings, transportSecret } = alias;
  if (transportSecret === null) return { ...transportSettings };
  const password = await vault.open(transportSecret, aliasSecretContext(id));
  return { ...transportSettings, password };
}

/** Where a failure is the account's own, and not that of the line or of a server that is down. */
const OWN_FAULT: readonly AccountStage[] = ["tls", "ehlo", "auth"];

/**
 * Opens the account without sending. What went wrong is said in plain words and kept as the alias's
 * last error; the alias is in error then, and active again after a test that goes well.
 */
export async function testAlias(
  deps: Deps,
  { workspaceId }: Principal,
  id: string,
): Promise<AccountReport> {
  const alias = await getAlias(deps.db, workspaceId, id);
  if (alias === undefined) throw notFound("Mail alias");
  const transport = deps.openMail();
  try {
    const report = await transport.check(await openAliasTransport(deps, alias));
    const note = {
      failure: report.ok ? null : report.message,
      broken: OWN_FAULT.includes(report.stage as AccountStage),
    };
    await noteAliasTest(deps.db, alias, note, deps.clock.now());
    return report;
  } finally {
    await transport.close();
  }
}
