import { type Calendar, createCalendar } from "../calendar.ts";
import type { State } from "./books.ts";
import { answer } from "./chats.ts";
import type { Deliveries } from "./deliveries.ts";
import { tellRelation } from "./events.ts";
import { accept } from "./invitations.ts";
import type { Plan } from "./model.ts";
import { abandon } from "./sessions.ts";

/** What happens by itself: people accept and answer, challenges end, webhooks go out. */
export function networkCalendar(state: State, deliveries: Deliveries): Calendar {
  const { books } = state;
  const challenged = () =>
    books.accounts.values().filter(({ challengeEndsAt }) => challengeEndsAt !== null);
  return createCalendar({
    nextDueAt: () =>
      Math.min(
        books.agenda.nextAt(),
        deliveries.nextDueAt() ?? Infinity,
        ...challenged().map(({ challengeEndsAt }) => challengeEndsAt ?? Infinity),
      ),
    act() {
      for (const plan of books.agenda.takeDue(Date.now())) carryOut(state, plan);
      for (const account of challenged())
        if ((account.challengeEndsAt ?? Infinity) <= Date.now()) abandon(state, account);
      deliveries.pump();
    },
    isUnderWay: deliveries.isUnderWay,
  });
}

function carryOut(state: State, plan: Plan): void {
  if (plan.kind === "tell_relation") return tellRelation(state, plan.owner, plan.person);
  if (plan.kind === "answer") {
    const [owner = "", person = ""] = plan.chat.split(" ");
    return void answer(state, owner, person, plan.text);
  }
  const invitation = state.books.invitations.get(plan.invitation);
  if (invitation !== undefined) accept(state, invitation);
}
