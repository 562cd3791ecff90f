import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { call, signedOut } from "../../api/call.ts";
import { asProblem, type Problem } from "../../api/problem.ts";
import type { StepRendered, StepRenderInput } from "../../api/schema.ts";
import { useQuery } from "../../api/use.ts";
import { Facts, Section } from "../../parts/page.tsx";
import { ProblemNote } from "../../parts/problem.tsx";
import { bodyOf, type StepForm } from "../../pure/step-form.ts";
import { words } from "../../pure/words.ts";
import { SendTest } from "./send-test.tsx";
import type { Campaign } from "./use-campaign.ts";

/** After the last key; the API shows twenty a minute. */
const SETTLED_MS = 900;

/** The step that is being written, as a real lead would get it now, to the letter. Nothing of it is stored. */
export function LiveRender(props: {
  campaign: Campaign;
  steps: StepForm[];
  index: number;
  isChanged: boolean;
}) {
  const { campaign, steps, index, isChanged } = props;
  const lead = useSignal("");
  const shown = useSignal<StepRendered | undefined>(undefined);
  const fault = useSignal<Problem | undefined>(undefined);
  const isStale = useSignal(true);
  const input = JSON.stringify([lead.value, index, bodyOf(steps)]);
  // Once one is signed in again it goes on.
  const isAway = signedOut.value;
  useEffect(() => {
    if (isAway) return undefined;
    let isOver = false;
    let timer: ReturnType<typeof setTimeout>;
    isStale.value = true;
    const run = async () => {
      const body = { steps: bodyOf(steps), lead_id: lead.peek() || null } as StepRenderInput;
      try {
        const answer = await call("renderCampaignStep", {
          params: { campaign_id: campaign.campaign_id, step: index + 1 },
          body,
        });
        if (isOver) return;
        shown.value = answer;
        fault.value = undefined;
      } catch (error) {
        if (isOver) return;
        fault.value = asProblem(error);
        if (fault.value.retryAfter !== undefined)
          timer = setTimeout(() => void run(), fault.value.retryAfter * 1000);
      }
      isStale.value = false;
    };
    timer = setTimeout(() => void run(), shown.peek() === undefined ? 0 : SETTLED_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [input, isAway]);
  return (
    <aside aria-label="As it will be sent">
      <Section title={`Step ${index + 1} as it will be sent`}>
        <Leads campaign={campaign} lead={lead} />
        {fault.value !== undefined && <RenderProblem of={fault.value} />}
        {shown.value !== undefined && fault.value === undefined && (
          <div class={isStale.value ? "stale" : undefined} aria-busy={isStale.value}>
            <Rendered of={shown.value} />
          </div>
        )}
        <SendTest campaign={campaign} index={index} leadId={lead.value} isChanged={isChanged} />
      </Section>
    </aside>
  );
}

/** Not finished yet is no failure: a word is enough. */
function RenderProblem({ of }: { of: Problem }) {
  if (of.status !== 422) return <ProblemNote problem={of} />;
  const first = of.faults[0];
  return (
    <div class="note warn" role="status">
      <p>
        <b>Not to be sent like this.</b> {first?.message ?? of.message}
      </p>
    </div>
  );
}

function Leads({ campaign, lead }: { campaign: Campaign; lead: { value: string } }) {
  const leads = useQuery("listLeads", {
    params: { dataset_id: campaign.dataset_id },
    query: { limit: 50 },
  });
  return (
    <label class="field">
      <span>For</span>
      <select value={lead.value} onChange={(event) => (lead.value = event.currentTarget.value)}>
        <option value="">the first who can be reached</option>
        {leads.data?.items.map(
          ({ id, email, first_name: first, last_name: last, row_index: row }) => (
            <option key={id} value={id}>
              {[first, last].filter(Boolean).join(" ") || `row ${row}`}
              {email === null ? "" : ` (${email})`}
            </option>
          ),
        )}
      </select>
    </label>
  );
}

function Rendered({ of }: { of: StepRendered }) {
  const isMail = of.channel === "email";
  const facts: [string, string | null][] = [
    ["To", isMail ? of.to_email : of.profile_url],
    ["From", of.from_email],
    ["Subject", of.subject],
    ["Variant", of.variant_label],
    ["Written by", of.text_source === "step" ? null : words(of.text_source)],
  ];
  return (
    <>
      <Facts of={facts.flatMap(([name, value]) => (value === null ? [] : [[name, value]]))} />
      <p class="mail" tabIndex={0} role="region" aria-label="Its text">
        {of.text === "" ? "It has no text." : of.text}
      </p>
      {of.links.length > 0 && <p class="hint">Clicks are counted on: {of.links.join(", ")}</p>}
      {isMail && (
        <details>
          <summary>Its HTML</summary>
          <pre class="mail">{of.html}</pre>
        </details>
      )}
    </>
  );
}
