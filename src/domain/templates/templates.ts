import { campaignsUsing, usesTemplate } from "#db/campaigns/uses.ts";
import {
  deleteTemplate,
  getTemplate,
  insertTemplate,
  listTemplates,
  type TemplateRow,
  updateTemplate,
} from "#db/templates.ts";
import type { Channel, TemplateFormat } from "#db/schema/index.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { conflict, notFound, unprocessable } from "#src/errors.ts";
import { bodyFormat } from "#src/mime/body-format.ts";
import { TemplateError, templateVariables } from "./template.ts";

export type Template = TemplateRow;

export interface TemplateInput {
  name: string;
  channel: Channel;
  /** Null or blank: a follow-up that goes on in the thread of the mail before it. */
  subject: string | null;
  body: string;
  /** Null: html if the body holds a tag. */
  format: TemplateFormat | null;
  tags: string[];
}

export type TemplateChange = Partial<TemplateInput> & { archived?: boolean };

const MAX_TRIES = 3;

export function readTemplates(
  deps: Deps,
  { workspaceId }: Principal,
  archived: boolean | undefined,
): Promise<Template[]> {
  return listTemplates(deps.db, workspaceId, archived);
}

export async function requireTemplate(
  deps: Deps,
  { workspaceId }: Principal,
  id: string,
): Promise<Template> {
  const found = await getTemplate(deps.db, workspaceId, id);
  if (found === undefined) throw notFound("Template");
  return found;
}

/** Throws a 422 that names the line where the Liquid cannot be read. */
export async function createTemplate(
  deps: Deps,
  { workspaceId, userId }: Principal,
  input: TemplateInput,
): Promise<Template> {
  const owner = { id: deps.ids.uuid(), workspaceId, userId, now: deps.clock.now() };
  return insertTemplate(deps.db, owner, { ...contentOf(input), archivedAt: null });
}

/** The version grows when what a reader would see changes: subject, body or format. */
export async function changeTemplate(
  deps: Deps,
  principal: Principal,
  id: string,
  { archived, ...change }: TemplateChange,
): Promise<Template> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const row = await requireTemplate(deps, principal, id);
    const content = contentOf({ ...row, ...change });
    const now = deps.clock.now();
    const isSame =
      content.subject === row.subject &&
      content.body === row.body &&
      content.format === row.format &&
      content.channel === row.channel;
    const archivedAt =
      archived === undefined ? row.archivedAt : archived ? (row.archivedAt ?? now) : null;
    const version = isSame ? row.version : row.version + 1;
    const updated = await updateTemplate(deps.db, row, { ...content, archivedAt }, version, now);
    if (updated !== undefined) return updated;
  }
  throw conflict("CONFLICT", "The template is being changed by others; read it and try again.");
}

export async function removeTemplate(
  deps: Deps,
  { workspaceId }: Principal,
  id: string,
): Promise<void> {
  if (await deleteTemplate(deps.db, workspaceId, id)) return;
  const users = await campaignsUsing(deps.db, workspaceId, usesTemplate(id));
  if (users.length === 0) throw notFound("Template");
  throw conflict("IN_USE", "Campaigns under way use this template; end or delete them first.", {
    detail: { campaign_ids: users },
  });
}

function contentOf({ name, channel, subject, body, format, tags }: TemplateInput) {
  const shownSubject = subject === null || subject.trim() === "" ? null : subject;
  if (channel === "socialnet" && (shownSubject !== null || format === "html"))
    throw unprocessable(
      "VALIDATION_ERROR",
      "A message on the network is plain text without a subject.",
    );
  return {
    name,
    channel,
    subject: shownSubject,
    body,
    format: format ?? (channel === "email" ? bodyFormat(body) : "text"),
    variables: [
      ...new Set([...variablesOf("subject", shownSubject ?? ""), ...variablesOf("body", body)]),
    ].sort(),
    tags: [...new Set(tags)],
  };
}

function variablesOf(field: "subject" | "body", source: string): string[] {
  try {
    return templateVariables(source);
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    const where = error.line === undefined ? "" : `, line ${error.line}`;
    throw unprocessable("VALIDATION_ERROR", `${field}${where}: ${error.message}`, {
      detail: { field, line: error.line ?? null, column: error.column ?? null },
    });
  }
}
