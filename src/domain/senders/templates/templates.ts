import {
  deleteTemplate,
  getTemplate,
  insertTemplate,
  listTemplates,
  type TemplateRow,
  updateTemplate,
} from "#db/senders/templates.ts";
import type { Channel, TemplateFormat } from "#db/schema/index.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { inWorkspace, newOwned, removes, requires, retryWhileChanged } from "#src/domain/owned.ts";
import { unprocessable } from "#src/errors.ts";
import { bodyFormat } from "#src/mime/body-format.ts";
import { isSpintaxOpen } from "./spintax.ts";
import { templateVariables } from "./template.ts";
import { TemplateError } from "./template-error.ts";

export type Template = TemplateRow;

export interface TemplateInput {
  name: string;
  channel: Channel;
  /** Null or blank: a follow-up in the thread of the mail before it. */
  subject: string | null;
  body: string;
  /** Null: html if the body holds a tag. */
  format: TemplateFormat | null;
  tags: string[];
}

export type TemplateChange = Partial<TemplateInput> & { archived?: boolean };

export const readTemplates = inWorkspace(listTemplates);
export const requireTemplate = requires("Template", getTemplate);

/** Throws a 422 that names the line where the Liquid cannot be read. */
export async function createTemplate(
  deps: Deps,
  principal: Principal,
  input: TemplateInput,
): Promise<Template> {
  const content = { ...contentOf(input), archivedAt: null };
  return insertTemplate(deps.db, newOwned(deps, principal), content);
}

/** The version grows when what a reader would see changes: subject, body or format. */
export async function changeTemplate(
  deps: Deps,
  principal: Principal,
  id: string,
  { archived, ...change }: TemplateChange,
): Promise<Template> {
  const attempt = async () => {
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
    return updateTemplate(deps.db, row, { ...content, archivedAt }, version, now);
  };
  const message = "The template is being changed by others; read it and try again.";
  return retryWhileChanged(attempt, "CONFLICT", message);
}

export const removeTemplate = removes(
  "Template",
  "Campaigns under way use this template; end or delete them first.",
  deleteTemplate,
);

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
  if (isSpintaxOpen(source))
    throw unprocessable("VALIDATION_ERROR", `${field}: an alternative {a|b is never closed`, {
      detail: { field, line: null, column: null },
    });
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
