import type { ComponentChildren } from "preact";
import type { Query } from "../../api/use.ts";
import { Part } from "../../parts/load.tsx";
import { Page } from "../../parts/page.tsx";
import { State } from "../../parts/status.tsx";
import { Tabs } from "../../parts/tabs.tsx";
import { scheduleWords } from "../../pure/schedule-words.ts";
import { count } from "../../pure/words.ts";
import { href } from "../../router.ts";
import { CampaignActions } from "./actions.tsx";
import type { Campaign } from "./use-campaign.ts";

const PAGES = [
  { path: "", label: "Overview" },
  { path: "/leads", label: "Leads" },
  { path: "/steps", label: "Steps" },
  { path: "/settings", label: "Settings" },
];

/** What the four pages of a campaign have in common. */
export function CampaignFrame(props: {
  id: string;
  /** The page that is shown: "" or "/leads". */
  page: string;
  of: Query<"getCampaign">;
  children: (campaign: Campaign) => ComponentChildren;
}) {
  const { id, page, of, children } = props;
  const campaign = of.data;
  const name = campaign?.name ?? "Campaign";
  const current = PAGES.find(({ path }) => path === page)!;
  return (
    <Page
      title={page === "" ? name : `${name}: ${current.label.toLowerCase()}`}
      crumbs={[{ label: "Campaigns", href: href("/campaigns") }]}
      meta={
        campaign !== undefined && (
          <>
            <State of={campaign.status} />
            <span class="dim">
              {count(campaign.steps_config.length, "step")} · {scheduleWords(campaign)}
            </span>
          </>
        )
      }
      actions={campaign !== undefined && <CampaignActions campaign={campaign} />}
      tabs={
        <Tabs
          label="Of this campaign"
          tabs={PAGES.map(({ path, label }) => ({
            label,
            href: href(`/campaigns/${id}${path}`),
            isCurrent: path === page,
            ...(path === "/leads" ? { count: campaign?.lead_counts?.total } : {}),
          }))}
        />
      }
    >
      <Part of={of} lines={8}>
        {children}
      </Part>
    </Page>
  );
}
