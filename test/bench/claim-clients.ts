import pg from "pg";
import type { Postgres } from "../../scripts/stack/postgres.ts";
import type { ClaimData } from "./claim-data.ts";
import { BATCH, claimAt } from "./claim.ts";
import { processorMs } from "./meters.ts";

const SECONDS = 6;

/** About what a lane waits between two of its sends: with each so many claimed the clock goes on by it. */
const GAP_MS = 70_000;

export interface ClientsFigures {
  clients: number;
  perSecond: number;
  /** Of Postgres, a claimed send. */
  cpuMs: number;
}

/**
 * Claims as fast as so many clients can, each time on a copy of the loaded database, so that no run finds what
 * another left. The clock goes on by what was claimed, whoever claimed it: all clients together ask no more of a
 * lane than one alone. Fails if a run may have come to the end of the work.
 */
export async function measureClients(
  server: Postgres,
  template: string,
  { now, lanes }: ClaimData,
  clients: number,
): Promise<ClientsFigures> {
  const name = `${template}_by_${clients}`;
  const url = await server.createDatabase(name, { template });
  const counts = { claimed: 0, calls: 0, empty: 0, deadlocks: 0, cpuMs: 0 };
  const started = performance.now();
  const end = started + SECONDS * 1000;
  const work = async () => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const { rows } = await client.query("select pg_backend_pid() as pid");
    while (performance.now() < end) {
      const at = now.getTime() + 600_000 + (counts.claimed * GAP_MS) / lanes;
      const { sql, params } = claimAt(new Date(at));
      // Kept by name, as a pooled connection keeps a plan.
      const query = { name: "claim", text: sql, values: params };
      const got = await client.query(query).then(
        (result) => result.rows.filter(({ id }) => id !== null).length,
        (error: pg.DatabaseError) => {
          // `createDb` does it again.
          if (error.code !== "40P01") throw error;
          counts.deadlocks++;
          return 0;
        },
      );
      counts.calls++;
      if (got === 0) counts.empty++;
      counts.claimed += got;
    }
    counts.cpuMs += processorMs(rows[0].pid);
    await client.end();
  };
  await Promise.all(Array.from({ length: clients }, work));
  const seconds = (performance.now() - started) / 1000;
  const { claimed, calls, empty, deadlocks, cpuMs } = counts;
  await checkThatWorkIsLeft(url, clients);
  await server.dropDatabase(name);
  const perSecond = claimed / seconds;
  console.log(
    `${String(clients).padStart(12)} clients: ${Math.round(perSecond).toLocaleString("en-US")} claimed sends a second, ${(cpuMs / claimed).toFixed(3)} ms CPU of Postgres a send, ${(claimed / calls).toFixed(1)} of ${BATCH} a claim, ${empty} of ${calls} came away with nothing${deadlocks > 0 ? `, ${deadlocks} deadlocks` : ""}`,
  );
  return { clients, perSecond, cpuMs: cpuMs / claimed };
}

/** A lane whose campaign has nothing left for it would have been looked at in vain. */
async function checkThatWorkIsLeft(url: string, clients: number): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(`
    select count(*)::int as lanes, count(*) filter (where not exists (
        select from campaign_senders cs join campaign_leads l on l.campaign_id = cs.campaign_id
        where cs.lane_id = lane.id and l.next_action_at < '2027-03-01T12:00:00Z' and (l.alias_id = lane.id or l.status = 'pending'))
      )::int as idle
    from sender_lanes lane`);
  await client.end();
  const [{ lanes, idle }] = rows;
  if (idle > lanes / 100)
    throw new Error(`${clients} clients: ${idle} of ${lanes} lanes have no due lead left`);
}
