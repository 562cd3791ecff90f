import { z } from "zod";
import type { GraphError, GraphErrorName } from "./graph-error.ts";
import { approvedTemplates, fillTemplate, parameterCount, type Template } from "./templates.ts";

/** A send that the API takes. */
export interface TemplateSend {
  /** As the caller wrote it. */
  to: string;
  /** Its digits: the recipient's WhatsApp id. */
  waId: string;
  template: Template;
  parameters: string[];
  /** The template with its parameters in place. */
  text: string;
  /** What comes back with each status. */
  reference: string | null;
}

/** What the API documents of a template message; other keys are unexpected to it. */
const sendBody = z.strictObject({
  messaging_product: z.literal("whatsapp"),
  recipient_type: z.literal("individual").optional(),
  to: z.string(),
  type: z.string().default("text"),
  biz_opaque_callback_data: z.string().max(512).optional(),
  template: z
    .strictObject({
      name: z.string().min(1),
      language: z.strictObject({ code: z.string(), policy: z.literal("deterministic").optional() }),
      components: z
        .array(
          z.strictObject({
            type: z.literal("body"),
            parameters: z.array(z.strictObject({ type: z.literal("text"), text: z.string() })),
          }),
        )
        .optional(),
    })
    .optional(),
});

const LONGEST_TEXT = 1024;

class Refused extends Error {
  readonly error: GraphError;
  constructor(name: GraphErrorName, details: string) {
    super(details);
    this.error = { name, details };
  }
}

/** Judges the body of a send as the Cloud API does, rule by rule; the first that it breaks is its error. */
export function readSendRequest(text: string, ownNumber: string): TemplateSend | GraphError {
  try {
    return judge(text, ownNumber);
  } catch (error) {
    if (error instanceof Refused) return error.error;
    throw error;
  }
}

function judge(text: string, ownNumber: string): TemplateSend {
  const body = parse(text);
  const waId = digitsOf(body.to);
  if (waId === ownNumber) throw new Refused("ownNumber", "Recipient's number is the sender's");
  if (body.type !== "template")
    throw new Refused("unsupported", "this stand-in carries template messages alone");
  if (body.template === undefined)
    throw new Refused("missing", "The parameter template is required.");
  const { name, language, components = [] } = body.template;
  const template = findTemplate(name, language.code);
  const parameters = components.flatMap((each) => each.parameters).map((each) => each.text);
  checkParameters(template, parameters);
  const filled = fillTemplate(template, parameters);
  if (filled.length > LONGEST_TEXT)
    throw new Refused("tooLong", `body: ${filled.length} of ${LONGEST_TEXT} characters`);
  const reference = body.biz_opaque_callback_data ?? null;
  return { to: body.to, waId, template, parameters, text: filled, reference };
}

function parse(text: string) {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new Refused("parameter", "the body is not JSON");
  }
  const parsed = sendBody.safeParse(json);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Refused("parameter", `${issue?.path.join(".") ?? ""}: ${issue?.message ?? ""}`);
}

/** With or without a plus, spaces, hyphens and brackets, as the API has it. */
function digitsOf(to: string): string {
  const digits = to.replace(/[-+ ()]/g, "");
  if (/^[1-9]\d{6,14}$/.test(digits)) return digits;
  throw new Refused("value", "to is not a valid phone number");
}

function findTemplate(name: string, language: string): Template {
  const found = approvedTemplates.find(
    (template) => template.name === name && template.language === language,
  );
  if (found !== undefined) return found;
  throw new Refused("noTemplate", `template name (${name}) does not exist in ${language}`);
}

function checkParameters(template: Template, parameters: readonly string[]): void {
  const expected = parameterCount(template);
  if (parameters.length !== expected)
    throw new Refused(
      "parameterCount",
      `body: number of localizable_params (${parameters.length}) does not match the expected number of params (${expected})`,
    );
  if (parameters.some((text) => text === ""))
    throw new Refused("missing", "Parameter of type text is missing text value");
  if (parameters.some((text) => /[\n\r\t]| {5}/.test(text)))
    throw new Refused(
      "parameterText",
      "Param text cannot have new-line/tab characters or more than 4 consecutive spaces",
    );
}
