import { type AliasWithLane, getAlias } from "#db/senders/aliases.ts";
import { getDomainKey } from "#db/base/fragments/domain-keys.ts";
import type { Deps } from "#src/deps.ts";
import type { Sender } from "./deliver.ts";

/** An alias with all that a handover needs; undefined when it is deleted. */
export async function findSender(
  db: Deps["db"],
  { workspaceId, aliasId }: { workspaceId: string; aliasId: string },
): Promise<(Sender & { alias: AliasWithLane }) | undefined> {
  const alias = await getAlias(db, workspaceId, aliasId);
  if (alias === undefined) return undefined;
  const { domainId } = alias;
  const domain = domainId === null ? undefined : await getDomainKey(db, workspaceId, domainId);
  return { alias, domain: domain ?? null };
}
