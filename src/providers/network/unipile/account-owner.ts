import type * as z from "zod";
import type { NetworkAccount } from "../index.ts";
import { type account, statusOf } from "./account-shapes.ts";
import type { Unipile } from "./pages.ts";
import { ownProfile, profileUrlOf } from "./profiles.ts";

/** Older answers lack what its own profile has; where that cannot be had either, what is known stands. */
export async function described(
  unipile: Unipile,
  found: z.output<typeof account>,
): Promise<NetworkAccount> {
  const { id: personId, publicIdentifier, premiumFeatures } = found.connection_params.im;
  const status = statusOf(found);
  const isComplete = publicIdentifier !== null && premiumFeatures != null;
  const own = status === "connected" && !isComplete ? await ownProfile(unipile, found.id) : null;
  const identifier = publicIdentifier ?? own?.publicIdentifier ?? null;
  return {
    id: found.id,
    status,
    personId: personId ?? own?.id ?? null,
    displayName: own?.name ?? found.name,
    profileUrl: own?.profileUrl ?? profileUrlOf(identifier),
    publicIdentifier: identifier,
    isPremium: premiumFeatures != null ? premiumFeatures.length > 0 : (own?.isPremium ?? false),
  };
}
