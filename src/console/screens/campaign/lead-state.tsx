import type { CampaignLead } from "../../api/schema.ts";
import { State, Status } from "../../parts/status.tsx";
import { words } from "../../pure/words.ts";

export const nameOf = (lead: CampaignLead): string =>
  lead.email ?? lead.profile_url ?? `row ${lead.row_index}`;

export function LeadState({ lead }: { lead: CampaignLead }) {
  return (
    <>
      <State of={lead.status} /> {lead.hold_reason !== null && <Status tone="warn">held</Status>}
      {(lead.hold_reason ?? lead.stop_reason) !== null && (
        <small>{lead.hold_reason ?? words(lead.stop_reason!)}</small>
      )}
    </>
  );
}
