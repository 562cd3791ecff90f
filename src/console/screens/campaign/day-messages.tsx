import { useEffect } from "preact/hooks";
import { usePages } from "../../api/pages.ts";
import type { CampaignMessage } from "../../api/schema.ts";
import { Part } from "../../parts/load.tsx";
import { Status } from "../../parts/status.tsx";
import { More, Table } from "../../parts/table.tsx";
import { clockTime, longDate } from "../../pure/day-words.ts";
import { outcomeWords } from "../../pure/message-words.ts";
import { href } from "../../router.ts";
import { type Campaign, senderName } from "./use-campaign.ts";

/** Every message that went out on a day, and what came of it; `count` says that there are new ones. */
export function DayMessages(props: { date: string; campaign: Campaign; count: number }) {
  const { date, campaign, count } = props;
  const id = campaign.campaign_id;
  const zone = campaign.timezone;
  const messages = usePages("listCampaignMessages", {
    params: { campaign_id: id },
    query: { date, limit: 50 },
  });
  useEffect(() => {
    if (messages.data !== undefined) messages.reload();
  }, [count]);
  return (
    <Part of={messages} lines={6}>
      {(rows) => (
        <>
          <Table
            caption={`Messages that went out on ${longDate(date)}, times of ${zone}`}
            rows={rows}
            keyOf={(message) => message.id}
            columns={[
              { head: "At", cell: ({ at }) => clockTime(Date.parse(at), zone) },
              {
                head: "To",
                isHead: true,
                cell: (message) => (
                  <>
                    <a href={href(`/campaigns/${id}/leads`, { lead: message.campaign_lead_id })}>
                      <bdi>{message.email ?? message.profile_url ?? "an erased person"}</bdi>
                    </a>
                    <small>{senderName(campaign.sending_status, message)}</small>
                  </>
                ),
              },
              {
                head: "Step",
                isNumber: true,
                cell: ({ step, variant_label: variant }) => `${step}${variant ?? ""}`,
              },
              { head: "Outcome", cell: (message) => <Outcome of={message} /> },
            ]}
          />
          <More of={messages} />
        </>
      )}
    </Part>
  );
}

function Outcome({ of }: { of: CampaignMessage }) {
  const { words, tone } = outcomeWords(of);
  return (
    <>
      <Status tone={tone}>{words}</Status>
      {of.reason !== null && <small>{of.reason}</small>}
    </>
  );
}
