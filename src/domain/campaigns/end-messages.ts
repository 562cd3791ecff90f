import { endMessages } from "#db/campaigns/end-messages.ts";
import type { Deps } from "#src/deps.ts";
import { DAY_MS } from "#src/platform/durations.ts";

/** Messages of so many leads take some tens of milliseconds, of a campaign that does not change any more. */
const LEADS = 1_000;
/** Nearly ten million leads a day. */
const STATEMENTS_AT_ONCE = 100;

/** Part of the full check: ends the messages of campaigns that have been over for long enough. Answers how many. */
export async function endOldMessages({
  db,
  clock,
  settings,
}: Pick<Deps, "db" | "clock" | "settings">): Promise<number> {
  const now = clock.now();
  const before = new Date(now.getTime() - settings.campaignMessageDays * DAY_MS);
  let total = 0;
  for (let statement = 0; statement < STATEMENTS_AT_ONCE; statement++) {
    const { isFound, messages } = await endMessages(db, { before, now, leads: LEADS });
    if (!isFound) break;
    total += messages;
  }
  return total;
}
