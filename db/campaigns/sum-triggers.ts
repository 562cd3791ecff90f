import { addendsOf, placeOf } from "./sums.ts";

const OUT = "('accepted', 'assumed_sent', 'rejected')";
const isOut = (row: string): string => `${row}.state in ${OUT}`;

/** Columns of a message that its addends and their places are made of. */
const PLACE = [
  "state",
  "lane_id",
  "step",
  "campaign_day",
  "variant_label",
  "budget",
  "accepted_at",
];
const HITS = ["opens", "clicks", "machine_opens", "machine_clicks"];
const FACTS = [
  "replied_at",
  "auto_replied_at",
  "bounced_at",
  "soft_bounced_at",
  "unsubscribed_at",
  "complained_at",
];

const values = (row: string, of: (row: string) => Record<string, string>): string[] =>
  Object.values(of(row));
const NAMES = [...Object.keys(placeOf("s")), ...Object.keys(addendsOf("s"))].join(", ");
const difference = values("new", addendsOf).map(
  (value, index) => `${value} - ${values("old", addendsOf)[index]}`,
);

const insertInto = (listed: readonly string[], leads: readonly [string, string]): string =>
  `insert into send_deltas (${NAMES}, leads_opened, leads_clicked) values (${[...listed, ...leads].join(", ")});`;

/** An acceptance like nearly all of them: nothing has come of the message yet. */
const JUST_SENT = [
  `not (${isOut("old")}) and new.state in ('accepted', 'assumed_sent')`,
  ...HITS.map((column) => `old.${column} = 0 and new.${column} = 0`),
  ...FACTS.map((column) => `new.${column} is null`),
].join(" and ");

/**
 * The triggers that keep the sums: a message's change writes what it changes of them in the same transaction, whichever statement made
 * it, an older release too. A message that is deleted stays in the sums. That it was sent, which nearly each change of
 * them is, has a function of its own that does the least (a third of the other's 36 us of processor).
 */
const SENT = `create function sum_sent() returns trigger language plpgsql as $$
begin
  insert into send_deltas (${Object.keys(placeOf("s")).join(", ")}, messages, sent, first_messages)
  values (${values("new", placeOf).join(", ")}, 1, 1, (new.step = 1)::int);
  return null;
end $$;`;

/**
 * Everything else. A message that was never opened or clicked looks at no other table; the lead's other messages are asked
 * for by its row in `campaign_lead_hits`, which two of them that are opened at once wait for. The shared lock lets a
 * campaign's first sums (`fold-sums.ts`) know them all.
 */
const CHANGED = `create function sum_sends() returns trigger language plpgsql as $$
declare
  v_opened int := (new.opens > 0)::int;
  v_clicked int := (new.clicks > 0)::int;
  v_leads_opened int := 0;
  v_leads_clicked int := 0;
begin
  if tg_op = 'UPDATE' then
    v_opened := v_opened - (old.opens > 0)::int;
    v_clicked := v_clicked - (old.clicks > 0)::int;
  end if;
  if v_opened <> 0 or v_clicked <> 0 then
    perform pg_advisory_xact_lock_shared(hashtextextended(new.campaign_id::text || ':sums', 0));
    insert into campaign_lead_hits as h (campaign_lead_id, campaign_id, opened, clicked)
    values (new.campaign_lead_id, new.campaign_id, v_opened, v_clicked)
    on conflict (campaign_lead_id) do update set opened = h.opened + v_opened, clicked = h.clicked + v_clicked
    returning (h.opened > 0)::int - (h.opened - v_opened > 0)::int, (h.clicked > 0)::int - (h.clicked - v_clicked > 0)::int
    into v_leads_opened, v_leads_clicked;
  end if;
  if tg_op = 'UPDATE' then
    if (${values("old", placeOf).join(", ")}) is not distinct from (${values("new", placeOf).join(", ")}) or not (${isOut("old")}) then
      ${insertInto([...values("new", placeOf), ...difference], ["v_leads_opened", "v_leads_clicked"])}
      return null;
    end if;
    ${insertInto(
      [...values("old", placeOf), ...values("old", addendsOf).map((value) => `-${value}`)],
      ["0", "0"],
    )}
  end if;
  ${insertInto([...values("new", placeOf), ...values("new", addendsOf)], ["v_leads_opened", "v_leads_clicked"])}
  return null;
end $$;`;

const changed = [...PLACE, ...FACTS]
  .map((column) => `old.${column} is distinct from new.${column}`)
  .join(" or ");
const hitsChanged = HITS.map((column) => `old.${column} <> new.${column}`).join(" or ");

/** A message that arrives from another cell: its sums come with it (`db/workspace/moving/`). */
const BY_A_MOVE = "coalesce(current_setting('overture.moving', true), '') <> ''";

/** As a migration makes them. */
export const SUM_TRIGGERS = `${SENT}
--> statement-breakpoint
${CHANGED}
--> statement-breakpoint
create trigger sum_sends_made after insert on sends for each row when ((${isOut("new")} or new.opens > 0 or new.clicks > 0) and not (${BY_A_MOVE})) execute function sum_sends();
--> statement-breakpoint
create trigger sum_sends_sent after update of state on sends for each row when (${JUST_SENT}) execute function sum_sent();
--> statement-breakpoint
create trigger sum_sends_changed after update of ${[...PLACE, ...HITS, ...FACTS].join(", ")} on sends for each row
when ((((${isOut("old")} or ${isOut("new")}) and (${changed})) or ${hitsChanged}) and not (${JUST_SENT})) execute function sum_sends();`;
