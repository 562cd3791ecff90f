/**
 * `npm run eval:bounces -- FOLDER [REPLIES]`: how well bounces are read in a folder of `.eml` files with an
 * `expected.json` of `{file: [{status, reply_code, reason, hard}, ...]}`, and whether ordinary mail is
 * taken for one (REPLIES: a folder of `.txt` bodies; default `../replies` beside FOLDER). Ends with 1
 * below the targets.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Bounce } from "#src/domain/replies/inbound/bounce-kinds.ts";
import { classifyInbound, type Inbound } from "#src/domain/replies/inbound/classify.ts";
import { parseInbound } from "#src/domain/replies/inbound/parse.ts";
import { asMail, ordinaryMails } from "./eval-ordinary-mails.ts";

interface Expected {
  status: string;
  reply_code: string;
  reason: string;
  hard: boolean;
}

const TARGETS = { detection: 97, agreement: 95, falsePositives: 0 };

const { positionals } = parseArgs({ allowPositionals: true });
const [folder, repliesFolder = join(folder ?? "", "..", "replies")] = positionals;
if (folder === undefined || !existsSync(join(folder, "expected.json"))) {
  console.error(
    "usage: npm run eval:bounces -- FOLDER [REPLIES]   (FOLDER has *.eml and expected.json)",
  );
  process.exit(2);
}

const read = async (raw: Uint8Array): Promise<Inbound> => classifyInbound(await parseInbound(raw));
const isReport = (inbound: Inbound): inbound is Bounce =>
  inbound.class === "bounce" || inbound.class === "delayed";

const expected = JSON.parse(readFileSync(join(folder, "expected.json"), "utf8")) as Record<
  string,
  Expected[]
>;
const counts = {
  bounces: 0,
  detected: 0,
  agreed: 0,
  recipients: 0,
  recipientsAgreed: 0,
  others: 0,
  othersRight: 0,
};
const misses: string[] = [];
const disagreements: string[] = [];

for (const [file, wanted] of Object.entries(expected)) {
  if (!existsSync(join(folder, file))) continue;
  const inbound = await read(readFileSync(join(folder, file)));
  const reason = wanted[0]?.reason ?? "";
  if (reason === "feedback" || reason === "vacation") {
    counts.others++;
    const right =
      reason === "feedback"
        ? inbound.class === "complaint" || (inbound.class === "reply" && inbound.optOut === "stop")
        : /^(auto_reply|out_of_office|left_company)$/.test(inbound.class);
    if (right) counts.othersRight++;
    else misses.push(`${file}: ${reason}, read as ${inbound.class}`);
    continue;
  }
  counts.bounces++;
  if (!isReport(inbound)) {
    misses.push(`${file}: ${reason}, read as ${inbound.class}`);
    continue;
  }
  counts.detected++;
  const hard = inbound.recipients.some(({ kind }) => kind === "hard");
  const wantedHard = wanted.some((each) => each.hard);
  if (hard === wantedHard) counts.agreed++;
  else
    disagreements.push(
      `${file}: expected ${wanted.map((each) => `${each.reason}${each.hard ? " (hard)" : ""}`).join(", ")}; read ${inbound.class} ${inbound.recipients.map((each) => `${each.kind} ${each.category} [${each.rule}]`).join(", ")}`,
    );
  if (inbound.recipients.length === wanted.length)
    for (const [index, each] of wanted.entries()) {
      counts.recipients++;
      if ((inbound.recipients[index]!.kind === "hard") === each.hard) counts.recipientsAgreed++;
    }
}

const replies = existsSync(repliesFolder)
  ? readdirSync(repliesFolder)
      .filter((file) => file.endsWith(".txt"))
      .map((file) => ({
        name: file,
        raw: asMail({
          subject: "Re: Question",
          body: readFileSync(join(repliesFolder, file), "utf8"),
        }),
      }))
  : [];
const ordinary = [...replies, ...ordinaryMails()];
const falsePositives: string[] = [];
for (const { name, raw } of ordinary) {
  const inbound = await read(raw);
  if (isReport(inbound) || inbound.class === "complaint")
    falsePositives.push(`${name}: ${inbound.class}`);
}

const percent = (part: number, whole: number) => (whole === 0 ? 100 : (100 * part) / whole);
const show = (part: number, whole: number) =>
  `${percent(part, whole).toFixed(1)} % (${part} of ${whole})`;
console.log(
  `detected as bounces         ${show(counts.detected, counts.bounces)}, target ${TARGETS.detection} %`,
);
console.log(
  `hard or not, of those       ${show(counts.agreed, counts.detected)}, target ${TARGETS.agreement} %`,
);
console.log(`hard or not, by recipient   ${show(counts.recipientsAgreed, counts.recipients)}`);
console.log(`complaints and auto-replies ${show(counts.othersRight, counts.others)}`);
console.log(
  `false positives             ${falsePositives.length} of ${ordinary.length} ordinary mails (${replies.length} from a folder), target 0`,
);
for (const [title, lines] of [
  ["Missed", misses],
  ["Hard or not: different", disagreements],
  ["False positives", falsePositives],
] as const)
  if (lines.length > 0) console.log(`\n${title}:\n  ${lines.join("\n  ")}`);

const good =
  percent(counts.detected, counts.bounces) >= TARGETS.detection &&
  percent(counts.agreed, counts.detected) >= TARGETS.agreement &&
  falsePositives.length <= TARGETS.falsePositives;
process.exit(good ? 0 : 1);
