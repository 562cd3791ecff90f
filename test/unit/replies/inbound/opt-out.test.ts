import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readCorpus, scoreOf, total } from "../../../../scripts/eval-replies/score.ts";
import { visibleText } from "#src/domain/replies/inbound/reply-text.ts";
import { asksToStop } from "#src/domain/replies/inbound/opt-out.ts";

const CORPUS = join(import.meta.dirname, "../../../../scripts/eval-replies");
const tune = readCorpus(join(CORPUS, "tune"));
const heldOut = readCorpus(join(CORPUS, "held-out"));
const anothers = readCorpus(join(CORPUS, "another-hand/opt-out/tune"));
const wishOf = (text: string) => asksToStop(visibleText(text), text);

test.each([...tune, ...anothers])(
  "replies in $language from which the reader is trained: nine of ten that ask are heard, and none that does not",
  ({ replies }) => {
    const { recall, wrong } = scoreOf(replies);
    expect(wrong).toBe(0);
    expect(recall).toBeGreaterThanOrEqual(replies.length < 20 ? 0.75 : 0.9);
  },
);

test("of replies that say too little or ask for less four of five are for a person to judge, and of the plain ones few", () => {
  const all = tune.flatMap(({ replies }) => replies);
  const share = (label: string) => {
    const of = all.filter((reply) => reply.label === label);
    return of.filter(({ text }) => wishOf(text) === "perhaps").length / of.length;
  };
  expect(share("?")).toBeGreaterThanOrEqual(0.8);
  expect(share("-")).toBeLessThanOrEqual(0.2);
});

test.each([
  ["Yes please.", "If you'd rather not hear from me, tell me and I will stop.", "stop"],
  ["Yes please.", "May I send the price list?", "no"],
  ["Yes please.", "May I call? If you'd rather not, tell me and I will stop.", "perhaps"],
  ["Ja, doe dat maar.", "Liever geen mail van mij? Zeg het en ik stop ermee.", "stop"],
  ["Yes please, send the list.", "If you'd rather not, tell me and I will stop.", "no"],
  ["Ja, bitte.", "Sagen Sie es mir, dann höre ich auf.", "stop"],
] as const)("%j to the question %j: %s", (own, ours, wish) => {
  expect(wishOf(`${own}\n\nOn 3 May 2026, Sam wrote:\n> ${ours}\n`)).toBe(wish);
});

test("of the replies of the other half too 98 % of those heard ask, and 85 % of those that ask are heard", () => {
  const { precision, recall } = total(heldOut.map(({ replies }) => scoreOf(replies)));
  expect(precision).toBeGreaterThanOrEqual(0.98);
  expect(recall).toBeGreaterThanOrEqual(0.85);
});

test("of the replies of the third author 98 % of those heard ask, and 95 % of those that ask are heard", () => {
  const unread = readCorpus(join(CORPUS, "third-hand/opt-out/held-out"));
  const { precision, recall } = total(unread.map(({ replies }) => scoreOf(replies)));
  expect(precision).toBeGreaterThanOrEqual(0.98);
  expect(recall).toBeGreaterThanOrEqual(0.95);
});

test("each measured language has 25 replies that ask and 25 that do not, and none stands in both halves", () => {
  for (const { language, replies: held } of heldOut) {
    const all = [...tune.find((each) => each.language === language)!.replies, ...held];
    for (const label of ["+", "-"])
      expect(all.filter((reply) => reply.label === label).length).toBeGreaterThanOrEqual(25);
    expect(new Set(all.map(({ text }) => text)).size).toBe(all.length);
  }
});

test.each([
  ["", "no"],
  ["Not interested, thanks.", "no"],
  ["Please remove me, we already have a contract with somebody else.", "stop"],
  ["Please remove me from the contract we have with somebody else.", "no"],
  ["We already have a contract with somebody else, please remove me.", "stop"],
  ["Derzeit kein Bedarf, bitte nicht mehr anschreiben.", "stop"],
  ["Bitte nicht mehr anschreiben, derzeit kein Bedarf.", "perhaps"],
  ["Don't email me again. Call me instead.", "perhaps"],
  ["Please\nunsubscribe\nme", "stop"],
  ["please remove my address from your\nmailing list, it is not mine", "stop"],
  ["hi\nplease remove me\njill", "stop"],
  ["stop\n\njill from the third floor of the old building by the river", "perhaps"],
  ["Stop", "stop"],
  ["Rezygnuję.", "perhaps"],
  ["Stop. We have to look at the clauses of your contract once more.", "perhaps"],
  ['Your mail says "unsubscribe me" and I wonder why.', "no"],
  ["PLEASE REMOVE ME FROM YOUR LIST", "stop"],
  ["No me escribas mas", "stop"],
  ["prosze o usuniecie moich danych", "stop"],
  [`${"We should talk about this some day. ".repeat(60)}Unsubscribe me.`, "no"],
] as const)("%j: %s", (text, wish) => {
  expect(asksToStop(text)).toBe(wish);
});

test(
  "the command says the figures of both halves, fails below its floors, and judges somebody else's texts",
  { timeout: 60_000 },
  () => {
    const folder = mkdtempSync(join(tmpdir(), "replies-"));
    const run = (...more: string[]) =>
      spawnSync(process.execPath, [join(CORPUS, "../eval-replies.ts"), ...more], {
        encoding: "utf8",
      });
    try {
      const whole = run();
      expect(whole.stdout).toMatch(/^tune [\s\S]*\nspanish +100\.0 %[\s\S]*\nheld-out /m);
      expect(whole.status).toBe(0);
      for (const half of ["tune", "held-out"]) {
        mkdirSync(join(folder, half));
        writeFileSync(join(folder, half, "english.txt"), "+ Never mind.\n- Unsubscribe\n");
      }
      const worse = run("--corpus", folder);
      expect(worse.stdout).toContain('- read as stop: "Unsubscribe"');
      expect(worse.status).toBe(1);
      writeFileSync(
        join(folder, "optouts.jsonl"),
        `${JSON.stringify({ id: "a", lang: "en", text: "Take me off.", optout: true })}\n${JSON.stringify({ id: "b", lang: "en", text: "No thanks.", optout: true })}\n`,
      );
      writeFileSync(
        join(folder, "intents.jsonl"),
        JSON.stringify({ id: "c", lang: "en", text: "Yes please!", intent: "interested" }),
      );
      const lines = run("--file", folder, "--misses").stdout;
      expect(lines).toContain("all: recall 50.0 % (1 of 2), precision 100.0 % (1 of 1)");
      expect(lines).toContain('b: asks, read as no: "No thanks."');
      expect(lines).toContain(
        "accuracy 100.0 % (1 of 1); interested read as not_interested: 0 of 1",
      );
      expect(run("--why", "Take me off.").stdout).toMatch(/^wish to hear no more: stop\n +\d/);
      writeFileSync(
        join(folder, "one.txt"),
        "Please remove me.\n\nOn 3 May 2026, Sam wrote:\n> Hi\n",
      );
      expect(run(folder).stdout).toContain("one.txt: 17 of 50 characters, asks to stop");
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);

test.each([
  "I do like what you send, so I would rather that you did not\nunsubscribe me",
  "Basta così, grazie.",
  "Отказ.",
])("%j may be doubted, and is taken for no wish", (text) => {
  expect(asksToStop(text)).not.toBe("stop");
});
