import { useQuery, type Query } from "../../api/use.ts";
import { Section } from "../../parts/page.tsx";
import { Part } from "../../parts/load.tsx";
import { Status } from "../../parts/status.tsx";
import { beginSteps, type Begun } from "../../pure/begin-steps.ts";
import { href, isPage } from "../../router.ts";

/** Until the first campaign was launched: what there is to do, ticked by what the API says. */
export function Begin(props: {
  campaigns: Query<"listCampaigns">;
  aliases: Query<"listMailAliases">;
}) {
  const campaigns = props.campaigns.data?.items;
  const aliases = props.aliases.data?.items;
  if (campaigns === undefined || aliases === undefined) return null;
  if (campaigns.some(({ launched_at: at }) => at !== null)) return null;
  return <Steps campaigns={campaigns} aliases={aliases} />;
}

const EVERY = 15;

function Steps({ campaigns, aliases }: Pick<Begun, "campaigns" | "aliases">) {
  const domains = useQuery("listMailDomains", { query: { limit: 100 } }, { every: EVERY });
  const datasets = useQuery("listDatasets", { query: { limit: 100 } }, { every: EVERY });
  const both = {
    ...(domains.data && datasets.data ? { data: [domains.data.items, datasets.data.items] } : {}),
    problem: domains.problem ?? datasets.problem,
    isLoading: domains.isLoading || datasets.isLoading,
    at: domains.at,
    reload() {
      domains.reload();
      datasets.reload();
    },
  };
  return (
    <Section title="To begin">
      <Part of={both} lines={4}>
        {() => {
          const steps = beginSteps({
            domains: domains.data!.items,
            datasets: datasets.data!.items,
            aliases,
            campaigns,
          });
          const next = steps.find(({ isDone }) => !isDone);
          return (
            <ol class="plain begin">
              {steps.map((step) => (
                <li key={step.name} data-step={step.name}>
                  <span>
                    <Status tone={step.isDone ? "good" : "quiet"}>
                      {step.isDone ? "done" : "to do"}
                    </Status>
                  </span>
                  <div>
                    <b>{step.title}</b>
                    <small>{step.text}</small>
                  </div>
                  {!step.isDone && isPage(step.path) && (
                    <div>
                      <a class={step === next ? "btn main" : "btn"} href={href(step.path)}>
                        {step.label}
                      </a>
                    </div>
                  )}
                </li>
              ))}
            </ol>
          );
        }}
      </Part>
    </Section>
  );
}
