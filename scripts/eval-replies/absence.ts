import { readFileSync } from "node:fs";
import { classifyInbound, type Inbound } from "#src/domain/replies/inbound/classify.ts";
import { parseInbound } from "#src/domain/replies/inbound/parse.ts";

/** A mail of a person who is away, has left, or is there after all. */
export interface LabelledAbsence {
  id: string;
  language: string;
  received: string;
  subject: string;
  text: string;
  headers?: Record<string, string>;
  kind: "out_of_office" | "auto_reply" | "left_company" | "reply";
  /** The first day back; null where none is told. */
  back: string | null;
  /** As good, where the text may mean either. */
  back_alt?: string;
}

export interface AbsenceScore {
  all: number;
  /** Of the right kind. */
  known: number;
  dated: number;
  /** Of those that tell a day, whose day was read. */
  day: number;
  /** A day read where none, or another, was told. */
  wrongDay: number;
  misses: string[];
}

export const readAbsences = (path: string): LabelledAbsence[] =>
  JSON.parse(readFileSync(path, "utf8")) as LabelledAbsence[];

export async function scoreOfAbsences(mails: readonly LabelledAbsence[]): Promise<AbsenceScore> {
  const score: AbsenceScore = { all: 0, known: 0, dated: 0, day: 0, wrongDay: 0, misses: [] };
  for (const each of mails) {
    const inbound = classifyInbound(await parseInbound(rawOf(each)));
    const kind = kindOf(inbound);
    const back = dayOf(inbound);
    const isRightDay = back === each.back || (back !== null && back === each.back_alt);
    score.all++;
    if (kind === each.kind) score.known++;
    if (each.back !== null) score.dated++;
    if (each.back !== null && isRightDay) score.day++;
    if (back !== null && !isRightDay) score.wrongDay++;
    if (kind !== each.kind || !isRightDay)
      score.misses.push(
        `${each.id}: ${each.kind} ${each.back ?? ""} read as ${inbound.class} ${back ?? ""}: ${JSON.stringify(`${each.subject} | ${each.text}`)}`,
      );
  }
  return score;
}

/** A machine's note that a mail came in is one, whether it answers or was caused otherwise. */
const kindOf = ({ class: name }: Inbound): string => (name === "automated" ? "auto_reply" : name);

const dayOf = (inbound: Inbound): string | null =>
  inbound.class === "out_of_office"
    ? (inbound.returnsOn?.toISOString().slice(0, 10) ?? null)
    : null;

const rawOf = ({ received, subject, text, headers = {} }: LabelledAbsence): Uint8Array =>
  new TextEncoder().encode(
    [
      "Return-Path: <ann@lead.zz>",
      "From: Ann Lead <ann@lead.zz>",
      "To: Sam Sender <sam@sender.zz>",
      `Subject: ${subject}`,
      `Date: ${new Date(received).toUTCString().replace("GMT", "+0000")}`,
      "MIME-Version: 1.0",
      "Content-Type: text/plain; charset=utf-8",
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      "",
      text,
    ].join("\r\n"),
  );
