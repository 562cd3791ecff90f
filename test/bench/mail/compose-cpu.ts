import { createTransport } from "nodemailer";
import { composeLetter, dkimOfNodemailer, letterBytes, letterForNodemailer } from "./letter.ts";
import { medianOf, measured, pairedRounds, printRow, printTarget, type Round } from "./rounds.ts";

const LETTERS = 500;
const TARGET_MS = 1.5;

/** CPU time to write and sign one letter, beside nodemailer's for the same letter from finished parts. */
export async function benchComposeCpu(rounds: number): Promise<void> {
  console.log(
    `\ncpu: ${LETTERS} letters of ${letterBytes} bytes a run, written and signed (RSA-2048), not sent`,
  );
  const composer = createTransport({ streamTransport: true, buffer: true, dkim: dkimOfNodemailer });
  const contenders = [
    { name: "nodemailer", write: (n: number) => composer.sendMail(letterForNodemailer(n)) },
    { name: "ours", write: composeLetter },
  ].map(({ name, write }) => ({
    name,
    run: () =>
      measured(async () => {
        for (let number = 0; number < LETTERS; number++) await write(number);
      }),
  }));
  const cpu = (round: Round, index: number) => round[index]!.cpuMs / (2 * LETTERS);
  const row = (nodemailer: number, ours: number, ratio: number) => [
    `${nodemailer.toFixed(2)} ms`,
    `${ours.toFixed(2)} ms`,
    ratio.toFixed(2),
  ];
  printRow("round", [...contenders.map(({ name }) => name), "ratio"]);
  const results = await pairedRounds(contenders, rounds, (round, number) =>
    printRow(String(number), row(cpu(round, 0), cpu(round, 1), cpu(round, 0) / cpu(round, 1))),
  );
  const ours = medianOf(results, (round) => cpu(round, 1));
  printRow(
    "median",
    row(
      medianOf(results, (round) => cpu(round, 0)),
      ours,
      medianOf(results, (round) => cpu(round, 0) / cpu(round, 1)),
    ),
  );
  printTarget("CPU a letter", { of: "at most", value: TARGET_MS }, ours, " ms");
}
