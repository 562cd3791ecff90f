import pg from "pg";
import { eventually, type TestService } from "../support/service.ts";
import { startLateLine } from "./late-line.ts";
import { openMeter } from "./meters.ts";
import { range } from "./report.ts";

/** As many as all workers claim at once. */
const INBOXES_A_CONNECTION = 20;
/** The provider is so far away: each reply comes later by it. */
const REPLY_LATENCY_MS = 50;
/** What a deployment has to bear within a round of five minutes, for each connection. */
const ALL_A_CONNECTION = 800;
const TARGET = { cpuMs: 10, statements: 2, roundMs: 300_000 };

/** What it costs to look into inboxes in which nothing is new, asked for by the heartbeat and delivered by the queue. */
export async function benchInboxes(
  service: TestService,
  rounds: number,
  connections: number,
): Promise<void> {
  const count = connections * INBOXES_A_CONNECTION;
  const all = connections * ALL_A_CONNECTION;
  const pool = new pg.Pool({ connectionString: service.stack.databaseUrl, max: 2 });
  const line = await startLateLine(service.stack.mailbox.imap.port, REPLY_LATENCY_MS);
  try {
    await makeInboxes(service, count, Number(line.address.split(":")[1]));
    const meter = await openMeter(service, pool);
    const found = { cpu: [] as number[], statements: [] as number[], wall: [] as number[] };
    for (let round = 0; round <= rounds; round++) {
      await pool.query("update inboxes set next_read_at = $1, read_at = null", [new Date()]);
      const cost = await meter.measure(async () => {
        await service.stack.heartbeat.runNow();
        await eventually("all inboxes are read", async () => {
          const { rows } = await pool.query(
            "select count(*)::int as n from inboxes where read_at is null",
          );
          return rows[0].n === 0 ? true : undefined;
        });
      });
      // The first round warms up, and is each inbox's first look.
      if (round === 0) continue;
      found.cpu.push(cost.workerMs / count);
      found.statements.push(cost.roundTrips / count);
      found.wall.push((cost.wallMs / count) * all);
    }
    console.log(
      `\n${count} inboxes with nothing new, ${REPLY_LATENCY_MS} ms before each reply, ${connections} connections; ${rounds} rounds: median (min-max)`,
    );
    console.log(`  CPU of the Worker, an inbox: ${range(found.cpu, 2)} ms, target ${TARGET.cpuMs}`);
    console.log(
      `  statements, an inbox, with the heartbeat's own: ${range(found.statements, 2)}, target ${TARGET.statements}`,
    );
    console.log(
      `  ${all} inboxes take ${range(
        found.wall.map((ms) => ms / 1000),
        0,
      )} s, target ${TARGET.roundMs / 1000}`,
    );
  } finally {
    await line.close();
    await pool.end();
  }
}

async function makeInboxes(service: TestService, count: number, port: number): Promise<void> {
  const { smtp, imap } = service.stack.mailbox;
  for (let index = 0; index < count; index++) {
    // The quota of a minute is smaller.
    if (index % 500 === 499) await service.advance(61);
    await service.api("POST", "/api/v1/mailer/aliases", {
      email: `inbox${index}@sender.zz`,
      display_name: "Sender",
      transport: { kind: "smtp", host: smtp.host, port: smtp.port, security: smtp.security },
      inbox: { kind: "imap", host: imap.host, port, password: smtp.password },
    });
  }
}
