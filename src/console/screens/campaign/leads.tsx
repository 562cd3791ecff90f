import { useSignal } from "@preact/signals";
import { usePages } from "../../api/pages.ts";
import type { CampaignLead } from "../../api/schema.ts";
import { useKeys } from "../../keys.ts";
import { Part } from "../../parts/load.tsx";
import { Empty, Section } from "../../parts/page.tsx";
import { More, Table } from "../../parts/table.tsx";
import { serverNow } from "../../api/clock.ts";
import { whenWords } from "../../pure/day-words.ts";
import { count } from "../../pure/words.ts";
import { href, place, setQuery } from "../../router.ts";
import type { ScreenProps } from "../../routes.ts";
import { AddPeople } from "./add-people.tsx";
import { CampaignFrame } from "./frame.tsx";
import { LeadActions } from "./lead-actions.tsx";
import { LeadDrawer } from "./lead-drawer.tsx";
import { LeadState, nameOf } from "./lead-state.tsx";
import { LeadFilters, wishOf } from "./lead-filters.tsx";
import { type Campaign, senderName, useCampaign } from "./use-campaign.ts";

export function CampaignLeadsScreen({ params, query }: ScreenProps) {
  const id = params["id"]!;
  const of = useCampaign(id);
  const isAdding = useSignal(false);
  useKeys([{ key: "a", label: "Add people", run: () => (isAdding.value = true) }]);
  return (
    <CampaignFrame id={id} page="/leads" of={of}>
      {(campaign) => (
        <>
          <LeadFilters query={query}>
            <button type="button" class="btn" onClick={() => (isAdding.value = true)}>
              Add people <kbd>A</kbd>
            </button>
          </LeadFilters>
          <Leads campaign={campaign} query={query} />
          {isAdding.value && (
            <AddPeople campaign={campaign} onClose={() => (isAdding.value = false)} />
          )}
        </>
      )}
    </CampaignFrame>
  );
}

function Leads({ campaign, query }: { campaign: Campaign; query: URLSearchParams }) {
  const id = campaign.campaign_id;
  const wish = wishOf(query);
  const leads = usePages("listCampaignLeads", {
    params: { campaign_id: id },
    query: { ...wish, limit: 50 },
  });
  const picked = useSignal<ReadonlySet<string>>(new Set());
  const isFiltered = Object.keys(wish).length > 1;
  const open = query.get("lead");
  const pick = (leadId: string, isOn: boolean) => {
    const next = new Set(picked.peek());
    if (isOn) next.add(leadId);
    else next.delete(leadId);
    picked.value = next;
  };
  return (
    <Part of={leads} lines={8}>
      {(rows) => {
        // What is no longer shown is not acted on unseen.
        const chosen = rows.filter((lead) => picked.value.has(lead.id)).map((lead) => lead.id);
        const opened = rows.find((lead) => lead.id === open);
        if (rows.length === 0 && !leads.hasMore)
          return (
            <Section>
              <NoLeads campaign={campaign} isFiltered={isFiltered} />
            </Section>
          );
        return (
          <>
            <Section flush>
              <LeadActions
                campaignId={id}
                ids={chosen}
                zone={campaign.timezone}
                isAll={chosen.length === rows.length && rows.length > 0}
                onAll={(isOn) => (picked.value = new Set(isOn ? rows.map((lead) => lead.id) : []))}
                onDone={(left) => (picked.value = new Set(left))}
              />
              <Table
                caption="Leads of this campaign"
                rows={rows}
                keyOf={(lead) => lead.id}
                columns={[
                  {
                    head: "Chosen",
                    isQuiet: true,
                    cell: (lead) => (
                      <input
                        type="checkbox"
                        aria-label={`Choose ${nameOf(lead)}`}
                        checked={picked.value.has(lead.id)}
                        onChange={(event) => pick(lead.id, event.currentTarget.checked)}
                      />
                    ),
                  },
                  {
                    head: "Lead",
                    isHead: true,
                    cell: (lead) => <LeadLink lead={lead} />,
                  },
                  { head: "State", cell: (lead) => <LeadState lead={lead} /> },
                  {
                    head: "Steps had",
                    isNumber: true,
                    cell: (lead) => `${lead.current_step} of ${campaign.steps_config.length}`,
                  },
                  {
                    head: "Next",
                    cell: (lead) => <NextStep lead={lead} zone={campaign.timezone} />,
                  },
                  {
                    head: "Sender",
                    cell: (lead) => senderName(campaign.sending_status, lead) ?? "",
                  },
                ]}
              />
              {rows.length === 0 && (
                <p class="more dim">None among those that were looked at so far; there are more.</p>
              )}
              <More of={leads} />
            </Section>
            {open !== null && (
              <LeadDrawer
                key={open}
                campaign={campaign}
                id={open}
                {...(opened === undefined ? {} : { lead: opened })}
                onClose={() => setQuery({ lead: null })}
              />
            )}
          </>
        );
      }}
    </Part>
  );
}

function LeadLink({ lead }: { lead: CampaignLead }) {
  const query = Object.fromEntries(place.value?.query ?? []);
  return (
    <a href={href(place.value?.path ?? "", { ...query, lead: lead.id })}>
      <bdi>{nameOf(lead)}</bdi>
    </a>
  );
}

function NextStep({ lead, zone }: { lead: CampaignLead; zone: string }) {
  if (lead.next_step === null) return null;
  const at = lead.next_action_at;
  return (
    <>
      step {lead.next_step}
      {at !== null && <span class="dim">, {whenWords(Date.parse(at), serverNow(), zone)}</span>}
    </>
  );
}

function NoLeads({ campaign, isFiltered }: { campaign: Campaign; isFiltered: boolean }) {
  if (isFiltered)
    return (
      <Empty
        title="No lead is like that."
        action={
          <button
            type="button"
            class="btn"
            onClick={() => setQuery({ q: null, status: null, held: null })}
          >
            Show all
          </button>
        }
      />
    );
  if (campaign.status === "draft")
    return (
      <Empty title="Its people come when it is launched.">
        A launch takes everybody of its dataset who can be written to. You may add others from any
        dataset now; see for whom it is written under Steps.
      </Empty>
    );
  return (
    <Empty title="Nobody is in this campaign.">{`There are ${count(0, "lead")}; add some from any dataset.`}</Empty>
  );
}
