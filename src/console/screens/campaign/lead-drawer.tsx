import { usePages } from "../../api/pages.ts";
import type { CampaignLead } from "../../api/schema.ts";
import { serverNow } from "../../api/clock.ts";
import { useQuery } from "../../api/use.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Part } from "../../parts/load.tsx";
import { Facts } from "../../parts/page.tsx";
import { More } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { whenWords } from "../../pure/day-words.ts";
import { leadReasons } from "../../pure/why-rows.ts";
import { words } from "../../pure/words.ts";
import { LeadActions } from "./lead-actions.tsx";
import { LeadState, nameOf } from "./lead-state.tsx";
import { type Campaign, senderName } from "./use-campaign.ts";

/** One lead: where it stands and why, what can be done, and all that happened and will. */
export function LeadDrawer(props: {
  campaign: Campaign;
  id: string;
  /** As the list has it; else it is read. */
  lead?: CampaignLead;
  onClose: () => void;
}) {
  const { campaign, id, lead, onClose } = props;
  const params = { campaign_id: campaign.campaign_id };
  const read = useQuery("getCampaignLead", { params: { ...params, campaign_lead_id: id } });
  const found = read.data ?? lead;
  const why = useQuery("explainSending", { params, query: { lead_id: id } });
  const zone = campaign.timezone;
  return (
    <Dialog title={found === undefined ? "Lead" : nameOf(found)} isDrawer onClose={onClose}>
      <Part of={found === undefined ? read : { ...read, data: found }} lines={4}>
        {(of) => (
          <>
            <Facts
              of={[
                ["State", <LeadState lead={of} />],
                ["Steps had", `${of.current_step} of ${campaign.steps_config.length}`],
                ["Sender", senderName(campaign.sending_status, of) ?? "none yet"],
                ...(of.last_error === null
                  ? []
                  : [["Last trouble", of.last_error] as [string, string]]),
              ]}
            />
            <h3>Why nothing goes to it now</h3>
            <Part of={why} lines={2}>
              {(status) => (
                <>
                  {leadReasons(status).map(({ code, message, until }) => (
                    <p key={code}>
                      {message}{" "}
                      {until !== null && (
                        <span class="dim">
                          until {whenWords(Date.parse(until), serverNow(), zone)}
                        </span>
                      )}
                    </p>
                  ))}
                  {leadReasons(status).length === 0 && <p>Nothing stands against it.</p>}
                  {status.lead?.next_send_at != null && (
                    <p>
                      Its next message goes out{" "}
                      <b>
                        {whenWords(Date.parse(status.lead.next_send_at), serverNow(), zone, true)}
                      </b>
                      .
                    </p>
                  )}
                </>
              )}
            </Part>
            <LeadActions
              campaignId={campaign.campaign_id}
              ids={[id]}
              zone={zone}
              onDone={() => {}}
            />
            <Timeline leadId={of.lead_id} campaignId={campaign.campaign_id} zone={zone} />
          </>
        )}
      </Part>
    </Dialog>
  );
}

function Timeline({
  leadId,
  campaignId,
  zone,
}: {
  leadId: string;
  campaignId: string;
  zone: string;
}) {
  const timeline = usePages("getLeadTimeline", {
    params: { lead_id: leadId },
    query: { limit: 30 },
  });
  return (
    <>
      <h3>What happened, and what will</h3>
      <Part of={timeline} lines={5}>
        {(items) => (
          <ol class="plain story">
            {items.map((item, index) => (
              <li key={`${item.at} ${index}`} class={item.forecast ? "coming" : undefined}>
                <Time at={item.at} as="exact" zone={zone} />
                <span>
                  <b>
                    {item.forecast && "to come: "}
                    {words(item.kind)}
                  </b>
                  {item.step !== null && `, step ${item.step}`}
                  {item.machine && " (by a machine)"}
                  {item.campaign_id !== null &&
                    item.campaign_id !== campaignId &&
                    ", of another campaign"}
                  {item.detail !== null && <small>{item.detail}</small>}
                </span>
              </li>
            ))}
          </ol>
        )}
      </Part>
      <More of={timeline} />
    </>
  );
}
