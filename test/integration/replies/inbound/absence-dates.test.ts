import { expect, test } from "vitest";
import { reply, sentOne, post } from "./inbound-setting.ts";
import { sending, useSending } from "../../../support/sending.ts";

useSending();

const DAY = 86_400_000;

/** The mail of a machine whose clock, or whose sender, says another date than today's. */
const dated = (raw: string, date: string): string => raw.replace(/^Date: .*$/m, `Date: ${date}`);

const away = (alias: string, messageId: string, body: string) =>
  reply(alias, messageId, {
    subject: "Out of office",
    headers: ["Auto-Submitted: auto-replied", `In-Reply-To: <${messageId}>`],
    body,
  });

const YEARS_AHEAD = "Sun, 01 Jun 2036 09:00:00 +0000";
const inMonths = () => new Date(Date.now() + 300 * DAY).toUTCString().replace("GMT", "+0000");

test.each([
  ["years", "I am away and back on 20 June 2036.", () => YEARS_AHEAD],
  ["years", "I am away and back on Friday.", () => YEARS_AHEAD],
  ["years", "I am away.", () => YEARS_AHEAD],
  ["months", "I am away and back on Friday.", inMonths],
])(
  "an absence with a date %s ahead holds the next step back for days: %s",
  async (_, body, date) => {
    const { alias, messageId, lead } = await sentOne();
    const now = sending.api.deps.clock.now().getTime();
    const raw = dated(away(alias, messageId, body), date());
    expect((await post(raw, alias)).body.class).toBe("out_of_office");
    const { next_action_at: next } = await lead();
    expect((next.getTime() - now) / DAY).toBeCloseTo(3, 0);
  },
);
