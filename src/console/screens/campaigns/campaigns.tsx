import { serverNow } from "../../api/clock.ts";
import { usePages } from "../../api/pages.ts";
import type { ListedCampaign } from "../../api/schema.ts";
import { useAction } from "../../api/use.ts";
import { useKeys } from "../../keys.ts";
import { FilterSelect } from "../../parts/filter-select.tsx";
import { Part } from "../../parts/load.tsx";
import { Menu } from "../../parts/menu.tsx";
import { Empty, Page, Section } from "../../parts/page.tsx";
import { ProblemNote } from "../../parts/problem.tsx";
import { SearchInput } from "../../parts/search-field.tsx";
import { State } from "../../parts/status.tsx";
import { More, Table } from "../../parts/table.tsx";
import { toast } from "../../parts/toast.tsx";
import { canDo } from "../../pure/campaign-rules.ts";
import { whenWords } from "../../pure/day-words.ts";
import { num } from "../../pure/words.ts";
import { go, href, setQuery } from "../../router.ts";
import type { ScreenProps } from "../../routes.ts";
import { askToDelete } from "./delete.ts";

const STATUSES = [
  "draft",
  "scheduled",
  "launching",
  "active",
  "paused",
  "draining",
  "completed",
  "failed",
] as const;

/** They change by themselves, and others make them. */
const EVERY_SECONDS = 10;

export function CampaignsScreen({ query }: ScreenProps) {
  const name = query.get("q") ?? "";
  const status = STATUSES.find((each) => each === query.get("status"));
  const wish = { include: "summary", limit: 25, name, ...(status === undefined ? {} : { status }) };
  const campaigns = usePages("listCampaigns", { query: wish }, { every: EVERY_SECONDS });
  const duplicate = useAction("duplicateCampaign");
  const remove = useAction("deleteCampaign");
  const problem = duplicate.problem ?? remove.problem;
  useKeys([{ key: "n", label: "New campaign", run: () => go("/campaigns/new") }]);

  async function copy({ campaign_id }: ListedCampaign): Promise<void> {
    const made = await duplicate.run({ params: { campaign_id } });
    if (made === undefined) return;
    toast(`${made.name} is a draft.`);
    go(`/campaigns/${made.campaign_id}`);
  }
  async function ask(campaign: ListedCampaign): Promise<void> {
    const params = { campaign_id: campaign.campaign_id };
    if ((await askToDelete(campaign)) && (await remove.run({ params })))
      toast(`${campaign.name} is deleted.`);
  }
  const begin = (
    <a class="btn main" href={href("/campaigns/new")}>
      New campaign <kbd>N</kbd>
    </a>
  );
  return (
    <Page title="Campaigns" actions={begin}>
      <div class="finders">
        <label>
          Name
          <SearchInput value={name} maxLength={255} />
        </label>
        <FilterSelect
          name="status"
          label="State"
          value={status}
          any="every state"
          options={STATUSES.map((each) => [each, each])}
        />
      </div>
      {problem !== undefined && <ProblemNote problem={problem} />}
      <Part of={campaigns} lines={6}>
        {(rows) =>
          rows.length === 0 ? (
            <Section>
              {name !== "" || status !== undefined ? (
                <Empty
                  title="No campaign is like that."
                  action={
                    <button
                      type="button"
                      class="btn"
                      onClick={() => setQuery({ q: null, status: null })}
                    >
                      Show all
                    </button>
                  }
                />
              ) : (
                <Empty title="There is no campaign yet." action={begin}>
                  A campaign writes to the people of a dataset, step by step, from the senders that
                  you choose. It is a draft until you launch it.
                </Empty>
              )}
            </Section>
          ) : (
            <Section flush>
              <Table
                caption="Campaigns, newest first"
                rows={rows}
                keyOf={({ campaign_id: id }) => id}
                columns={[
                  { head: "Campaign", cell: (campaign) => <Name of={campaign} /> },
                  { head: "State", cell: ({ status: state }) => <State of={state} /> },
                  {
                    head: "People",
                    isNumber: true,
                    cell: ({ total_leads: total, processed_leads: done }) =>
                      total === null ? (
                        <span class="dim">-</span>
                      ) : (
                        <>
                          {num(total)}
                          <small>{num(done)} done</small>
                        </>
                      ),
                  },
                  { head: "Sent", isNumber: true, cell: ({ summary }) => figure(summary?.sent) },
                  {
                    head: "Replied",
                    isNumber: true,
                    cell: ({ summary }) => figure(summary?.replied),
                  },
                  {
                    head: "Bounced",
                    isNumber: true,
                    cell: ({ summary }) => figure(summary?.bounced),
                  },
                  { head: "Next message", cell: (campaign) => <NextMessage of={campaign} /> },
                  {
                    head: "More",
                    isQuiet: true,
                    cell: (campaign) => (
                      <Menu
                        label={`More for ${campaign.name}`}
                        isSmall
                        items={[
                          { label: "Duplicate", run: () => void copy(campaign) },
                          {
                            label: "Edit its steps",
                            href: href(`/campaigns/${campaign.campaign_id}/steps`),
                          },
                          ...(canDo("delete", campaign.status)
                            ? [
                                {
                                  label: "Delete",
                                  isDangerous: true,
                                  run: () => void ask(campaign),
                                },
                              ]
                            : []),
                        ]}
                      />
                    ),
                  },
                ]}
              />
              <More of={campaigns} />
            </Section>
          )
        }
      </Part>
    </Page>
  );
}

const figure = (value: number | undefined) => (value === undefined ? "" : num(value));

function Name({ of: { campaign_id: id, name, summary } }: { of: ListedCampaign }) {
  return (
    <>
      <a href={href(`/campaigns/${id}`)}>
        <bdi>{name}</bdi>
      </a>
      {summary?.reason != null && <small>{summary.reason.message}</small>}
    </>
  );
}

function NextMessage({ of: { summary, timezone } }: { of: ListedCampaign }) {
  const at = summary?.next_send_at;
  if (at == null) return null;
  return (
    <>
      <span class="nowrap">{whenWords(Date.parse(at), serverNow(), timezone)}</span>
      <small>{timezone}</small>
    </>
  );
}
