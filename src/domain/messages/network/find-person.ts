import type { NetworkLead } from "#db/network/step-contexts.ts";
import { rememberPerson } from "#db/network/people.ts";
import type { Deps } from "#src/deps.ts";
import type { ActionResult } from "#src/domain/engine/channel.ts";
import type { Network, Person } from "#src/providers/network/index.ts";
import { failedQuestion, type NetworkResult } from "./action-result.ts";

/** The last part of a profile's address, by which the network knows it; null where there is none. */
export function publicIdentifierOf(profileUrl: string): string | null {
  const path = URL.parse(profileUrl)?.pathname.replace(/\/+$/, "") ?? "";
  const last = path.slice(path.lastIndexOf("/") + 1);
  if (last === "") return null;
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}

/** The network's id of the lead and its relation to the account; saved before any action on it. */
export async function findPerson(
  { db, clock }: Deps,
  network: Network,
  { providerAccountId, lead }: { providerAccountId: string; lead: NetworkLead },
): Promise<{ ok: true; person: Person } | { ok: false; result: NetworkResult }> {
  const identifier = lead.personId ?? publicIdentifierOf(lead.profileUrl ?? "");
  if (identifier === null) return { ok: false, result: NO_PERSON };
  const answer = await network.people.profile(providerAccountId, identifier);
  if (!answer.ok) return { ok: false, result: failedQuestion(answer.failure) };
  const person = answer.value;
  const connectedAt = person.isConnected ? (lead.connectedAt ?? clock.now()) : null;
  await rememberPerson(db, lead.campaignLeadId, { personId: person.id, connectedAt });
  return { ok: true, person };
}

export const NO_PERSON: ActionResult = {
  state: "rejected",
  reply: "NO_PROFILE_URL: the profile URL names nobody.",
  scope: "message",
};
