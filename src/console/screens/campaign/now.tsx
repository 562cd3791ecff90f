import type { Forecast } from "../../api/schema.ts";
import { Section } from "../../parts/page.tsx";
import { Time } from "../../parts/time.tsx";
import { nowSentence, type NextMessage } from "../../pure/now-sentence.ts";
import { waitingReasons } from "../../pure/why-rows.ts";
import { dateAt } from "../../pure/wall-time.ts";
import { clockTime, whenWords } from "../../pure/day-words.ts";
import { count, num } from "../../pure/words.ts";
import { href } from "../../router.ts";
import { type Campaign, senderName, type Status, useNow } from "./use-campaign.ts";

/** One sentence of now and next, and the reasons of all that waits. */
export function Now(props: {
  campaign: Campaign;
  ahead: Forecast | undefined;
  at: number | undefined;
}) {
  const { campaign, ahead, at } = props;
  const status = campaign.sending_status;
  const first = ahead?.sends[0];
  const isSoon = first !== undefined && !campaign.status.startsWith("comp");
  const now = useNow(isSoon ? 1000 : 15_000);
  if (status === undefined) return null;
  const zone = campaign.timezone;
  const next: NextMessage | null =
    first === undefined
      ? null
      : { at: first.at, to: first.email, step: first.step, from: senderName(status, first) };
  const { tone, state, why, next: nextWords } = nowSentence(status, next, now, zone);
  return (
    <Section>
      <div class="say">
        <div>
          <h2 class="dim">Right now</h2>
          <p class="big">
            <span class={tone}>{state}</span> {why} {nextWords}
          </p>
          <p class="dim">
            <Today status={status} ahead={ahead} now={now} zone={zone} /> Last checked{" "}
            {at !== undefined && <Time at={now - (Date.now() - at)} as="clock" zone={zone} />}, all
            times {zone}.
          </p>
        </div>
        <div>
          <h2 class="dim">What does not send, and why</h2>
          <Why status={status} id={campaign.campaign_id} now={now} zone={zone} />
        </div>
      </div>
    </Section>
  );
}

/** `76 of 120 sent today; 44 more by 16:52.` */
function Today(props: { status: Status; ahead: Forecast | undefined; now: number; zone: string }) {
  const { status, ahead, now, zone } = props;
  const today = dateAt(now, zone);
  // The counter is of the next interval where the window is closed.
  const used = status.today.date === today ? status.today.used : 0;
  const coming = ahead?.days.find(({ date }) => date === today)?.sends ?? 0;
  const last = ahead?.sends.filter(({ at }) => dateAt(Date.parse(at), zone) === today);
  const isWhole = last !== undefined && last.length === coming && coming > 0;
  const by = isWhole ? ` by ${clockTime(Date.parse(last.at(-1)!.at), zone).slice(0, 5)}` : "";
  if (!["active", "draining"].includes(status.status)) return null;
  return (
    <>
      {num(used)} of {num(status.today.daily_limit)} sent today
      {coming > 0 ? `; ${num(coming)} more to come${by}` : ""}.
    </>
  );
}

function Why(props: { status: Status; id: string; now: number; zone: string }) {
  const { status, id, now, zone } = props;
  const rows = waitingReasons(status);
  const advice = rows.filter(({ needs }) => needs === "advice");
  const reasons = rows.filter(({ needs }) => needs !== "advice");
  return (
    <>
      {reasons.length === 0 && <p class="dim">Nothing stands against it.</p>}
      <ul class="why">
        {reasons.map(({ key, message, until, needs }) => (
          <li key={message} class={needs === "person" ? "bad" : "warn"}>
            <span>
              {needs === "person" && <span class="sr">Waits for you: </span>}
              {message}
            </span>
            {key === "leads_held" ? (
              <a href={href(`/campaigns/${id}/leads`, { held: "true" })}>Look at them</a>
            ) : (
              until !== null && (
                <span class="dim">until {whenWords(Date.parse(until), now, zone)}</span>
              )
            )}
          </li>
        ))}
      </ul>
      {advice.length > 0 && (
        <details class="advice">
          <summary>{count(advice.length, "thing")} to mend that would not stop it</summary>
          <ul class="why">
            {advice.map(({ message }) => (
              <li key={message}>
                <span>{message}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}
