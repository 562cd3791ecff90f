import type { ConversationDetail } from "../../api/schema.ts";
import { useQuery } from "../../api/use.ts";
import { Time } from "../../parts/time.tsx";
import { effectOf } from "../../pure/inbox-words.ts";

/** As far as the forecast goes. */
const DAYS = 31;

/** What a reply or an absence did to the person's campaign, in words; nothing where no campaign wrote. */
export function EffectNote({ of }: { of: ConversationDetail }) {
  const { lead_id: leadId, campaign_id: campaignId, counterpart, state, snooze_until: until } = of;
  const isOfCampaign = leadId !== null && campaignId !== null;
  const leads = useQuery(
    "listCampaignLeads",
    isOfCampaign && counterpart.email !== null
      ? { params: { campaign_id: campaignId }, query: { q: counterpart.email, limit: 10 } }
      : null,
  );
  const timeline = useQuery(
    "getLeadTimeline",
    isOfCampaign ? { params: { lead_id: leadId }, query: { days: DAYS, limit: 50 } } : null,
  );
  const lead = leads.data?.items.find((each) => each.lead_id === leadId);
  const due = timeline.data?.items
    .filter((item) => item.forecast && item.campaign_id === campaignId)
    .toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at))[0];
  const effect = leads.isLoading || timeline.isLoading ? null : effectOf(of.class, lead, due);
  return (
    <>
      {effect !== null && (
        <p class={effect.tone === "warn" ? "note warn" : "note"}>
          {effect.before}
          {effect.at !== null && (
            <b>
              <Time at={effect.at} />
            </b>
          )}
          {effect.after}
        </p>
      )}
      {state === "snoozed" && until !== null && (
        <p class="note">
          Snoozed until <Time at={until} />, or until they write.
        </p>
      )}
    </>
  );
}
