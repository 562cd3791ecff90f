import pg from "pg";
import type { ClaimData } from "./claim-data.ts";
import { claimAt } from "./claim.ts";
import { median } from "./report.ts";

/** What Postgres' processor takes for a message, from its claim to its outcome (`npm run bench`). */
const CPU_MS_A_MESSAGE = 0.75;
const LARGE = "00000000-0000-4000-8000-0000000000d1";

/**
 * One tenant has so many of all lanes, all due at one instant and those of the others an instant later. One after the
 * other claims them, while the clock goes on by what a core of Postgres takes for the messages: how late others are.
 */
export async function measureShare(url: string, { now, lanes }: ClaimData, share: number) {
  const sql = new pg.Client({ connectionString: url });
  await sql.connect();
  const large = `select id from campaigns order by id limit (select count(*) * ${share} from campaigns)`;
  await sql.query(`create temp table large as ${large}`);
  await sql.query(
    `update campaigns set workspace_id = '${LARGE}' where id in (select id from large)`,
  );
  await sql.query(
    `update campaign_leads set workspace_id = '${LARGE}' where campaign_id in (select id from large)`,
  );
  await sql.query(
    `update sender_lanes lane set next_slot_at = $1::timestamptz + case when x.is_large then interval '0' else interval '1 millisecond' end,
       workspace_id = case when x.is_large then '${LARGE}' else lane.workspace_id end
     from (select cs.lane_id, cs.campaign_id in (select id from large) as is_large from campaign_senders cs) x where x.lane_id = lane.id`,
    [now],
  );
  await sql.query("vacuum analyze");
  const { rows } = await sql.query(`select id from sender_lanes where workspace_id <> '${LARGE}'`);
  const others = new Set(rows.map(({ id }) => id as string));
  const late: number[] = [];
  let claimed = 0;
  while (others.size > 0) {
    const at = now.getTime() + 2 + claimed * CPU_MS_A_MESSAGE;
    const { sql: text, params } = claimAt(new Date(at));
    const got = await sql.query({ name: "claim", text, values: params });
    if (got.rows.length === 0) break;
    for (const { id, lane_id: lane } of got.rows) {
      if (id === null) continue;
      claimed++;
      if (others.delete(lane)) late.push((at - now.getTime()) / 1000);
    }
  }
  await sql.end();
  console.log(
    `${lanes.toLocaleString("en-US")} lanes, of which one tenant has ${share * 100} %: ${late.length.toLocaleString("en-US")} of others are ${median(late).toFixed(1)} s late, at most ${Math.max(...late).toFixed(1)}, by a core of Postgres (${others.size} had nothing to do)`,
  );
}
