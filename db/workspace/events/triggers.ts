import { OF_CAMPAIGNS } from "./of-campaigns.ts";
import { OF_MESSAGES } from "./of-messages.ts";
import { OF_WORKSPACE } from "./of-workspace.ts";
import { type EventSource, quoted } from "./source.ts";

export const EVENT_SOURCES: readonly EventSource[] = [
  ...OF_CAMPAIGNS,
  ...OF_MESSAGES,
  ...OF_WORKSPACE,
];

/** The function and the trigger of a source, as a migration makes them. */
export function triggerText(source: EventSource): string {
  const { name, table, on, when, type, at = "new.updated_at", campaign = "null" } = source;
  const fields = Object.entries(source.data).map(([key, value]) => `${quoted(key)}, ${value}`);
  const insert = `insert into events (workspace_id, id, type, at, actor, campaign_id, data)
  values (new.workspace_id, gen_random_uuid(), ${type}, ${at}, nullif(current_setting('overture.actor', true), ''), ${campaign},
    jsonb_strip_nulls(jsonb_build_object(${fields.join(", ")})));`;
  const { first } = source;
  const body =
    first === undefined
      ? insert
      : `${first.body}
  if ${first.found} then ${insert}
  end if;`;
  const moment = on === "insert" ? "insert" : `update of ${on.join(", ")}`;
  return `create function event_${name}() returns trigger language plpgsql as $$
${first === undefined ? "" : `declare ${first.declare}\n`}begin
  ${body}
  return null;
end $$;
--> statement-breakpoint
create trigger event_${name} after ${moment} on ${table} for each row${when === undefined ? "" : ` when (${when})`} execute function event_${name}();`;
}
