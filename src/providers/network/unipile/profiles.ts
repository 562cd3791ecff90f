import * as z from "zod";
import type { Person } from "../index.ts";
import type { Unipile } from "./pages.ts";
import { id, optionalId, optionalName, optionalUrl, yes } from "./values.ts";

/** Where the API gives no address of a profile, its public identifier makes one. */
export const profileUrlOf = (publicIdentifier: string | null): string | null =>
  publicIdentifier && `https://www.linkedin.com/in/${encodeURIComponent(publicIdentifier)}`;

const named = {
  provider_id: id,
  public_identifier: optionalId,
  first_name: optionalName,
  last_name: optionalName,
  public_profile_url: optionalUrl,
};

const nameOf = (person: { first_name: string | null; last_name: string | null }): string | null =>
  [person.first_name, person.last_name].filter((part) => part !== null).join(" ") || null;

/** `object` is what tells a person from the lists that the API keeps under the same addresses. */
export const profile = z
  .object({
    object: z.literal("UserProfile"),
    ...named,
    headline: optionalName,
    is_relationship: yes.optional(),
    network_distance: z.string().optional().catch(undefined),
    invitation: z.object({ type: z.string(), status: z.string() }).optional().catch(undefined),
  })
  .transform((person): Person => ({
    id: person.provider_id,
    publicIdentifier: person.public_identifier,
    name: nameOf(person),
    profileUrl: person.public_profile_url ?? profileUrlOf(person.public_identifier),
    headline: person.headline,
    isConnected:
      person.is_relationship === true ||
      /^(FIRST_DEGREE|DISTANCE_1)$/.test(person.network_distance ?? ""),
    isInvited: person.invitation?.type === "SENT" && person.invitation.status === "PENDING",
  }));

const owner = z
  .object({ object: z.literal("AccountOwnerProfile"), ...named, premium: yes.optional() })
  .transform((person) => ({
    id: person.provider_id,
    publicIdentifier: person.public_identifier,
    name: nameOf(person),
    profileUrl: person.public_profile_url ?? profileUrlOf(person.public_identifier),
    isPremium: person.premium === true,
  }));

/** Whose account it is; null where that cannot be had. */
export async function ownProfile(
  { ask }: Pick<Unipile, "ask">,
  accountId: string,
): Promise<z.output<typeof owner> | null> {
  const answer = await ask({
    purpose: "read",
    method: "GET",
    path: ["users", "me"],
    query: { account_id: accountId },
    shape: owner,
  });
  return answer.ok ? answer.value : null;
}
