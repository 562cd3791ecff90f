import { commit, type Statement } from "#db/base/client.ts";
import { createPostgresStore } from "#db/engine/index.ts";
import {
  campaignsOf,
  type Erasure,
  erasureStatements,
  openVerificationsOf,
  profilesOf,
} from "#db/workspace/erasure.ts";
import {
  countErasedProfile,
  forgetProfileStatement,
  optOutStatements,
} from "#db/research/opt-outs.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { settle } from "#src/domain/billing/credits/charge.ts";
import { readProfileUrl } from "#src/domain/people/leads/profile-url.ts";
import { newOwned } from "#src/domain/owned.ts";
import { poolKeys, profileHashes } from "#src/domain/research/prospects/person-key.ts";
import { sha256Hex } from "#src/platform/encoding.ts";

/**
 * Forgets the person with that address, given as it is compared: in one transaction whatever the workspace keeps of
 * them goes, and the address's hash stays and suppresses. Their profiles leave the pool of prospects, for everybody,
 * as far as the workspace may take more out today.
 * Safe to repeat, and to interrupt: it is all there, or all gone, but for the day's count. `isAgain`: what was counted before is not counted.
 */
export async function erasePerson(
  deps: Pick<Deps, "db" | "clock" | "ids" | "log">,
  principal: Pick<Principal, "workspaceId" | "userId">,
  emailKey: string,
  { isAgain = false } = {},
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
    ...(await leavePool(deps, profiles, person, isAgain)),
    ...settle(deps, charge, () => false),
  ]);
  await createPostgresStore(db).complete(person.now, campaigns);
}

/** Profiles of a workspace, as many as a client may ask for: that a lead's profile is the person's is its word alone. */
const LEAVE_A_DAY = 50;

async function leavePool(
  { db, log }: Pick<Deps, "db" | "log">,
  profiles: readonly string[],
  { now, workspaceId }: Erasure,
  isAgain: boolean,
) {
  const keys = [...new Set(profiles.flatMap((url) => readProfileUrl(url)?.key ?? []))];
  const confirmedBy = `workspace:${workspaceId}`;
  const day = { day: now.toISOString().slice(0, 10), subject: confirmedBy, limit: LEAVE_A_DAY };
  const statements: Statement[] = [];
  let leaving = 0;
  for (const profileKey of keys) {
    const hashes = await profileHashes(profileKey);
    if (isAgain || (leaving < LEAVE_A_DAY && (await countErasedProfile(db, day)))) {
      leaving += 1;
      const whose = { poolKeys: poolKeys(profileKey), profileHashes: hashes, shownKey: null };
      const asked = { confirmedBy, askedFrom: null, askedAt: now, now };
      statements.push(...optOutStatements(db, { ...whose, ...asked }));
    }
    statements.push(forgetProfileStatement(db, hashes));
  }
  if (leaving < keys.length)
    log.info("erased_profiles_stay_in_pool", {
      workspace_id: workspaceId,
      profiles: keys.length - leaving,
    });
  return statements;
}
