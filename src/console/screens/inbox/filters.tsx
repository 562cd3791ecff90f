import { useRef } from "preact/hooks";
import { useQuery } from "../../api/use.ts";
import { setQuery } from "../../router.ts";
import { words } from "../../pure/words.ts";

const INTENTS = ["interested", "question", "referral", "not_now", "not_interested", "unclear"];
const TYPING_MS = 300;

/** They stand in the address, so that one comes back to them. */
export function Filters({ query }: { query: URLSearchParams }) {
  const campaigns = useQuery("listCampaigns", { query: { limit: 100 } });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  return (
    <div class="inbox-filters" role="search">
      <input
        type="search"
        aria-label="Search subject, person or company"
        placeholder="Subject, person, company"
        maxLength={200}
        defaultValue={query.get("q") ?? ""}
        onInput={(event) => {
          const { value } = event.currentTarget;
          clearTimeout(timer.current);
          timer.current = setTimeout(() => setQuery({ q: value.trim() }), TYPING_MS);
        }}
      />
      <select
        aria-label="Intent"
        value={query.get("intent") ?? ""}
        onChange={(event) => setQuery({ intent: event.currentTarget.value })}
      >
        <option value="">Any intent</option>
        {INTENTS.map((each) => (
          <option key={each} value={each}>
            {words(each)}
          </option>
        ))}
      </select>
      <select
        aria-label="Campaign"
        value={query.get("campaign") ?? ""}
        onChange={(event) => setQuery({ campaign: event.currentTarget.value })}
      >
        <option value="">Any campaign</option>
        {(campaigns.data?.items ?? []).map(({ campaign_id: id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </div>
  );
}
