import type { CampaignStats, Forecast } from "../../api/schema.ts";
import { useQuery } from "../../api/use.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Part } from "../../parts/load.tsx";
import { Facts } from "../../parts/page.tsx";
import { Table } from "../../parts/table.tsx";
import { placeOfDay } from "../../pure/axis-days.ts";
import { clockTime, longDate } from "../../pure/day-words.ts";
import { dateAt } from "../../pure/wall-time.ts";
import { COUNT_NAMES } from "../../pure/stats-rows.ts";
import { count, num, words } from "../../pure/words.ts";
import { setQuery } from "../../router.ts";
import { DayMessages } from "./day-messages.tsx";
import { AHEAD_DAYS, type Campaign, senderName } from "./use-campaign.ts";

/** A forecast answers so many at once. */
const MOST_SENDS = 1_000;
const FACTS = COUNT_NAMES.filter((name) => name !== "sent");

/** One day of the axis: its messages to the second, those that went out with what came of them, and those to come. */
export function DayDrawer(props: {
  date: string;
  campaign: Campaign;
  past: CampaignStats["rows"];
  ahead: Forecast;
}) {
  const { date, campaign, past, ahead } = props;
  const sent = past.find(({ key }) => key === date);
  const coming = placeOfDay(ahead.days, date);
  const isDate = /^\d{4}-\d\d-\d\d$/.test(date);
  return (
    <Dialog
      title={isDate ? longDate(date) : "No such day"}
      isDrawer
      onClose={() => setQuery({ day: null })}
    >
      {sent !== undefined && (
        <>
          <h3>{count(sent.sent, "message")} sent, and what came of them</h3>
          <Facts
            of={FACTS.filter((name) => sent[name] > 0).map((name) => [
              words(name),
              num(sent[name]),
            ])}
          />
          <DayMessages date={date} campaign={campaign} count={sent.sent} />
        </>
      )}
      {coming !== null && <Coming {...coming} date={date} campaign={campaign} />}
      {sent === undefined && coming === null && <p>No message is on this day.</p>}
    </Dialog>
  );
}

function Coming(props: { offset: number; limit: number; date: string; campaign: Campaign }) {
  const { offset, limit, date, campaign } = props;
  const zone = campaign.timezone;
  const sends = useQuery("forecastCampaign", {
    params: { campaign_id: campaign.campaign_id },
    query: { days: AHEAD_DAYS, offset, limit: Math.min(limit, MOST_SENDS) },
  });
  return (
    <>
      <h3>
        {count(limit, "message")} to come
        {limit > MOST_SENDS && `, the first ${num(MOST_SENDS)} here`}
      </h3>
      <Part of={sends} lines={6}>
        {({ sends: rows }) => (
          <Table
            caption={`Messages to come on ${longDate(date)}, times of ${zone}`}
            rows={rows.filter(({ at }) => dateAt(Date.parse(at), zone) === date)}
            keyOf={({ at, campaign_lead_id: lead }) => `${at} ${lead}`}
            columns={[
              { head: "At", cell: ({ at }) => clockTime(Date.parse(at), zone) },
              {
                head: "To",
                isHead: true,
                cell: ({ email, row_index: row, ...ids }) => (
                  <>
                    {email ?? `row ${row}, on the network`}
                    <small>{senderName(campaign.sending_status, ids)}</small>
                  </>
                ),
              },
              { head: "Step", isNumber: true, cell: ({ step }) => step },
            ]}
          />
        )}
      </Part>
    </>
  );
}
