import type pg from "pg";
import type { Db } from "#db/base/client.ts";
import { connectLeads } from "#db/network/acceptances.ts";
import { getAccount } from "#db/network/accounts.ts";
import { endWaitInVain, staleInvitations } from "#db/network/stale-invitations.ts";
import type { Deps } from "#src/deps.ts";
import { takeMessage } from "#src/domain/replies/inbound/network/take-message.ts";
import { planAfterRefusal } from "#src/domain/network/withdraw-stale.ts";
import type { Acts } from "./engine-people.ts";

interface Means {
  db: Db;
  sql: pg.Pool;
  finish(at: Date, campaignId: string): Promise<unknown>;
}

/** What people of a network do, by the service's own verbs; a lead's id is its id at the network. */
export function networkPeople({
  db,
  sql,
  finish,
}: Means): Pick<Acts, "accept" | "awaiting" | "giveUpWaiting"> {
  return {
    async awaiting(before) {
      const { rows } = await sql.query("select id from sender_lanes where kind = 'socialnet'");
      const waiting: string[] = [];
      for (const { id } of rows)
        for (const { campaignLeadId } of await staleInvitations(db, id, before, ALL))
          waiting.push(campaignLeadId);
      return waiting.sort();
    },
    async accept(id, at) {
      const { rows } = await sql.query(
        `select s.lane_id from sends s join sender_lanes lane on lane.id = s.lane_id
         where s.campaign_lead_id = $1 and lane.kind = 'socialnet' order by s.step desc`,
        [id],
      );
      if (rows.length === 0) return false;
      await remember(sql, id);
      const person = { personId: id, publicIdentifier: null, at };
      return (await connectLeads(db, rows[0].lane_id, [person], at)).connected > 0;
    },
    async giveUpWaiting(id, at) {
      const { rows } = await sql.query(
        `select l.campaign_id, l.next_step, l.zone, c.timezone, c.steps, c.config_version from campaign_leads l join campaigns c on c.id = l.campaign_id where l.id = $1`,
        [id],
      );
      const { campaign_id: campaignId, next_step: step, zone, timezone, steps } = rows[0];
      if (step === null) return false;
      const plan = planAfterRefusal({ steps, step, zone, timezone }, at);
      const waiting = {
        campaignLeadId: id,
        campaignId,
        step,
        configVersion: rows[0].config_version,
      };
      const ended = await endWaitInVain(db, waiting, plan, at);
      if (ended) await finish(at, campaignId);
      return ended;
    },
  };
}

/** What was said by an account is answered in its chat. */
export async function answerOnNetwork(
  deps: Deps,
  { sql, leadId, step }: { sql: pg.Pool; leadId: string; step: number },
  accountId: string,
): Promise<boolean> {
  const { rows } = await sql.query("select workspace_id from sender_lanes where id = $1", [
    accountId,
  ]);
  const at = deps.clock.now();
  const account = (await getAccount(deps.db, rows[0].workspace_id, accountId, at))!;
  await remember(sql, leadId);
  return takeMessage(deps, account, {
    kind: "message",
    accountId: account.providerAccountId,
    chatId: leadId,
    messageId: `${leadId} ${step} ${at.getTime()}`,
    personId: leadId,
    name: null,
    profileUrl: null,
    text: "Let us talk.",
    at,
  });
}

const ALL = 10_000;

/** As a step does before it does anything: who the lead is there. */
const remember = (sql: pg.Pool, leadId: string) =>
  sql.query("update campaign_leads set person_id = $1::text where id = $1::uuid", [leadId]);
