import { serverNow } from "../../api/clock.ts";
import { useQuery } from "../../api/use.ts";
import { Page } from "../../parts/page.tsx";
import { timeWords } from "../../pure/time-words.ts";
import { Begin } from "./begin.tsx";
import { Needs } from "./needs.tsx";
import { NextDays } from "./next-days.tsx";
import { SendersToday } from "./senders-today.tsx";
import { Unread } from "./unread.tsx";

/** What is asked again while the page is looked at, in seconds. */
const EVERY = { attention: 30, counts: 30, aliases: 30, forecast: 60, campaigns: 60 };

export function TodayScreen() {
  const forecast = useQuery("forecastWorkspace", { query: { days: 7 } }, { every: EVERY.forecast });
  const campaigns = useQuery(
    "listCampaigns",
    { query: { limit: 100 } },
    { every: EVERY.campaigns },
  );
  const aliases = useQuery("listMailAliases", { query: { limit: 100 } }, { every: EVERY.aliases });
  const attention = useQuery("getAttention", {}, { every: EVERY.attention });
  const counts = useQuery("countConversations", {}, { every: EVERY.counts });
  const zone = forecast.data?.timezone;
  const now = new Date(serverNow());
  return (
    <Page
      title="Today"
      meta={
        <span class="dim">
          {timeWords(now, "date", now, zone)}
          {zone !== undefined && `, ${zone}`}
        </span>
      }
    >
      <div class="stack">
        <Begin campaigns={campaigns} aliases={aliases} />
        <Needs of={attention} />
        <NextDays of={forecast} campaigns={campaigns.data?.items ?? []} />
        <div class="two">
          <Unread of={counts} />
          <SendersToday of={aliases} />
        </div>
      </div>
    </Page>
  );
}
