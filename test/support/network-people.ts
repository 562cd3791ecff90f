import type pg from "pg";
import type { Db } from "#db/client.ts";
import { connectLeads } from "#db/network/acceptances.ts";
import { endWaitInVain } from "#db/network/stale-invitations.ts";
import { planAfterRefusal } from "#src/domain/network/withdraw-stale.ts";
import type { Acts } from "./engine-people.ts";

interface Means {
  db: Db;
  sql: pg.Pool;
  finish(at: Date, campaignId: string): Promise<unknown>;
}

/** What people of a network do, by the service's own verbs; a lead's id is its id at the network. */
export function networkPeople({ db, sql, finish }: Means): Pick<Acts, "accept" | "giveUpWaiting"> {
  return {
    async accept(id, at) {
      const { rows } = await sql.query(
        `select s.lane_id from sends s join sender_lanes lane on lane.id = s.lane_id
         where s.campaign_lead_id = $1 and lane.kind = 'socialnet' order by s.step desc`,
        [id],
      );
      if (rows.length === 0) return false;
      await sql.query("update campaign_leads set person_id = $1::text where id = $1::uuid", [id]);
      const person = { personId: id, publicIdentifier: null, at };
      return (await connectLeads(db, rows[0].lane_id, [person], at)).connected > 0;
    },
    async giveUpWaiting(id, at) {
      const { rows } = await sql.query(
        `select l.campaign_id, l.next_step, l.zone, c.timezone, c.steps from campaign_leads l join campaigns c on c.id = l.campaign_id where l.id = $1`,
        [id],
      );
      const { campaign_id: campaignId, next_step: step, zone, timezone, steps } = rows[0];
      if (step === null) return false;
      const plan = planAfterRefusal({ steps, step, zone, timezone }, at);
      const ended = await endWaitInVain(db, { campaignLeadId: id, campaignId, step }, plan, at);
      if (ended) await finish(at, campaignId);
      return ended;
    },
  };
}
