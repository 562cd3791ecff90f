import type { NetworkContext } from "#db/network/step-contexts.ts";
import type { LookUp } from "#src/domain/engine/channel.ts";
import { saysThePage } from "#src/domain/network/same-text.ts";
import { createSentInvitations } from "#src/domain/network/sent-invitations.ts";
import type { Network } from "#src/providers/network/index.ts";

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
  // The person is noted before anything is sent.
  if (lead.personId === null) return "not_done";
  if (lead.connectedAt !== null) return "done";
  const { providerAccountId } = account;
  const found = await createSentInvitations(people, providerAccountId, from).to(lead.personId);
  if (found === "unknown") return "unknown";
  if (found !== null) return "done";
  const person = await people.profile(providerAccountId, lead.personId);
  if (!person.ok) return "unknown";
  return person.value.isConnected || person.value.isInvited ? "done" : "not_done";
}

async function messageShows(
  { chats }: Network,
  { account, lead, said }: NetworkContext,
  from: Date,
): Promise<LookUp> {
  if (lead.personId === null) return "not_done";
  if (said === null) return "unknown";
  const answer = await chats.messagesWith(account.providerAccountId, lead.personId, from);
  if (!answer.ok) return "unknown";
  const isIt = answer.value.some(
    ({ direction, text }) => direction === "out" && saysThePage(said, text),
  );
  return isIt ? "done" : "not_done";
}
