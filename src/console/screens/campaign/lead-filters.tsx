import type { ComponentChildren } from "preact";
import type { CampaignLeadStatus } from "../../api/schema.ts";
import { FilterSelect } from "../../parts/filter-select.tsx";
import { SearchInput } from "../../parts/search-field.tsx";

const STATUSES = [
  "pending",
  "active",
  "completed",
  "replied",
  "bounced",
  "unsubscribed",
  "complained",
  "stopped",
  "skipped",
  "failed",
] as const satisfies readonly CampaignLeadStatus[];
const ORDERS = [
  ["row_index", "as in the dataset"],
  ["-row_index", "the last first"],
  ["-updated_at", "latest change first"],
] as const;

/** What the list asks for, from the address. */
export function wishOf(query: URLSearchParams) {
  const status = STATUSES.find((each) => each === query.get("status"));
  const held = (["true", "false"] as const).find((each) => each === query.get("held"));
  const q = query.get("q") ?? "";
  const order = ORDERS.find(([each]) => each === query.get("order"))?.[0] ?? "row_index";
  return {
    order,
    ...(status === undefined ? {} : { status }),
    ...(held === undefined ? {} : { held }),
    ...(q.trim() === "" ? {} : { q }),
  };
}

/** What is looked for; the address says it, so that it can be sent to somebody. */
export function LeadFilters(props: { query: URLSearchParams; children?: ComponentChildren }) {
  const { query, children } = props;
  return (
    <div class="finders">
      <label>
        Address, name or company
        <SearchInput value={query.get("q") ?? ""} />
      </label>
      <FilterSelect
        name="status"
        label="State"
        value={query.get("status")}
        any="every state"
        options={STATUSES.map((each) => [each, each])}
      />
      <FilterSelect
        name="held"
        label="Held"
        value={query.get("held")}
        any="or not"
        options={[
          ["true", "held only"],
          ["false", "not held"],
        ]}
      />
      <FilterSelect
        name="order"
        label="Order"
        value={query.get("order") ?? "row_index"}
        options={ORDERS}
      />
      {children}
    </div>
  );
}
