import type { CampaignLead } from "../../api/schema.ts";
import { State, Status } from "../../parts/status.tsx";
import { words } from "../../pure/words.ts";

export const nameOf = (lead: CampaignLead): string =>
  lead.email ?? lead.profile_url ?? `row ${lead.row_index}`;

export function LeadState({ lead }: { lead: CampaignLead }) {
  // `replied` because it replied is said once.
  const stopped = lead.stop_reason === lead.status ? null : lead.stop_reason;
  return (
    <>
      <State of={lead.status} /> {lead.hold_reason !== null && <Status tone="warn">held</Status>}
      {(lead.hold_reason ?? stopped) !== null && (
        <small>{lead.hold_reason ?? words(stopped!)}</small>
      )}
    </>
  );
}
