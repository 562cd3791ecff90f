import { useSignal } from "@preact/signals";
import { usePages } from "../../api/pages.ts";
import type { ListedCampaign, PlaygroundBatchProgress } from "../../api/schema.ts";
import { useQuery } from "../../api/use.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Part } from "../../parts/load.tsx";
import { Empty, Page, Section } from "../../parts/page.tsx";
import { Status } from "../../parts/status.tsx";
import { More, Table } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { go, href } from "../../router.ts";
import { count, num } from "../../pure/words.ts";
import { Generate } from "./generate.tsx";

const WHILE_WRITING_SECONDS = 4;

/** Batches of drafts, by the campaigns that have a step whose text is written. */
export function DraftsScreen() {
  const campaigns = usePages("listCampaigns", { query: { limit: 100 } });
  return (
    <Page title="Drafts">
      <Part of={campaigns} lines={6}>
        {(all) => {
          const writing = all.filter((campaign) => stepsOf(campaign).length > 0);
          return writing.length === 0 ? (
            <Section>
              <Empty
                title="No campaign has a step whose text is written."
                action={<a href={href("/campaigns")}>To the campaigns</a>}
              >
                Switch the writing on for an email step. Then drafts are generated here, a credit
                each, and nothing of them goes out that nobody approved, if the campaign says so.
              </Empty>
            </Section>
          ) : (
            <>
              {writing.map((campaign) => (
                <Batches key={campaign.campaign_id} of={campaign} />
              ))}
              <More of={campaigns} />
            </>
          );
        }}
      </Part>
    </Page>
  );
}

/** The numbers of the steps that a model writes. */
const stepsOf = ({ steps_config: steps }: ListedCampaign): number[] =>
  steps
    .filter((step) => step.ai_personalization_enabled && step.channel === "email")
    .map(({ step }) => step);

function Batches({ of: campaign }: { of: ListedCampaign }) {
  const { campaign_id: id, name } = campaign;
  const batches = useQuery(
    "listPlaygroundBatches",
    { params: { campaign_id: id }, query: { limit: 10 } },
    {
      every: (data) =>
        data?.items.every(({ done }) => done) === false ? WHILE_WRITING_SECONDS : null,
    },
  );
  const isMaking = useSignal(false);
  return (
    <Section
      title={name}
      flush
      actions={
        <button type="button" class="btn" onClick={() => (isMaking.value = true)}>
          Generate<span class="sr"> drafts of {name}</span>
        </button>
      }
    >
      <Part of={batches} lines={2}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title="No drafts yet.">
              Generate some for a step, and look at each beside what it rests on.
            </Empty>
          ) : (
            <Table
              caption={`Batches of ${name}, the newest first`}
              rows={items}
              keyOf={({ batch_id: batch }) => batch}
              hrefOf={({ batch_id: batch }) => href(`/drafts/${batch}`, { campaign: id })}
              columns={[
                {
                  head: "Drafts",
                  cell: ({ total, step_index: step }) => `${count(total, "draft")} of step ${step}`,
                },
                { head: "State", cell: (batch) => <BatchState of={batch} /> },
                { head: "Written", isNumber: true, cell: ({ generated }) => num(generated) },
                { head: "Failed", isNumber: true, cell: ({ failed }) => num(failed) },
                { head: "Begun", cell: ({ created_at: at }) => <Time at={at} as="ago" /> },
              ]}
            />
          )
        }
      </Part>
      {isMaking.value && (
        <Dialog title={`Drafts of ${name}`} onClose={() => (isMaking.value = false)}>
          <Generate
            campaignId={id}
            steps={stepsOf(campaign)}
            onCancel={() => (isMaking.value = false)}
            onMade={(batch) => go(`/drafts/${batch}?campaign=${id}`)}
          />
        </Dialog>
      )}
    </Section>
  );
}

function BatchState({ of }: { of: PlaygroundBatchProgress }) {
  if (!of.done) return <Status tone="busy">writing</Status>;
  if (of.cancelled_at !== null) return <Status tone="quiet">cancelled</Status>;
  return of.failed > 0 ? (
    <Status tone="warn">some failed</Status>
  ) : (
    <Status tone="good">written</Status>
  );
}
