import type { LeadContent } from "#db/people/leads.ts";
import type { Json } from "#db/schema/columns.ts";
import { LEAD_TEXTS, type LeadText } from "#db/schema/index.ts";
import { emailKey } from "#src/mime/email-key.ts";
import { LEAD_COLUMNS, TAGS, TEXT_FIELDS, type TextField } from "./lead-columns.ts";
import { customFault, isStorable } from "./custom-fields.ts";
import { readProfileUrl } from "./profile-url.ts";

/** A lead as given by a caller or file: blank and absent are the same. */
export interface RawLead {
  fields: Partial<Record<TextField, string | null | undefined>>;
  tags: readonly string[];
  custom: Record<string, Json>;
}

export type LeadFault = { code: LeadFaultCode; message: string };
export type LeadFaultCode =
  | "MISSING_IDENTITY"
  | "INVALID_EMAIL"
  | "INVALID_URL"
  | "INVALID_COUNTRY"
  | "INVALID_TIMEZONE"
  | "INVALID_TEXT"
  | "INVALID_CUSTOM"
  | "NUL_CHARACTER"
  | "TOO_LONG";

export type ReadLead = { ok: true; lead: LeadContent } | ({ ok: false } & LeadFault);

const TEXT_READERS = LEAD_TEXTS.map((text) => ({ ...text, reads: LEAD_COLUMNS[text.name].reads }));
/** Checks and normalises one lead. The first fault found is the one named. */
export function readLead(raw: RawLead): ReadLead {
  const given = trimmed(raw.fields);
  const fault = textFault(given) ?? tagsFault(raw.tags) ?? customFieldFault(raw.custom);
  if (fault !== null) return { ok: false, ...fault };

  const key = given.email === null ? null : (emailKey(given.email) ?? emailKey(held(given.email)));
  if (given.email !== null && key === null)
    return refuse("INVALID_EMAIL", `"${shown(given.email)}" is not an email address.`);
  const profile = given.profile_url === null ? null : readProfileUrl(given.profile_url);
  if (given.profile_url !== null && profile === null)
    return refuse("INVALID_URL", `profile_url "${shown(given.profile_url)}" is not a web address.`);
  const identityKey = key ?? profile?.key;
  if (identityKey === undefined)
    return refuse("MISSING_IDENTITY", "A lead needs an email or a profile_url.");
  const texts = {} as Record<LeadText, string | null>;
  for (const { key: field, name, reads } of TEXT_READERS) {
    const text = given[name];
    texts[field] = text === null || reads === undefined ? text : reads.as(text);
    if (text !== null && texts[field] === null && reads !== undefined)
      return refuse(reads.code, `${name} "${shown(text)}" ${reads.otherwise}.`);
  }

  return {
    ok: true,
    lead: {
      email: key,
      emailKey: key,
      identityKey,
      ...texts,
      profileUrl: profile?.url ?? null,
      tags: [...new Set(raw.tags.map((tag) => tag.trim()).filter((tag) => tag !== ""))],
      custom: raw.custom,
    },
  };
}

/** The address that a cell holds beside what programs and people put around one: a link's scheme, a name, the end of a sentence. */
function held(text: string): string {
  const inner = /<([^<>]*)>[\s.,;]*$/.exec(text)?.[1] ?? text;
  return inner
    .trim()
    .replace(/^mailto:([^?]*).*$/is, "$1")
    .replace(/[\s.,;]+$/, "");
}

function trimmed(fields: RawLead["fields"]): Record<TextField, string | null> {
  const out = {} as Record<TextField, string | null>;
  for (const field of TEXT_FIELDS) {
    const text = fields[field]?.trim();
    out[field] = text === undefined || text === "" ? null : text;
  }
  return out;
}

function textFault(fields: Record<TextField, string | null>): LeadFault | null {
  for (const field of TEXT_FIELDS) {
    const text = fields[field];
    if (text === null) continue;
    if (text.length > LEAD_COLUMNS[field].max)
      return fault("TOO_LONG", `${field} is longer than ${LEAD_COLUMNS[field].max} characters.`);
    if (!isStorable(text)) return notText(field, text);
  }
  return null;
}

function tagsFault(tags: readonly string[]): LeadFault | null {
  if (tags.length > TAGS.count) return fault("TOO_LONG", `tags has more than ${TAGS.count} items.`);
  if (tags.some((tag) => tag.length > TAGS.length))
    return fault("TOO_LONG", `A tag is longer than ${TAGS.length} characters.`);
  const unstorable = tags.find((tag) => !isStorable(tag));
  return unstorable === undefined ? null : notText("A tag", unstorable);
}

const NUL = "\u0000";

/** Exports of other programs hold a NUL character here and there, which no database keeps. */
const notText = (subject: string, text: string): LeadFault =>
  text.includes(NUL)
    ? fault("NUL_CHARACTER", `${subject} holds a NUL character (U+0000); remove it.`)
    : fault("INVALID_TEXT", `${subject} holds characters that are not text.`);

function customFieldFault(custom: Record<string, Json>): LeadFault | null {
  const column = Object.entries(custom).find(
    ([, cell]) => typeof cell === "string" && cell.includes(NUL),
  );
  if (column !== undefined) return notText(`custom.${column[0]}`, NUL);
  const found = customFault(custom);
  return found === null ? null : fault("INVALID_CUSTOM", `custom ${found}.`);
}

const fault = (code: LeadFaultCode, message: string): LeadFault => ({ code, message });

const refuse = (code: LeadFaultCode, message: string): ReadLead => ({ ok: false, code, message });

const shown = (text: string): string => (text.length > 80 ? `${text.slice(0, 80)}...` : text);
