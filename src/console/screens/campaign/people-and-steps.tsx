import { Section } from "../../parts/page.tsx";
import { Table } from "../../parts/table.tsx";
import { ACTIONS } from "../../pure/step-form.ts";
import { count, num, percent } from "../../pure/words.ts";
import { href } from "../../router.ts";
import type { Campaign } from "./use-campaign.ts";

interface StepRow {
  step: number;
  title: string;
  note: string;
  sent: number;
  opened: number;
  clicked: number;
  replied: number;
  bounced: number;
}

const NONE = { sent: 0, opened: 0, clicked: 0, replied: 0, bounced: 0 };

type CampaignStep = Campaign["steps_config"][number];

function stepRows(campaign: Campaign): StepRow[] {
  return campaign.steps_config.map((step) => {
    const found = campaign.stats?.rows.find(({ key }) => key === String(step.step)) ?? NONE;
    const { sent, opened, clicked, replied, bounced } = found;
    const subject = step.variants.find((variant) => variant.subject !== undefined)?.subject;
    const after = step.step === 1 ? "at once" : `after ${count(step.delay_days, "day")}`;
    const several = step.variants.length > 1 ? `, ${step.variants.length} variants` : "";
    return {
      step: step.step,
      title: subject ?? titleOf(step),
      note: `${step.ai_personalization_enabled ? "AI, " : ""}${after}${several}`,
      ...{ sent, opened, clicked, replied, bounced },
    };
  });
}

/** Of a step without a subject of its own: a template has one, or it goes on in the thread. */
function titleOf({ step, channel, action_type, variants }: CampaignStep): string {
  if (channel !== "email")
    return ACTIONS.socialnet.find(({ action }) => action === action_type)!.label;
  if (variants.some(({ template_id: id }) => id !== undefined)) return "By a template";
  return step === 1 ? "Without a subject" : "In the same thread";
}

const share = (part: number, whole: number) => (whole === 0 ? "-" : percent(part / whole, 1));

/** What each step brought, and where its people stand. */
export function PeopleAndSteps({ campaign }: { campaign: Campaign }) {
  return (
    <Section title="Steps" note="opens and clicks of machines are left out" flush>
      <Table
        caption="Messages of each step"
        rows={stepRows(campaign)}
        keyOf={({ step }) => String(step)}
        columns={[
          {
            head: "Step",
            cell: ({ step, title, note }) => (
              <>
                <a href={href(`/campaigns/${campaign.campaign_id}/steps`, { step: String(step) })}>
                  {step} {title}
                </a>
                <small>{note}</small>
              </>
            ),
          },
          { head: "Sent", isNumber: true, cell: ({ sent }) => num(sent) },
          { head: "Opened", isNumber: true, cell: ({ opened, sent }) => share(opened, sent) },
          { head: "Clicked", isNumber: true, cell: ({ clicked, sent }) => share(clicked, sent) },
          {
            head: "Replied",
            isNumber: true,
            cell: ({ replied, sent }) => <b>{share(replied, sent)}</b>,
          },
          { head: "Bounced", isNumber: true, cell: ({ bounced, sent }) => share(bounced, sent) },
        ]}
      />
      <People campaign={campaign} />
    </Section>
  );
}

const GROUPS = [
  { status: "pending", label: "not started", kind: "p1" },
  { status: "active", label: "under way", kind: "p2" },
  { status: "completed", label: "had every step", kind: "p3" },
  { status: "replied", label: "replied", kind: "p4" },
  { status: "bounced", label: "bounced", kind: "p6" },
  { status: "unsubscribed", label: "unsubscribed", kind: "p6" },
  { status: "complained", label: "complained", kind: "p6" },
  { status: "stopped", label: "stopped", kind: "p5" },
  { status: "skipped", label: "left out", kind: "p5" },
  { status: "failed", label: "failed", kind: "p6" },
] as const;

function People({ campaign }: { campaign: Campaign }) {
  const counts = campaign.lead_counts;
  if (counts === undefined) return null;
  const shown = GROUPS.filter(({ status }) => counts.by_status[status] > 0);
  const at = (query: Record<string, string>) =>
    href(`/campaigns/${campaign.campaign_id}/leads`, query);
  let x = 0;
  return (
    <div class="people">
      <h3>{count(counts.total, "person", "people")}</h3>
      {counts.total > 0 && (
        <svg
          class="strip"
          viewBox={`0 0 ${counts.total} 1`}
          preserveAspectRatio="none"
          aria-hidden="true"
        >
          {shown.map(({ status, kind }) => {
            const width = counts.by_status[status];
            x += width;
            return <rect key={status} class={kind} x={x - width} width={width} height="1" />;
          })}
        </svg>
      )}
      <p>
        {shown.map(({ status, label }) => (
          <a key={status} href={at({ status })}>
            <b>{num(counts.by_status[status])}</b> {label}
          </a>
        ))}
        {counts.held > 0 && (
          <a href={at({ held: "true" })}>
            <b>{num(counts.held)}</b> held
          </a>
        )}
        {counts.total === 0 && (
          <span class="dim">Its people come from its dataset when it is launched.</span>
        )}
      </p>
    </div>
  );
}
