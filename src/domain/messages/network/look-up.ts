import type { NetworkContext } from "#db/network/step-contexts.ts";
import type { LookUp } from "#src/domain/engine/channel.ts";
import { saysThePage } from "#src/domain/network/same-text.ts";
import { createSentInvitations } from "#src/domain/network/sent-invitations.ts";
import type { Network } from "#src/providers/network/index.ts";
import { publicIdentifierOf } from "./find-person.ts";

/** The provider's clock may differ from this one. */
const CLOCK_MARGIN_MS = 5 * 60_000;

/** Whether a step whose answer was lost was done, as the network itself shows it. */
export async function lookUpAction(
  network: Network,
  context: NetworkContext,
  since: Date,
): Promise<LookUp> {
  const from = new Date(since.getTime() - CLOCK_MARGIN_MS);
  switch (context.step.action_type) {
    case "connection_request":
      return invitationShows(network, context, from);
    case "message":
      return messageShows(network, context, from);
    // The network does not list profile views.
    default:
      return "unknown";
  }
}

/** An invitation that was accepted meanwhile is one no more: then they are connected. */
async function invitationShows(
  { people }: Network,
  { account, lead }: NetworkContext,
  from: Date,
): Promise<LookUp> {
  if (lead.connectedAt !== null) return "done";
  const { providerAccountId } = account;
  const personId = await personOf(people, account, lead);
  if (personId === null) return "not_done";
  const found =
    personId === "unknown"
      ? personId
      : await createSentInvitations(people, providerAccountId, from).to(personId);
  if (found === "unknown") return "unknown";
  if (found !== null) return "done";
  const person = await people.profile(providerAccountId, personId);
  if (!person.ok) return "unknown";
  return person.value.isConnected || person.value.isInvited ? "done" : "not_done";
}

async function messageShows(
  { chats, people }: Network,
  { account, lead, said }: NetworkContext,
  from: Date,
): Promise<LookUp> {
  const personId = await personOf(people, account, lead);
  if (personId === null) return "not_done";
  if (personId === "unknown") return "unknown";
  const answer = await chats.messagesWith(account.providerAccountId, personId, from);
  if (!answer.ok) return "unknown";
  const ours = answer.value.filter(({ direction }) => direction === "out");
  if (ours.length === 0) return "not_done";
  // What it said was lost with a restored database: it may be one of these.
  if (said === null) return "unknown";
  return ours.some(({ text }) => saysThePage(said, text)) ? "done" : "not_done";
}

/** The person is noted before anything is sent; a restored database may have lost the note. Null where the network knows no such person. */
async function personOf(
  people: Network["people"],
  { providerAccountId }: NetworkContext["account"],
  { personId, profileUrl }: NetworkContext["lead"],
): Promise<string | "unknown" | null> {
  if (personId !== null) return personId;
  const identifier = publicIdentifierOf(profileUrl ?? "");
  if (identifier === null) return null;
  const answer = await people.profile(providerAccountId, identifier);
  if (answer.ok) return answer.value.id;
  return answer.failure.kind === "person" ? null : "unknown";
}
