import { useQuery } from "../../api/use.ts";
import { FilterSelect } from "../../parts/filter-select.tsx";
import { SearchInput } from "../../parts/search-field.tsx";
import { CLASS_WORDS } from "../../pure/conversation-words.ts";
import { words } from "../../pure/words.ts";

const INTENTS = ["interested", "question", "referral", "not_now", "not_interested", "unclear"];

/** They stand in the address, so that one comes back to them. */
export function Filters({ query }: { query: URLSearchParams }) {
  const campaigns = useQuery("listCampaigns", { query: { limit: 100 } });
  return (
    <div class="inbox-filters" role="search">
      <SearchInput
        label="Search subject, person or company"
        placeholder="Subject, person, company"
        value={query.get("q") ?? ""}
        maxLength={200}
      />
      <FilterSelect
        name="intent"
        label="Intent"
        value={query.get("intent")}
        any="Any intent"
        options={INTENTS.map((each) => [each, words(each)])}
        isQuiet
      />
      <FilterSelect
        name="campaign"
        label="Campaign"
        value={query.get("campaign")}
        any="Any campaign"
        options={(campaigns.data?.items ?? []).map((each) => [each.campaign_id, each.name])}
        isQuiet
      />
      <FilterSelect
        name="class"
        label="Kind"
        value={query.get("class")}
        any="Any kind"
        options={Object.entries(CLASS_WORDS)}
        isQuiet
      />
    </div>
  );
}
