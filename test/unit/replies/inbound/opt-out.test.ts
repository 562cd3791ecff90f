import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readCorpus, scoreOf, total } from "../../../../scripts/eval-replies/score.ts";
import { visibleText } from "#src/domain/replies/inbound/reply-text.ts";
import { asksToStop } from "#src/domain/replies/inbound/opt-out.ts";

const CORPUS = join(import.meta.dirname, "../../../../scripts/eval-replies");
const tune = readCorpus(join(CORPUS, "tune"));
const heldOut = readCorpus(join(CORPUS, "held-out"));
const anothers = readCorpus(join(CORPUS, "another-hand/opt-out/tune"));
const wishOf = (text: string) => asksToStop(visibleText(text), text);

describe.each(tune)("in $language", ({ replies }) => {
  const texts = (label: string) =>
    replies.filter((reply) => reply.label === label).map(({ text }) => text);
  test.each(texts("+"))("asks to stop: %s", (text) => {
    expect(wishOf(text)).toBe("stop");
  });
  test.each(texts("-"))("does not ask to stop: %s", (text) => {
    expect(wishOf(text)).not.toBe("stop");
  });
  test.each(texts("?"))("is for a person to judge: %s", (text) => {
    expect(wishOf(text)).toBe("perhaps");
  });
});

test.each(anothers)(
  "replies of another hand in $language are read as it meant them",
  ({ replies }) => {
    expect(scoreOf(replies)).toMatchObject({ recall: 1, wrong: 0, misses: [] });
  },
);

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

test("of replies that no rule was fitted to, 98 % of those heard ask, and 85 % of those that ask are heard", () => {
  const { precision, recall } = total(heldOut.map(({ replies }) => scoreOf(replies)));
  expect(precision).toBeGreaterThanOrEqual(0.98);
  expect(recall).toBeGreaterThanOrEqual(0.85);
});

test("of replies that were never read by who wrote the rules, 97 % of those heard ask, and 85 % of those that ask are heard", () => {
  const unread = readCorpus(join(CORPUS, "third-hand/opt-out/held-out"));
  const { precision, recall } = total(unread.map(({ replies }) => scoreOf(replies)));
  expect(precision).toBeGreaterThanOrEqual(0.97);
  expect(recall).toBeGreaterThanOrEqual(0.85);
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
  ["I do like what you send, so I would rather that you did not\nunsubscribe me", "perhaps"],
  ["stop\n\njill from the third floor of the old building by the river", "perhaps"],
  ["Stop", "stop"],
  ["Basta così, grazie.", "no"],
  ["Rezygnuję.", "perhaps"],
  ["Отказ.", "no"],
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
  "the command says the figures of both halves, and fails below its targets",
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
        join(folder, "one.txt"),
        "Please remove me.\n\nOn 3 May 2026, Sam wrote:\n> Hi\n",
      );
      expect(run(folder).stdout).toContain("one.txt: 17 of 50 characters, asks to stop");
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);
