import { commit } from "#db/base/client.ts";
import { createPostgresStore } from "#db/engine/index.ts";
import {
  campaignsOf,
  type Erasure,
  erasureStatements,
  openVerificationsOf,
  profilesOf,
} from "#db/workspace/erasure.ts";
import { forgetProfileStatement, optOutStatement } from "#db/research/opt-outs.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { settle } from "#src/domain/billing/credits/charge.ts";
import { readProfileUrl } from "#src/domain/people/leads/profile-url.ts";
import { newOwned } from "#src/domain/owned.ts";
import { poolKeys, profileHashes } from "#src/domain/research/prospects/person-key.ts";
import { sha256Hex } from "#src/platform/encoding.ts";

/**
 * Forgets the person with that address, given as it is compared: in one transaction whatever the workspace keeps of
 * them goes, and the address's hash stays and suppresses. Their profiles leave the pool of prospects, for everybody.
 * Safe to repeat, and to interrupt: it is all there, or all gone.
 */
export async function erasePerson(
  deps: Deps,
  principal: Principal,
  emailKey: string,
): Promise<void> {
  const { db } = deps;
  const person = { ...newOwned(deps, principal), emailKey, emailHash: await sha256Hex(emailKey) };
  const [campaigns, profiles, refIds] = await Promise.all([
    campaignsOf(db, person),
    profilesOf(db, person),
    openVerificationsOf(db, person),
  ]);
  const charge = {
    workspaceId: person.workspaceId,
    refType: "email_verification" as const,
    refIds,
  };
  await commit(db, [
    ...erasureStatements(db, person),
    ...(await leavePool(deps, profiles, person)),
    ...settle(deps, charge, () => false),
  ]);
  await createPostgresStore(db).complete(person.now, campaigns);
}

async function leavePool({ db }: Deps, profiles: readonly string[], { now, workspaceId }: Erasure) {
  const keys = profiles.flatMap((url) => readProfileUrl(url)?.key ?? []);
  const all = [...new Set(keys)].map(async (profileKey) => {
    const hashes = await profileHashes(profileKey);
    const optOut = {
      poolKeys: poolKeys(profileKey),
      profileHash: hashes[0],
      shownKey: null,
      confirmedBy: `workspace:${workspaceId}`,
      askedFrom: null,
      askedAt: now,
      now,
    };
    return [optOutStatement(db, optOut), forgetProfileStatement(db, hashes)];
  });
  return (await Promise.all(all)).flat();
}
