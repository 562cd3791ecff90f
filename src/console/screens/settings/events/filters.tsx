import { useId } from "preact/hooks";
import { EVENT_KINDS, groupTypes, typeWords } from "../../../pure/event-types.ts";
import { EVENT_TYPES } from "../../../pure/event-words.ts";
import { setQuery } from "../../../router.ts";
import type { FeedFilter } from "./feed.ts";

/** What is shown stands in the address. */
export function EventFilters(props: {
  filter: FeedFilter;
  campaigns: readonly { campaign_id: string; name: string }[];
  actors: readonly [id: string, name: string][];
}) {
  const { filter, campaigns, actors } = props;
  const id = useId();
  const set = (name: keyof FeedFilter) => (event: { currentTarget: { value: string } }) =>
    setQuery({ [name]: event.currentTarget.value });
  const isKnown = (value: string | undefined, known: readonly string[]) =>
    value === undefined || known.includes(value);
  return (
    <div class="asked">
      <div class="field">
        <label for={`${id}-type`}>What</label>
        <select id={`${id}-type`} value={filter.types ?? ""} onChange={set("types")}>
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
      </div>
      <div class="field">
        <label for={`${id}-actor`}>Who</label>
        <select id={`${id}-actor`} value={filter.actor ?? ""} onChange={set("actor")}>
          <option value="">everybody</option>
          <option value="user">people</option>
          <option value="key">API keys</option>
          <option value="system">the service itself</option>
          {actors.map(([actor, name]) => (
            <option key={actor} value={actor}>
              {name}
            </option>
          ))}
          {!isKnown(filter.actor, ["user", "key", "system", ...actors.map(([each]) => each)]) && (
            <option value={filter.actor!}>{filter.actor}</option>
          )}
        </select>
      </div>
      <div class="field">
        <label for={`${id}-campaign`}>Campaign</label>
        <select
          id={`${id}-campaign`}
          value={filter.campaign_id ?? ""}
          onChange={set("campaign_id")}
        >
          <option value="">any, or none</option>
          {campaigns.map(({ campaign_id: campaign, name }) => (
            <option key={campaign} value={campaign}>
              {name}
            </option>
          ))}
          {!isKnown(
            filter.campaign_id,
            campaigns.map((each) => each.campaign_id),
          ) && <option value={filter.campaign_id!}>{filter.campaign_id}</option>}
        </select>
      </div>
    </div>
  );
}
