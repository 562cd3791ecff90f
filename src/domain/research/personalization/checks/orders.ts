import { fold } from "../normalize-text.ts";
import type { Given, Read } from "./check.ts";
import { readDraft } from "./orders/drafted.ts";
import { doneAnyway } from "./orders/done-anyway.ts";
import { plainTaken } from "./orders/plain-orders.ts";

/** A sentence of a draft, and the stranger's that it does as told by. */
export interface TakenOrder {
  /** The draft's sentence. */
  said: string;
  order: string;
  /** The lead's field, or the source, by its name. */
  from: string;
}

/**
 * The first sentence that a draft took over from a stranger's text as an order; null where there is none. What orders
 * something in a letter is not shown to the model, so that only a draft that says it nonetheless is held. Of what was
 * shown a statement may be said; what is asked of visitors, or stated by others of others, is not said as the sender's own.
 */
export function takenOrder(draft: Read, given: Given): TakenOrder | null {
  const drafted = readDraft(draft, given);
  const { first_name: firstName = "", company = "" } = given.request.lead;
  const house = fold(company);
  for (const foreign of given.foreign) {
    // A name that is itself the order is not left out of it.
    const person = { firstName: fold(firstName), company: foreign.name === "company" ? "" : house };
    const taken = plainTaken(foreign, drafted, person);
    if (taken !== null) return { ...taken, from: foreign.name };
  }
  return doneAnyway(given, drafted, fold(firstName));
}
