import { loadTemplateValues } from "#db/messages/template-preview.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { variablesOf } from "#src/domain/campaigns/choose-text.ts";
import { requireFound } from "#src/domain/owned.ts";
import { templateVariables } from "#src/domain/senders/templates/template.ts";
import { TemplateError } from "#src/domain/senders/templates/template-error.ts";
import { unprocessable } from "#src/errors.ts";
import { bodyFormat } from "#src/mime/body-format.ts";
import { htmlToText } from "#src/mime/html-to-text.ts";
import { MailInputError } from "#src/mime/input-error.ts";
import { type MessageSource, renderMessage } from "./compose.ts";

export interface TemplatePreview extends Pick<MessageSource, "subject" | "format"> {
  html: string;
  text: string;
  variables: string[];
  /** Without a value and without a default: a send would skip the lead. The texts are then empty. */
  missing: string[];
}

/** A text that is being written as a lead would get it, before footer and tracking; nothing is stored. */
export async function previewTemplate(
  deps: Deps,
  { workspaceId }: Principal,
  source: { subject: string; body: string; format: MessageSource["format"] | null },
  { leadId, values }: { leadId: string | null; values: Readonly<Record<string, string>> },
): Promise<TemplatePreview> {
  const { lead, profile } = await loadTemplateValues(deps.db, workspaceId, leadId);
  if (leadId !== null) requireFound(lead ?? undefined, "Lead");
  const whole = { ...source, format: source.format ?? bodyFormat(source.body) };
  try {
    const variables = templateVariables(`${whole.subject}\n${whole.body}`);
    const known = variablesOf({ ...lead, ...values }, profile);
    const rendered = renderMessage(whole, known, leadId ?? "preview");
    const { format } = whole;
    if (!rendered.ok)
      return { subject: "", html: "", text: "", format, variables, missing: rendered.missing };
    const { subject, html, text = htmlToText(html) } = rendered.message;
    return { subject, html, text, format, variables, missing: [] };
  } catch (error) {
    if (error instanceof TemplateError || error instanceof MailInputError)
      throw unprocessable("VALIDATION_ERROR", error.message);
    throw error;
  }
}
