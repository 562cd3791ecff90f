import type { CampaignStats, Forecast } from "../../api/schema.ts";
import { Section } from "../../parts/page.tsx";
import { axisItems } from "../../pure/axis-days.ts";
import { axisRows, axisTitle } from "../../pure/axis-table.ts";
import { clockTime, longDate } from "../../pure/day-words.ts";
import { dateAt } from "../../pure/wall-time.ts";
import { count } from "../../pure/words.ts";
import { setQuery } from "../../router.ts";
import { AxisPicture } from "./axis-picture.tsx";
import { AxisTable } from "./axis-table.tsx";
import { type Campaign, senderName } from "./use-campaign.ts";

/** Past and future on one axis, as a picture or as a table, and the next messages to the second. */
export function AxisSection(props: {
  campaign: Campaign;
  past: CampaignStats["rows"];
  ahead: Forecast;
  isTable: boolean;
}) {
  const { campaign, past, ahead, isTable } = props;
  const zone = campaign.timezone;
  const nowMs = Date.parse(ahead.generated_at);
  const today = dateAt(nowMs, zone);
  const status = campaign.sending_status;
  const items = axisItems({
    past,
    future: ahead.days,
    nowMs,
    zone,
    sendDays: campaign.send_days,
    todayWhy: status?.sending === true ? null : (status?.reasons[0]?.message ?? null),
  });
  const title = axisTitle(items, today);
  const isAsIf = !["active", "draining"].includes(campaign.status);
  return (
    <Section
      title="Sent and still to come"
      note={
        ahead.total_sends === 0
          ? "nothing is to come"
          : isAsIf
            ? `as if it were ${campaign.status === "paused" ? "resumed" : "launched"} now`
            : "exact to the second if nothing changes and nobody replies"
      }
      actions={
        <>
          <span class="key" aria-hidden="true">
            <i class="kn" /> first message <i class="kf" /> follow-up <i class="kh" /> forecast
          </span>
          <button
            type="button"
            class="link"
            aria-pressed={isTable}
            onClick={() => setQuery({ view: isTable ? null : "table" })}
          >
            As a table
          </button>
        </>
      }
    >
      {isTable ? (
        <AxisTable caption={title} rows={axisRows(items, today)} />
      ) : (
        <AxisPicture
          title={title}
          items={items}
          nowMs={nowMs}
          zone={zone}
          dailyLimit={campaign.daily_limit}
          finishesAt={ahead.finishes_at}
        />
      )}
      <Next campaign={campaign} ahead={ahead} today={today} />
    </Section>
  );
}

/** Where it has to be broken, then before the @. */
const Breakable = ({ address }: { address: string }) => {
  const at = address.lastIndexOf("@");
  return (
    <>
      {address.slice(0, at)}
      <wbr />
      {address.slice(at)}
    </>
  );
};

const NEXT = 5;

function Next(props: { campaign: Campaign; ahead: Forecast; today: string }) {
  const { campaign, ahead, today } = props;
  const zone = campaign.timezone;
  const shown = ahead.sends.slice(0, NEXT);
  if (shown.length === 0) return null;
  const date = dateAt(Date.parse(shown[0]!.at), zone);
  const ofDay = ahead.days.find((day) => day.date === date)?.sends ?? 0;
  const inDay = shown.filter(({ at }) => dateAt(Date.parse(at), zone) === date);
  const left = ofDay - inDay.length;
  return (
    <div class="next">
      {date !== today && <h3>{longDate(date, today)}</h3>}
      <ol class="plain">
        {inDay.map(({ at, email, step, row_index: row, ...ids }) => (
          <li key={`${at} ${ids.campaign_lead_id}`}>
            <b>{clockTime(Date.parse(at), zone)}</b>{" "}
            <span>{email === null ? `row ${row}` : <Breakable address={email} />}</span>
            <small>
              step {step} · {senderName(campaign.sending_status, ids) ?? "no sender"}
            </small>
          </li>
        ))}
      </ol>
      <button type="button" class="link" onClick={() => setQuery({ day: date })}>
        {left > 0 ? `${count(left, "more", "more")} ` : "All "}
        {date === today ? "today" : "that day"}
      </button>
    </div>
  );
}
