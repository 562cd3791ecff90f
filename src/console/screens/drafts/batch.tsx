import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { asProblem, type Problem } from "../../api/problem.ts";
import type { PlaygroundDraft } from "../../api/schema.ts";
import { useQuery, useWrite } from "../../api/use.ts";
import { useKeys } from "../../keys.ts";
import { confirm } from "../../parts/confirm.tsx";
import { Part } from "../../parts/load.tsx";
import { Empty, Page, Section } from "../../parts/page.tsx";
import { ProblemNote } from "../../parts/problem.tsx";
import { toast } from "../../parts/toast.tsx";
import { href, setQuery } from "../../router.ts";
import type { ScreenProps } from "../../routes.ts";
import { countPlaces, doubts, moved, nextToReview, placeOf } from "../../pure/draft-queue.ts";
import { count } from "../../pure/words.ts";
import { DraftView, type DraftHandle } from "./draft.tsx";
import { FindCampaign } from "./find-campaign.tsx";
import { DraftList } from "./list.tsx";
import { useBatch } from "./use-batch.ts";

export function BatchScreen({ params, query }: ScreenProps) {
  const batchId = params["batch"]!;
  const campaignId = query.get("campaign");
  if (campaignId === null) return <FindCampaign batchId={batchId} />;
  return (
    <Review key={campaignId} campaignId={campaignId} batchId={batchId} chosen={query.get("lead")} />
  );
}

function Review(props: { campaignId: string; batchId: string; chosen: string | null }) {
  const { campaignId, batchId, chosen } = props;
  const batch = useBatch(campaignId, batchId);
  const campaign = useQuery("getCampaign", { params: { campaign_id: campaignId } });
  const approveAll = useWrite("approvePlaygroundBatch");
  const cancel = useWrite("cancelPlaygroundBatch");
  const problem = useSignal<Problem | null>(null);
  const handle = useRef<DraftHandle>(null);
  const drafts = batch.data?.drafts ?? [];
  // A draft that the list began with stays, even when another member decides on it.
  const begun = useRef<string | null>(null);
  const wished = chosen ?? begun.current;
  const current =
    drafts.find((draft) => draft.campaign_lead_id === wished) ??
    nextToReview(drafts, null) ??
    drafts[0];
  const counts = countPlaces(drafts);
  const choose = (draft: PlaygroundDraft | null | undefined) =>
    draft != null && setQuery({ lead: draft.campaign_lead_id });
  const id = current?.campaign_lead_id ?? null;
  begun.current = id;
  const sure = drafts.filter((draft) => placeOf(draft) === "review" && doubts(draft).length === 0);

  async function tryIt(work: () => Promise<void>): Promise<void> {
    problem.value = null;
    try {
      await work();
    } catch (error) {
      problem.value = asProblem(error);
    }
  }
  async function approveSure(): Promise<void> {
    const isSure = await confirm({
      title: "Approve all that cite a source?",
      body: "Each goes out as it is, when its step is due. Those that claim something without a source, are held or are out of date stay for you.",
      facts: [
        ["Approved", count(sure.length, "draft")],
        ["Left for you", count(drafts.length - counts.approved - sure.length, "draft")],
      ],
      confirm: `Approve ${count(sure.length, "draft")}`,
    });
    if (!isSure) return;
    await tryIt(async () => {
      const ids = sure.map((draft) => draft.campaign_lead_id);
      const { approved, skipped } = await approveAll({
        params: { campaign_id: campaignId },
        body: { batch_id: batchId, campaign_lead_ids: ids },
      });
      batch.reload();
      toast(
        skipped.length === 0
          ? `${count(approved, "draft")} approved.`
          : `${count(approved, "draft")} approved; ${skipped.length} could not be any more.`,
      );
    });
  }
  useKeys([
    { key: "j", label: "Next draft", run: () => choose(moved(drafts, id, 1)) },
    { key: "k", label: "Previous draft", run: () => choose(moved(drafts, id, -1)) },
    {
      key: "a",
      label: "Approve, and go to the next that waits",
      run: () => handle.current?.approve(),
    },
    { key: "e", label: "Edit", run: () => handle.current?.edit() },
    { key: "r", label: "Write it again", run: () => handle.current?.rewrite() },
    { key: "h", label: "Hold the person, or let them go on", run: () => handle.current?.hold() },
    { key: "z", label: "Undo what was done last", run: () => handle.current?.undo() },
  ]);
  return (
    <Page
      title="Drafts"
      crumbs={[{ label: "All batches", href: href("/drafts") }]}
      meta={
        batch.data && (
          <>
            <span class="dim">
              {campaign.data?.name ?? "A campaign"}, step {batch.data.step_index}
            </span>
            <progress
              max={Math.max(drafts.length, 1)}
              value={counts.approved}
              aria-label="Approved"
            />
            <span>
              <b>{counts.approved}</b> of {drafts.length} approved
              {counts.stale > 0 && `, ${counts.stale} out of date`}
            </span>
          </>
        )
      }
      actions={
        <>
          {batch.data?.done === false && (
            <button
              type="button"
              class="btn"
              onClick={() =>
                void tryIt(async () => {
                  await cancel({ params: { campaign_id: campaignId, batch_id: batchId } });
                  batch.reload();
                })
              }
            >
              Stop writing
            </button>
          )}
          {sure.length > 0 && (
            <button type="button" class="btn" onClick={() => void approveSure()}>
              Approve all that cite a source
            </button>
          )}
        </>
      }
    >
      {problem.value !== null && <ProblemNote problem={problem.value} />}
      <Part of={batch} lines={10}>
        {({ done, step_index: step }) =>
          current === undefined ? (
            <Section>
              <Empty
                title={done ? "Nobody was left to write for." : "The drafts are being written."}
                action={<a href={href("/drafts")}>All batches</a>}
              />
            </Section>
          ) : (
            <div class="desk">
              <DraftList
                drafts={drafts}
                id={id}
                counts={counts}
                hrefOf={(lead) => href(`/drafts/${batchId}`, { campaign: campaignId, lead })}
              />
              <DraftView
                key={current.generation_id}
                of={current}
                campaignId={campaignId}
                batchId={batchId}
                step={step}
                note={batch.noteOf(current.campaign_lead_id)}
                handle={handle}
                patch={(change) => batch.patch(current.campaign_lead_id, change)}
                onDecided={() => choose(nextToReview(drafts, id))}
              />
            </div>
          )
        }
      </Part>
    </Page>
  );
}
