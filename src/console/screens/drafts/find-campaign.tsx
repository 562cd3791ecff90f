import { useEffect } from "preact/hooks";
import { usePages } from "../../api/pages.ts";
import { useQuery } from "../../api/use.ts";
import { Part } from "../../parts/load.tsx";
import { Empty, Page, Section } from "../../parts/page.tsx";
import { go, href } from "../../router.ts";

/** An address without its campaign: each is asked whether the batch is its own. */
export function FindCampaign({ batchId }: { batchId: string }) {
  const campaigns = usePages("listCampaigns", { query: { limit: 100 } });
  return (
    <Page title="Drafts" crumbs={[{ label: "All batches", href: href("/drafts") }]}>
      <Part of={campaigns} lines={4}>
        {(all) => (
          <>
            <Section>
              <Empty
                title="Looking for the campaign of this batch."
                action={<a href={href("/drafts")}>All batches</a>}
              >
                If it does not appear, the batch or its campaign is gone.
              </Empty>
            </Section>
            {all
              .filter(({ steps_config: steps }) =>
                steps.some((step) => step.ai_personalization_enabled),
              )
              .map(({ campaign_id: id }) => (
                <Asked key={id} campaignId={id} batchId={batchId} />
              ))}
          </>
        )}
      </Part>
    </Page>
  );
}

function Asked({ campaignId, batchId }: { campaignId: string; batchId: string }) {
  const status = useQuery("getPlaygroundStatus", {
    params: { campaign_id: campaignId },
    query: { batch_id: batchId },
  });
  const isHere = status.data !== undefined;
  useEffect(() => {
    if (isHere) go(`/drafts/${batchId}?campaign=${campaignId}`, { replace: true });
  }, [isHere]);
  return null;
}
