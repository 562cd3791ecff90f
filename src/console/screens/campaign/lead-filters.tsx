import type { ComponentChildren } from "preact";
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { CampaignLeadStatus } from "../../api/schema.ts";
import { setQuery } from "../../router.ts";

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

const SETTLED_MS = 250;

/** What is looked for; the address says it, so that it can be sent to somebody. */
export function LeadFilters(props: { query: URLSearchParams; children?: ComponentChildren }) {
  const { query, children } = props;
  const typed = useSignal(query.get("q") ?? "");
  useEffect(() => {
    const timer = setTimeout(() => {
      if (typed.value !== (query.get("q") ?? "")) setQuery({ q: typed.value });
    }, SETTLED_MS);
    return () => clearTimeout(timer);
  }, [typed.value]);
  return (
    <div class="finders">
      <label>
        Address, name or company
        <input
          type="search"
          value={typed.value}
          maxLength={320}
          onInput={(event) => (typed.value = event.currentTarget.value)}
        />
      </label>
      <label>
        State
        <select
          value={query.get("status") ?? ""}
          onChange={(event) => setQuery({ status: event.currentTarget.value })}
        >
          <option value="">every state</option>
          {STATUSES.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      </label>
      <label>
        Held
        <select
          value={query.get("held") ?? ""}
          onChange={(event) => setQuery({ held: event.currentTarget.value })}
        >
          <option value="">or not</option>
          <option value="true">held only</option>
          <option value="false">not held</option>
        </select>
      </label>
      <label>
        Order
        <select
          value={query.get("order") ?? "row_index"}
          onChange={(event) => setQuery({ order: event.currentTarget.value })}
        >
          {ORDERS.map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </label>
      {children}
    </div>
  );
}
