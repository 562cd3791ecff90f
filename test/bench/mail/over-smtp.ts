import * as tls from "node:tls";
import { createLocalCertificate } from "../../../scripts/stack/certificate.ts";
import { letterBytes } from "./letter.ts";
import {
  medianOf,
  measured,
  pairedRounds,
  printRow,
  printTarget,
  type Contender,
  type Round,
} from "./rounds.ts";
import { CONNECTIONS, nodemailerPool, ourPool, ourSessions, type Sender } from "./senders.ts";
import { startSinkProcess, type SinkProcess } from "./start-sink.ts";

export interface SmtpScenario {
  name: string;
  delayMs: number;
  chunking: boolean;
  /** How many times as fast as nodemailer. */
  target: number;
}

/** Letters of one run; a round has two runs of each. */
const LETTERS = 300;

const [baseline, ...ours] = [nodemailerPool, ourPool, ourSessions] as const;
const senders: readonly Sender[] = [baseline, ...ours];

/** From finished parts or a rendered page to the last 250: nodemailer's pool against our two ways to send. */
export async function benchOverSmtp(scenario: SmtpScenario, rounds: number): Promise<void> {
  const { name, delayMs, chunking, target } = scenario;
  const { ca, cert, key } = createLocalCertificate(["localhost"]);
  // For both alike: an authority that is handed over with each connection is parsed with each.
  tls.setDefaultCACertificates([...tls.rootCertificates, ca]);
  console.log(
    `\n${name}: ${LETTERS} letters of ${letterBytes} bytes, ${CONNECTIONS} connections, STARTTLS, AUTH, RSA-2048, ${delayMs} ms a reply, CHUNKING ${chunking ? "offered" : "not offered"}`,
  );
  const sink = await startSinkProcess({ cert, key, delayMs, chunking });
  try {
    const chunked = senders.map(() => 0);
    const contenders = senders.map((sender, index) =>
      contender(sender, sink, (messages) => (chunked[index]! += messages)),
    );
    printRow("round", [baseline.name, ...ours.flatMap((sender) => [sender.name, "ratio"])]);
    const results = await pairedRounds(contenders, rounds, (round, number) =>
      printRow(String(number), cells(round)),
    );
    const ratios = ours.map((_, index) => medianOf(results, (round) => speedup(round, index + 1)));
    printRow("median", [
      perSecond(medianOf(results, (round) => rate(round, 0))),
      ...ours.flatMap((_, index) => [
        perSecond(medianOf(results, (round) => rate(round, index + 1))),
        ratios[index]!.toFixed(2),
      ]),
    ]);
    printRow(
      "CPU a letter",
      senders.flatMap((_, index) => [
        `${medianOf(results, (round) => round[index]!.cpuMs / (2 * LETTERS)).toFixed(2)} ms`,
        ...(index === 0 ? [] : [""]),
      ]),
    );
    for (const [index, sender] of ours.entries()) {
      printTarget(`${sender.name}, ratio`, { of: "at least", value: target }, ratios[index]!);
      if (chunking && chunked[index + 1] === 0)
        console.log(`${sender.name}: client does not use CHUNKING`);
    }
  } finally {
    await sink.close();
  }
}

function contender(
  sender: Sender,
  sink: SinkProcess,
  onChunked: (messages: number) => void,
): Contender {
  return {
    name: sender.name,
    async run() {
      const before = await sink.counts();
      let close = async () => {};
      const usage = await measured(async () => {
        close = await sender.send(sink.port, LETTERS);
      });
      await close();
      const after = await sink.counts();
      const [arrived, connections] = [
        after.messages - before.messages,
        after.connections - before.connections,
      ];
      if (arrived !== LETTERS || connections !== CONNECTIONS)
        throw new Error(`${sender.name}: ${arrived} letters over ${connections} connections`);
      onChunked(after.chunked - before.chunked);
      return usage;
    },
  };
}

const rate = (round: Round, index: number): number => (2 * LETTERS * 1000) / round[index]!.wallMs;
const speedup = (round: Round, index: number): number => rate(round, index) / rate(round, 0);
const perSecond = (value: number): string => `${Math.round(value)}/s`;

function cells(round: Round): string[] {
  return [
    perSecond(rate(round, 0)),
    ...ours.flatMap((_, index) => [
      perSecond(rate(round, index + 1)),
      speedup(round, index + 1).toFixed(2),
    ]),
  ];
}
