import { closeNotes } from "#db/network/notes.ts";
import { rememberPerson } from "#db/network/people.ts";
import type { NetworkContext } from "#db/network/step-contexts.ts";
import type { Deps } from "#src/deps.ts";
import type { ActionResult } from "#src/domain/engine/channel.ts";
import { NOTES_CLOSED_MS } from "#src/domain/senders/network-limits.ts";
import type { Network } from "#src/providers/network/index.ts";
import { failedAction, failedQuestion, type NetworkResult } from "./action-result.ts";
import { findPerson, NO_PERSON, publicIdentifierOf } from "./find-person.ts";

/** One step on the network, ready to be done. */
export interface ReadyAction {
  sendId: string;
  action: NetworkContext["step"]["action_type"];
  account: NetworkContext["account"];
  lead: NetworkContext["lead"];
  /** Note or message; null for none. */
  text: string | null;
}

/** The provider, account and log that an action needs. */
interface Means {
  deps: Deps;
  network: Network;
}

/** Performs an action at most once. All calls before the one that acts only read, and their failures change nothing. */
export async function performAction(means: Means, ready: ReadyAction): Promise<NetworkResult> {
  switch (ready.action) {
    case "connection_request":
      return requestConnection(means, ready);
    case "message":
      return sendMessage(means, ready);
    case "profile_view":
      return viewProfile(means, ready);
    case "send_email":
      throw new Error("An email is no action of a network.");
  }
}

/** An acceptance is in words of ours: it is recorded without a look at whether its lead still names somebody. */
const CONNECTED = "They are connected already.";
const INVITED = "An invitation of this account is open already.";

async function requestConnection(
  { deps, network }: Means,
  ready: ReadyAction,
): Promise<NetworkResult> {
  const { account, lead, text } = ready;
  const { providerAccountId } = account;
  let { personId } = lead;
  if (lead.connectedAt !== null) return accepted(CONNECTED);
  if (personId === null) {
    const found = await asked(() => findPerson(deps, network, { providerAccountId, lead }));
    if (!found.ok) return found.result;
    const { person } = found;
    if (person.isConnected) return accepted(CONNECTED);
    if (person.isInvited) return accepted(INVITED);
    personId = person.id;
  }
  const answer = await network.people.invite(providerAccountId, personId, text);
  if (answer.ok) return accepted("Invited.", answer.value.invitationId);
  const { failure } = answer;
  if (failure.kind === "limited" && failure.scope === "notes")
    await closeNotesOf(deps, ready, failure.detail);
  if (failure.kind !== "person") return failedAction(failure);
  if (failure.reason === "already_invited") return accepted(INVITED);
  if (failure.reason !== "already_connected") return failedAction(failure);
  const connectedAt = deps.clock.now();
  await rememberPerson(deps.db, lead.campaignLeadId, { personId, connectedAt });
  return accepted(CONNECTED);
}

function closeNotesOf(
  { db, clock }: Deps,
  { account, sendId }: ReadyAction,
  words: string,
): Promise<void> {
  const now = clock.now();
  const until = new Date(now.getTime() + NOTES_CLOSED_MS);
  return closeNotes(db, { accountId: account.id, sendId }, { until, words, now });
}

async function sendMessage(
  { deps, network }: Means,
  { account, lead, text }: ReadyAction,
): Promise<NetworkResult> {
  const { providerAccountId } = account;
  let { personId } = lead;
  if (personId === null) {
    const found = await asked(() => findPerson(deps, network, { providerAccountId, lead }));
    if (!found.ok) return found.result;
    personId = found.person.id;
  }
  const answer = await network.chats.start(providerAccountId, personId, text ?? "");
  return answer.ok ? accepted("Said.", answer.value.messageId) : failedAction(answer.failure);
}

/** The lead is told of a visit; one whose answer was lost may have been seen. */
async function viewProfile(
  { deps, network }: Means,
  { account, lead }: ReadyAction,
): Promise<NetworkResult> {
  const identifier = lead.personId ?? publicIdentifierOf(lead.profileUrl ?? "");
  if (identifier === null) return NO_PERSON;
  const answer = await network.people.profile(account.providerAccountId, identifier, {
    visit: true,
  });
  if (!answer.ok) return failedAction(answer.failure);
  const { id: personId, isConnected } = answer.value;
  const connectedAt = isConnected ? (lead.connectedAt ?? deps.clock.now()) : null;
  // It is done, whether or not it can be noted; a step that needs the person looks it up again.
  await rememberPerson(deps.db, lead.campaignLeadId, { personId, connectedAt }).catch(() => {});
  return accepted("Looked at.");
}

const accepted = (reply: string, messageId: string | null = null): ActionResult => ({
  state: "accepted",
  reply,
  ...(messageId === null ? {} : { messageId }),
});

/** A read before the acting call: its failure means that the action was not done. */
async function asked<T>(ask: () => Promise<T>): Promise<T | { ok: false; result: NetworkResult }> {
  try {
    return await ask();
  } catch (error) {
    const detail = `It broke off before anything was done: ${String(error).slice(0, 200)}`;
    return { ok: false, result: failedQuestion({ kind: "down", code: "broken_off", detail }) };
  }
}
