import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readIntent } from "#src/domain/replies/inbound/intent.ts";
import { asksToStop } from "#src/domain/replies/inbound/opt-out.ts";
import { visibleText } from "#src/domain/replies/inbound/reply-text.ts";

interface Line {
  id: string;
  lang: string;
  text: string;
  optout?: boolean;
  intent?: string;
}

const percent = (part: number, of: number): string =>
  `${((part / of) * 100).toFixed(1)} % (${part} of ${of})`;

function linesOf(folder: string, file: string): Line[] {
  const path = join(folder, file);
  if (!existsSync(path)) return [];
  return readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => JSON.parse(line) as Line);
}

/** Somebody else's texts, as `optouts.jsonl` ({id, lang, text, optout}) and `intents.jsonl` ({id, lang, text, intent}). */
export function measureLines(folder: string, withMisses: boolean): string[] {
  const said = [...optOuts(linesOf(folder, "optouts.jsonl"), withMisses)];
  said.push(...intents(linesOf(folder, "intents.jsonl"), withMisses));
  return said.length > 0 ? said : [`${folder} has neither optouts.jsonl nor intents.jsonl.`];
}

function optOuts(lines: readonly Line[], withMisses: boolean): string[] {
  if (lines.length === 0) return [];
  const read = lines.map((line) => ({
    ...line,
    wish: asksToStop(visibleText(line.text), line.text),
  }));
  const languages = [...new Set(lines.map(({ lang }) => lang))].toSorted();
  const row = (name: string, of: typeof read): string => {
    const asking = of.filter(({ optout }) => optout === true);
    const heard = of.filter(({ wish }) => wish === "stop");
    const right = heard.filter(({ optout }) => optout === true).length;
    const doubted = asking.filter(({ wish }) => wish === "perhaps").length;
    const flagged = of.filter(({ optout, wish }) => optout !== true && wish === "perhaps").length;
    return `opt-outs, ${name}: recall ${percent(right, asking.length)}, precision ${percent(right, heard.length)}; ${doubted} doubted, ${flagged} others flagged`;
  };
  const misses = read.filter(({ optout, wish }) => (optout === true) !== (wish === "stop"));
  return [
    row("all", read),
    ...languages.map((each) =>
      row(
        each,
        read.filter(({ lang }) => lang === each),
      ),
    ),
    ...(withMisses ? misses : []).map(
      ({ id, optout, wish, text }) =>
        `  ${id}: ${optout === true ? "asks" : "does not ask"}, read as ${wish}: ${JSON.stringify(text)}`,
    ),
  ];
}

function intents(lines: readonly Line[], withMisses: boolean): string[] {
  if (lines.length === 0) return [];
  const read = lines.map((line) => {
    const visible = visibleText(line.text);
    return { ...line, read: readIntent(visible, asksToStop(visible, line.text)) };
  });
  const right = read.filter((each) => each.read === each.intent).length;
  const interested = read.filter(({ intent }) => intent === "interested");
  const lost = interested.filter((each) => each.read === "not_interested").length;
  const misses = read.filter((each) => each.read !== each.intent);
  return [
    `intents: accuracy ${percent(right, read.length)}; interested read as not_interested: ${lost} of ${interested.length}`,
    ...(withMisses ? misses : []).map(
      ({ id, intent, read: as, text }) =>
        `  ${id}: ${intent} read as ${as}: ${JSON.stringify(text)}`,
    ),
  ];
}
