import type { AliasRow } from "#db/senders/aliases.ts";

/** An account as it is stored. */
export type StoredAccount = Pick<
  AliasRow,
  "id" | "transportKind" | "transportSettings" | "transportSecret"
>;

/** An SMTP account with a name and no password is logged in to by a token. */
export const needsToken = ({
  transportKind,
  transportSettings,
  transportSecret,
}: Omit<StoredAccount, "id">): boolean =>
  transportKind === "smtp" &&
  transportSecret === null &&
  "username" in transportSettings &&
  transportSettings.username !== undefined;
