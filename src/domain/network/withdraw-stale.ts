import {
  type AfterRefusal,
  endWaitInVain,
  type StaleInvitation,
  staleInvitations,
} from "#db/network/stale-invitations.ts";
import { STALE_INVITATION_MS } from "#src/domain/senders/network-limits.ts";
import type { Deps } from "#src/deps.ts";
import { finishCampaigns } from "#src/domain/campaigns/finish.ts";
import { stepDueAt, wholeSecond, zoneOfLead } from "#src/domain/engine/window.ts";
import type { Answer, NetworkFailure, NetworkPeople } from "#src/providers/network/index.ts";
import { acceptInvitations } from "./accept-invitation.ts";
import { createSentInvitations } from "./sent-invitations.ts";
import type { AccountSession } from "./sync-relations.ts";

/** In one run; what is left is for the next. */
const AT_ONCE = 25;

/**
 * Withdraws unanswered invitations; their leads go on with their next email, or are completed. A lead that accepts at
 * the last moment is connected: its profile is read after the withdrawal, when nothing can be accepted any more.
 * False when the provider could not be asked.
 */
export async function withdrawStale(deps: Deps, account: AccountSession): Promise<boolean> {
  const people = deps.network?.people;
  if (people === undefined) return true;
  const before = new Date(deps.clock.now().getTime() - STALE_INVITATION_MS);
  const sent = createSentInvitations(people, account.providerAccountId, null);
  const ended = new Set<string>();
  let isDone = true;
  for (const stale of await staleInvitations(deps.db, account.id, before, AT_ONCE)) {
    const end = await endInvitation(people, account, stale, sent);
    if (end === "unknown") {
      isDone = false;
      break;
    }
    if (end === "connected") await connect(deps, account, stale);
    else if (await giveUp(deps, stale)) ended.add(stale.campaignId);
  }
  await finishCampaigns(deps, [...ended]);
  if (ended.size > 0) await deps.wake();
  return isDone;
}

async function endInvitation(
  people: NetworkPeople,
  { providerAccountId }: AccountSession,
  { personId, invitationId }: StaleInvitation,
  sent: ReturnType<typeof createSentInvitations>,
): Promise<"connected" | "withdrawn" | "unknown"> {
  // No person was ever found under the lead's page: no invitation was sent.
  if (personId === null) return "withdrawn";
  const found = invitationId === null ? await sent.to(personId) : { id: invitationId };
  if (found === "unknown") return "unknown";
  if (found !== null) {
    const withdrawn = await people.withdrawInvitation(providerAccountId, found.id);
    if (!withdrawn.ok && !isFinal(withdrawn.failure)) return "unknown";
  }
  const person = await people.profile(providerAccountId, personId);
  if (isGone(person)) return "withdrawn";
  if (!person.ok) return "unknown";
  return person.value.isConnected ? "connected" : "withdrawn";
}

const isFinal = ({ kind }: NetworkFailure): boolean => kind === "person" || kind === "request";
const isGone = (answer: Answer<unknown>): boolean => !answer.ok && isFinal(answer.failure);

const connect = (deps: Deps, account: AccountSession, { personId }: StaleInvitation) =>
  acceptInvitations(deps, account.id, [
    { personId: personId!, publicIdentifier: null, at: deps.clock.now() },
  ]);

const giveUp = (deps: Deps, stale: StaleInvitation): Promise<boolean> => {
  const now = wholeSecond(deps.clock.now());
  return endWaitInVain(deps.db, stale, planAfterRefusal(stale, now), now);
};

/** The next email, its days counted from now: steps that only reach connected people are skipped. */
export function planAfterRefusal(
  { steps, step, zone, timezone }: Pick<StaleInvitation, "steps" | "step" | "zone" | "timezone">,
  now: Date,
): AfterRefusal {
  const next = steps.slice(step).find(({ channel }) => channel === "email");
  if (next === undefined) return null;
  return {
    step: next.step,
    dueAt: stepDueAt(now, next.delay_days, zoneOfLead(zone, timezone)),
  };
}
