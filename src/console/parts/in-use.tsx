import type { Problem } from "../api/problem.ts";
import { useQuery } from "../api/use.ts";
import { href } from "../router.ts";
import { ProblemNote } from "./problem.tsx";

/** A refusal to delete names what still uses the record: links to it. */
export function DeleteProblem({ problem }: { problem: Problem }) {
  const { campaign_ids: campaigns = [], alias_ids: aliases = [] } = problem.more as {
    campaign_ids?: string[];
    alias_ids?: string[];
  };
  return (
    <ProblemNote problem={problem}>
      {campaigns.length + aliases.length > 0 && (
        <ul>
          {campaigns.slice(0, MOST).map((id) => (
            <li key={id}>
              <CampaignLink id={id} />
            </li>
          ))}
          {aliases.slice(0, MOST).map((id) => (
            <li key={id}>
              <AliasLink id={id} />
            </li>
          ))}
        </ul>
      )}
    </ProblemNote>
  );
}

const MOST = 10;

export function CampaignLink({ id }: { id: string }) {
  const { data } = useQuery("getCampaign", {
    params: { campaign_id: id },
    query: { fields: "name" },
  });
  return <a href={href(`/campaigns/${id}`)}>{data?.name ?? "Campaign"}</a>;
}

function AliasLink({ id }: { id: string }) {
  const { data } = useQuery("getMailAlias", {
    params: { alias_id: id },
    query: { fields: "email" },
  });
  return <a href={href(`/senders/aliases/${id}`)}>{data?.email ?? "Mail alias"}</a>;
}
