import { Section } from "../../parts/page.tsx";
import { State } from "../../parts/status.tsx";
import { Table } from "../../parts/table.tsx";
import { whenWords } from "../../pure/day-words.ts";
import { num } from "../../pure/words.ts";
import { type Campaign, type Status, useNow } from "./use-campaign.ts";

type Sender = Status["senders"][number];

/** Who sends, how much of today's cap is used, and what holds each back. */
export function Senders({ campaign }: { campaign: Campaign }) {
  const now = useNow(15_000);
  const senders = campaign.sending_status?.senders ?? [];
  const zone = campaign.timezone;
  return (
    <Section title="Senders today" flush>
      {senders.length === 0 ? (
        <p class="people dim">Its senders are taken from its settings when it is launched.</p>
      ) : (
        <Table
          caption="Senders of this campaign"
          rows={senders}
          keyOf={(sender) => sender.alias_id ?? sender.connected_account_id ?? ""}
          columns={[
            { head: "Sender", cell: (sender) => <Who of={sender} /> },
            { head: "Sent of cap", cell: (sender) => <Meter of={sender} /> },
            {
              head: "Next",
              isNumber: true,
              cell: ({ next_send_at: at }) =>
                at === null ? "" : whenWords(Date.parse(at), now, zone, true),
            },
          ]}
        />
      )}
    </Section>
  );
}

function Who({ of: { name, email, status, reasons } }: { of: Sender }) {
  const why = reasons[0]?.message;
  return (
    <>
      {name ?? email ?? "A sender that is gone"}
      <small>
        {status !== null && !["active", "connected"].includes(status) && <State of={status} />}{" "}
        <span class="brief">{why ?? "free to send"}</span>
      </small>
    </>
  );
}

function Meter({ of: { sent_today: sent, cap_today: cap } }: { of: Sender }) {
  return (
    <div>
      {num(sent)} of {num(cap)}
      <svg class="meter" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
        <rect width={cap === 0 ? 0 : Math.min(100, (100 * sent) / cap)} height="1" />
      </svg>
    </div>
  );
}
