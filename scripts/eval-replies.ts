/**
 * `npm run eval:replies`: how well replies that ask for no more mail are told from others, by language, on
 * the files of `scripts/eval-replies` (or `--corpus FOLDER`); ends with 1 below the targets. With a FOLDER
 * alone: what would be shown of each reply body in it (`*.txt`), for a person to judge.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { asksToStop } from "#src/domain/replies/inbound/opt-out.ts";
import { visibleText } from "#src/domain/replies/inbound/reply-text.ts";
import { readCorpus, type Score, scoreOf, total } from "./eval-replies/score.ts";

const SPLITS = ["tune", "held-out", "another-hand/opt-out/tune"];
const TARGETS = { precision: 98, recall: 85 };

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { corpus: { type: "string", default: join(import.meta.dirname, "eval-replies") } },
});
const [folder] = positionals;
if (folder === undefined) measure();
else show(folder);

function show(path: string): void {
  for (const file of readdirSync(path).filter((each) => each.endsWith(".txt"))) {
    const text = readFileSync(join(path, file), "utf8");
    const visible = visibleText(text);
    const note = { stop: ", asks to stop", perhaps: ", perhaps asks to stop", no: "" }[
      asksToStop(visible, text)
    ];
    console.log(`\n=== ${file}: ${visible.length} of ${text.length} characters${note}\n${visible}`);
  }
}

function measure(): void {
  const row = (name: string, score: Score) =>
    console.log(
      `${name.padEnd(20)} ${percent(score.precision).padStart(9)} ${percent(score.recall).padStart(7)}   ${`${score.heard} of ${score.asking}`.padStart(10)} ${String(score.wrong).padStart(6)} ${`${score.flagged} of ${score.others}`.padStart(10)}`,
    );
  for (const split of SPLITS.filter((each) => existsSync(join(values.corpus, each)))) {
    console.log(`\n${split.padEnd(20)} precision  recall        heard  wrong    flagged`);
    const scores = readCorpus(join(values.corpus, split)).map(({ language, replies }) => {
      const score = scoreOf(replies);
      row(language, score);
      return score;
    });
    const all = total(scores);
    row("all", all);
    if (split.endsWith("tune")) for (const miss of all.misses) console.log(`  ${miss}`);
    else process.exitCode = isGood(all) ? 0 : 1;
  }
  console.log(
    `\nTargets, of all held out: precision ${TARGETS.precision} %, recall ${TARGETS.recall} %. "Flagged": replies that ask for less or for nothing, shown to a person.`,
  );
}

function isGood({ precision, recall }: Score): boolean {
  return precision * 100 >= TARGETS.precision && recall * 100 >= TARGETS.recall;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
