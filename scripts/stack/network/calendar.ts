import type { TimedPart } from "../part.ts";
import type { State } from "./books.ts";
import { answer } from "./chats.ts";
import type { Deliveries } from "./deliveries.ts";
import { tellRelation } from "./events.ts";
import { accept } from "./invitations.ts";
import type { Plan } from "./model.ts";
import { abandon } from "./sessions.ts";

export interface Calendar extends TimedPart {
  /** Does what is due, and waits for what is due next. */
  look(): void;
  close(): void;
}

// setTimeout's longest delay is 2^31-1 ms.
const LONGEST_TIMER_MS = 2_000_000_000;

/** What happens by itself: people accept and answer, challenges end, webhooks go out. */
export function createCalendar(state: State, deliveries: Deliveries): Calendar {
  const { books } = state;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isLooking = false;
  let isClosed = false;

  const challenged = () =>
    books.accounts.values().filter(({ challengeEndsAt }) => challengeEndsAt !== null);

  function nextDueAt(): number | null {
    const next = Math.min(
      books.agenda.nextAt(),
      deliveries.nextDueAt() ?? Infinity,
      ...challenged().map(({ challengeEndsAt }) => challengeEndsAt ?? Infinity),
    );
    return next === Infinity ? null : next;
  }

  function act(): void {
    for (const plan of books.agenda.takeDue(Date.now())) carryOut(state, plan);
    for (const account of challenged())
      if ((account.challengeEndsAt ?? Infinity) <= Date.now()) abandon(state, account);
    deliveries.pump();
  }

  /** What it does changes things, which asks it to look again: it does so once, at the end. */
  function look(): void {
    if (isLooking || isClosed) return;
    isLooking = true;
    try {
      act();
    } finally {
      isLooking = false;
    }
    clearTimeout(timer);
    const next = nextDueAt();
    if (next !== null)
      timer = setTimeout(look, Math.min(Math.max(0, next - Date.now()), LONGEST_TIMER_MS));
  }

  return {
    nextDueAt() {
      const next = nextDueAt();
      return next === null ? null : new Date(next);
    },
    busy() {
      const next = nextDueAt();
      return deliveries.isUnderWay() || (next !== null && next <= Date.now());
    },
    look,
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
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
