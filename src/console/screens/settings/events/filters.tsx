import { FilterSelect } from "../../../parts/filter-select.tsx";
import { EVENT_KINDS, groupTypes, typeWords } from "../../../pure/event-types.ts";
import { EVENT_TYPES } from "../../../pure/event-words.ts";
import { setQuery } from "../../../router.ts";
import type { FeedFilter } from "../../../api/feed.ts";

/** What is shown stands in the address. */
export function EventFilters(props: {
  filter: FeedFilter;
  campaigns: readonly { campaign_id: string; name: string }[];
  actors: readonly [id: string, name: string][];
}) {
  const { filter, campaigns, actors } = props;
  return (
    <div class="finders">
      <label>
        What{" "}
        <select
          value={filter.types ?? ""}
          onChange={(event) => setQuery({ types: event.currentTarget.value })}
        >
          <option value="">everything</option>
          {groupTypes(EVENT_TYPES).map(([kind, types]) => (
            <optgroup key={kind} label={EVENT_KINDS[kind]}>
              <option value={`${kind}.*`}>{typeWords(kind)}: all</option>
              {types.map((type) => (
                <option key={type} value={type}>
                  {typeWords(type)}
                </option>
              ))}
            </optgroup>
          ))}
        </select>
      </label>
      <FilterSelect
        name="actor"
        label="Who"
        value={filter.actor}
        any="everybody"
        options={[
          ["user", "people"],
          ["key", "API keys"],
          ["system", "the service itself"],
          ...actors,
        ]}
      />
      <FilterSelect
        name="campaign_id"
        label="Campaign"
        value={filter.campaign_id}
        any="any, or none"
        options={campaigns.map(({ campaign_id: id, name }) => [id, name])}
      />
    </div>
  );
}
