import type { Deps } from "#src/deps.ts";

const contextOf = (domainId: string) => `postmaster_logins:${domainId}:token`;

export const sealToken = ({ vault }: Pick<Deps, "vault">, domainId: string, token: string) =>
  vault.seal(token, contextOf(domainId));
export const openToken = ({ vault }: Pick<Deps, "vault">, domainId: string, sealed: string) =>
  vault.open(sealed, contextOf(domainId));
