import { cleanText } from "../clean-text.ts";
import type { DraftRequest, Facts } from "../draft.ts";
import { addressesIn, hostOf } from "./addresses.ts";

const TAG = /\{\{[^{}]*\}\}|\{%[^{}]*%\}/g;
const QUOTED = /"[^"]*"|'[^']*'/g;
const OF_COLUMN = /\{\{-?\s*custom\.([\w.-]+)/g;
const OF_SENDER = /\{\{-?\s*sender\.(\w+)\s*-?\}\}/g;
/** As long as a link is compared. */
const LONGEST = 2_100;

/** What a template says by itself, whichever lead it is filled for: all branches, spellings and defaults, and of variables the sender's alone. */
export function wordsOfTemplate({ template, templateSource, sender }: DraftRequest): string {
  if (template === null) return "";
  if (templateSource === undefined)
    return [template.subject, template.body].map(cleanText).join("\n");
  const unfilled = ofSender(templateSource, sender).replace(TAG, (tag) =>
    ["", ...(tag.match(QUOTED) ?? []), ""].join(" "),
  );
  return cleanText(unfilled.replace(/[{}|]/g, " "));
}

/** Links that are the whole of a customer's own column which the template names: a page made for each lead. */
export function linksOfColumns({ templateSource = "", lead }: DraftRequest): string[] {
  return [...templateSource.matchAll(OF_COLUMN)]
    .map(([, name]) => lead[name!]?.trim() ?? "")
    .filter((value) => /^https?:\/\/\S+$/i.test(value))
    .flatMap((value) => addressesIn(value).links);
}

/** The links of the filled template that the customer began, host and slash, and a variable goes on with: a page for each lead. */
export function linksBegun({ template, templateSource, sender }: DraftRequest): string[] {
  if (template === null || templateSource === undefined) return [];
  const begun = cleanText(ofSender(templateSource, sender))
    .split("{{")
    .slice(0, -1)
    .map((before) =>
      before
        .slice(-LONGEST)
        .split(/[\s<>"'()|{}]/)
        .at(-1)!,
    )
    .filter((start) => /^(?:https?:\/\/)?[^/?#]+[/?#]/i.test(start))
    .flatMap((start) => addressesIn(start).links);
  if (begun.length === 0) return [];
  return [template.subject, template.body]
    .flatMap((text) => addressesIn(cleanText(text)).links)
    .filter((link) =>
      begun.some((start) => hostOf(link) === hostOf(start) && link.startsWith(start)),
    );
}

const ofSender = (source: string, sender: Facts): string =>
  source.replace(OF_SENDER, (_, field: string) => sender[field] ?? "");
