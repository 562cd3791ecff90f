import { useEffect } from "preact/hooks";
import { useQuery } from "../../api/use.ts";
import { Part } from "../../parts/load.tsx";
import { pollSeconds } from "../../pure/campaign-rules.ts";
import type { ScreenProps } from "../../routes.ts";
import { AxisSection } from "./axis-section.tsx";
import { DayDrawer } from "./day-drawer.tsx";
import { Experiments } from "./experiments.tsx";
import { CampaignFrame } from "./frame.tsx";
import { Now } from "./now.tsx";
import { PeopleAndSteps } from "./people-and-steps.tsx";
import { Senders } from "./senders.tsx";
import { AHEAD_DAYS, useCampaign } from "./use-campaign.ts";

/** So many messages to come are read at once; a day of the axis reads its own. */
const FIRST_SENDS = 20;

export function CampaignScreen({ params, query }: ScreenProps) {
  const id = params["id"]!;
  const of = useCampaign(id, true);
  const path = { campaign_id: id };
  const status = of.data?.status;
  const every = () => pollSeconds(status);
  const past = useQuery("getCampaignStats", { params: path, query: { by: "day" } }, { every });
  const ahead = useQuery(
    "forecastCampaign",
    { params: path, query: { days: AHEAD_DAYS, limit: FIRST_SENDS } },
    { every },
  );
  // What was sent meanwhile is on the axis at once.
  const sent = of.data?.stats?.rows.reduce((sum, row) => sum + row.sent, 0);
  useEffect(() => {
    if (past.data === undefined) return;
    past.reload();
    ahead.reload();
  }, [sent, status]);
  const day = query.get("day");
  return (
    <CampaignFrame id={id} page="" of={of}>
      {(campaign) => (
        <div class="stack">
          <Now campaign={campaign} ahead={ahead.data} at={of.at} />
          <Part of={past} lines={8}>
            {({ rows }) => (
              <Part of={ahead} lines={8}>
                {(forecast) => (
                  <>
                    <AxisSection
                      campaign={campaign}
                      past={rows}
                      ahead={forecast}
                      isTable={query.get("view") === "table"}
                    />
                    {day !== null && (
                      <DayDrawer
                        key={day}
                        date={day}
                        campaign={campaign}
                        past={rows}
                        ahead={forecast}
                      />
                    )}
                  </>
                )}
              </Part>
            )}
          </Part>
          <div class="two">
            <PeopleAndSteps campaign={campaign} />
            <Senders campaign={campaign} />
          </div>
          <Experiments campaign={campaign} />
        </div>
      )}
    </CampaignFrame>
  );
}
