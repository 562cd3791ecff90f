import { and, eq } from "drizzle-orm";
import type { Db } from "./client.ts";
import { mailDomains } from "./schema/index.ts";

/** A domain with its sealed signing key, for what sends; nothing that answers a request reads it. */
export async function getDomainKey(db: Db, workspaceId: string, id: string) {
  const [row] = await db
    .select({
      id: mailDomains.id,
      name: mailDomains.domain,
      selector: mailDomains.dkimSelector,
      sealedKey: mailDomains.dkimPrivateKey,
    })
    .from(mailDomains)
    .where(and(eq(mailDomains.workspaceId, workspaceId), eq(mailDomains.id, id)));
  return row;
}
