import { and, eq, isNull, lte, or } from "drizzle-orm";
import type { Db } from "../base/client.ts";
import { ownedBy } from "../base/owned.ts";
import { mailAliases } from "../schema/index.ts";

export interface ReturnTestClaim {
  /** Where the mail goes. */
  address: string;
  /** To the second, as its token says it. */
  askedAt: Date;
  /** No mail goes out if one went out after this. */
  notSince: Date;
}

/** Notes that replies to an alias are tested now; false when they were tested just before. */
export async function claimReturnTest(
  db: Db,
  { workspaceId, id }: { workspaceId: string; id: string },
  { address, askedAt, notSince }: ReturnTestClaim,
): Promise<boolean> {
  const rows = await db
    .update(mailAliases)
    .set({
      returnTestAddress: address,
      returnTestAskedAt: askedAt,
      returnTestSeenAt: null,
      returnTestTls: null,
    })
    .where(
      and(
        ownedBy(mailAliases, workspaceId, id),
        or(isNull(mailAliases.returnTestAskedAt), lte(mailAliases.returnTestAskedAt, notSince)),
      ),
    )
    .returning({ id: mailAliases.id });
  return rows.length > 0;
}

interface Asked {
  aliasId: string;
  askedAt: Date;
}

const ofTest = ({ aliasId, askedAt }: Asked) =>
  and(eq(mailAliases.id, aliasId), eq(mailAliases.returnTestAskedAt, askedAt));

/** Withdraws a test whose mail did not go out: its absence would say nothing. */
export async function withdrawReturnTest(db: Db, test: Asked): Promise<void> {
  await db.update(mailAliases).set({ returnTestAddress: null }).where(ofTest(test));
}

/**
 * Records that the mail of the alias's last test came back; an earlier test's mail changes nothing.
 * With a `workspaceId`, only for an alias of that workspace. False where there is no such alias.
 */
export async function noteReturnSeen(
  db: Db,
  { workspaceId, ...test }: Asked & { workspaceId: string | undefined },
  { tls, now }: { tls: boolean | null; now: Date },
): Promise<boolean> {
  const within = workspaceId === undefined ? undefined : eq(mailAliases.workspaceId, workspaceId);
  await db
    .update(mailAliases)
    .set({ returnTestSeenAt: now, returnTestTls: tls })
    .where(and(ofTest(test), within, isNull(mailAliases.returnTestSeenAt)));
  const aliases = await db
    .select({ id: mailAliases.id })
    .from(mailAliases)
    .where(and(eq(mailAliases.id, test.aliasId), within));
  return aliases.length > 0;
}
