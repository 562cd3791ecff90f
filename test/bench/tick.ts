import type { TestService } from "../support/service.ts";
import { letterBytes } from "./mail/letter.ts";
import { measured } from "./mail/rounds.ts";
import { CONNECTIONS, nodemailerPool } from "./mail/senders.ts";
import type { SinkProcess } from "./mail/start-sink.ts";
import { type Cost, openMeter, type Writes } from "./meters.ts";
import { median, range } from "./report.ts";
import { MESSAGES, tickSetting } from "./tick-setting.ts";

interface Round {
  signed: Cost;
  unsigned: Cost;
  nodemailer: { wallMs: number; cpuMs: number };
}

/** Rounds at either end that are compared for flatness: a thousand signed messages each. */
const END_ROUNDS = 5;

/**
 * The whole tick in workerd (claim, write, sign, guard, hand over, record) against
 * nodemailer's pool in Node, which signs and sends what is written already: the same
 * letter, RSA-2048, one relay account, one sink in a process of its own. In
 * alternating rounds; a tick that does not sign runs beside for the price of the signature.
 */
export async function benchTick(
  service: TestService,
  sink: SinkProcess,
  messages: number,
): Promise<void> {
  const rounds = Math.ceil(messages / MESSAGES);
  const setting = await tickSetting(service, sink.port, 2 * MESSAGES * (rounds + 1));
  const meter = await openMeter(service, setting.sql);
  const runTick = async (signed: boolean) => {
    await setting.makeDue(signed);
    return meter.measure(setting.tick);
  };
  const results: Round[] = [];
  for (let number = 0; number <= rounds; number++) {
    const signed = await runTick(true);
    let close = async () => {};
    const nodemailer = await measured(async () => {
      close = await nodemailerPool.send(sink.port, MESSAGES);
    });
    await close();
    const unsigned = await runTick(false);
    // The first warms up.
    if (number > 0) results.push({ signed, unsigned, nodemailer });
  }
  print(results, await meter.writes());
  await setting.close();
}

function print(results: Round[], writes: Map<string, Writes>): void {
  const rate = (pick: (round: Round) => { wallMs: number }) =>
    results.map((round) => (MESSAGES * 1000) / pick(round).wallMs);
  const [signed, unsigned, nodemailer] = [
    rate((round) => round.signed),
    rate((round) => round.unsigned),
    rate((round) => round.nodemailer),
  ];
  const each = (figure: (round: Round) => number) =>
    results.reduce((sum, round) => sum + figure(round), 0) / results.length / MESSAGES;
  const ms = (figure: (round: Round) => number) => each(figure).toFixed(2);
  const postgres = ({ signed, unsigned }: Round) => (signed.postgresMs + unsigned.postgresMs) / 2;
  console.log(
    `\nThe tick: letters of ${letterBytes} bytes, RSA-2048, ${CONNECTIONS} connections with STARTTLS and AUTH; ${results.length} rounds of ${MESSAGES}: median (min-max)
  tick, signing              ${range(signed)} messages/s, Worker ${ms((round) => round.signed.workerMs)} ms CPU a message
  nodemailer's pool, signing ${range(nodemailer)} messages/s, ${ms((round) => round.nodemailer.cpuMs)} ms
  ratio                      ${range(
    signed.map((value, index) => value / nodemailer[index]!),
    2,
  )}
  tick, not signing          ${range(unsigned)} messages/s, Worker ${ms((round) => round.unsigned.workerMs)} ms
  Postgres a message         ${ms(postgres)} ms CPU, ${each(({ signed }) => signed.walBytes).toFixed(0)} bytes of WAL, ${each(({ signed }) => signed.roundTrips).toFixed(2)} round trips`,
  );
  printFlatness(results, postgres);
  printWrites(writes, 2 * MESSAGES * (results.length + 1));
}

function printFlatness(results: Round[], postgres: (round: Round) => number): void {
  if (results.length < 2 * END_ROUNDS) return;
  const of = (rounds: Round[]) => median(rounds.map(postgres)) / MESSAGES;
  const [first, last] = [of(results.slice(0, END_ROUNDS)), of(results.slice(-END_ROUNDS))];
  console.log(
    `  flat?                      Postgres ${first.toFixed(2)} ms in the first ${END_ROUNDS} rounds, ${last.toFixed(2)} in the last (${((last / first - 1) * 100).toFixed(0)} %)`,
  );
}

function printWrites(writes: Map<string, Writes>, sends: number): void {
  const all = [...writes].filter(([, { inserted, updated }]) => inserted + updated > sends / 20);
  const a = (count: number) => (count / sends).toFixed(2);
  const total = (kind: keyof Writes) => a(all.reduce((sum, [, table]) => sum + table[kind], 0));
  const tables = all.map(
    ([table, { inserted, updated, hot }]) => `${table} ${a(inserted)} + ${a(updated)} (${a(hot)})`,
  );
  console.log(
    `  row versions a send        ${total("inserted")} inserted + ${total("updated")} updated (${total("hot")} of them HOT): ${tables.join(", ")}`,
  );
}
