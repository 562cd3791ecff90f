import { z } from "zod";
import { answerOf, type Check, type Context } from "./context.ts";
import { fail, off, ok, type Said, warn } from "./finding.ts";
import { whereToFind } from "./where.ts";

const Token = z.object({
  data: z.object({
    granular_scopes: z
      .array(z.object({ scope: z.string(), target_ids: z.array(z.string()).default([]) }))
      .default([]),
  }),
});
const Templates = z.object({
  data: z.array(z.object({ name: z.string(), language: z.string(), status: z.string() })),
});
const HOW = "docs/deploying.md, Notices by WhatsApp";

export const whatsapp: Check = {
  part: "whatsapp",
  async run(context) {
    const { config } = context;
    if (config.whatsapp === null)
      return [off("WHATSAPP_PHONE_NUMBER_ID is not set: no notices by WhatsApp")];
    const number = await graph(
      context,
      `${config.whatsapp.phoneNumberId}?fields=display_phone_number`,
    );
    if (number.status === 401)
      return [fail("WHATSAPP_ACCESS_TOKEN is refused", whereToFind("WHATSAPP_ACCESS_TOKEN"))];
    if (number.status !== 200)
      return [
        fail(
          `WhatsApp ${answerOf(number)} about WHATSAPP_PHONE_NUMBER_ID: it is no number of this token's`,
          whereToFind("WHATSAPP_PHONE_NUMBER_ID"),
        ),
      ];
    return [ok("the number is the token's"), await templates(context), ...webhook(context)];
  },
};

const graph = ({ config: { whatsapp: settings }, ask }: Context, path: string) =>
  ask(`${settings!.apiBase}/${settings!.apiVersion}/${path}`, {
    headers: { authorization: `Bearer ${settings!.accessToken}` },
  });

/** The token itself says of which business account it is. */
async function templates(context: Context): Promise<Said> {
  const { accessToken } = context.config.whatsapp!;
  const debugged = await graph(
    context,
    `debug_token?input_token=${encodeURIComponent(accessToken)}`,
  );
  const scopes = Token.safeParse(debugged.json).data?.data.granular_scopes ?? [];
  const account = scopes.find(({ scope }) => scope === "whatsapp_business_management")
    ?.target_ids[0];
  if (account === undefined)
    return warn(
      "the token may not read templates: whether they are approved is not known",
      "Give the system user whatsapp_business_management, or look in WhatsApp Manager.",
    );
  const reply = await graph(
    context,
    `${account}/message_templates?fields=name,language,status&limit=250`,
  );
  const { success, data } = Templates.safeParse(reply.json);
  if (!success) return warn(`its templates cannot be read: it ${answerOf(reply)}`, HOW);
  return judged(context, data.data);
}

function judged({ config }: Context, found: z.output<typeof Templates>["data"]): Said {
  const { language, ...names } = config.whatsappTemplates;
  const missing = Object.values(names).filter(
    (name) =>
      !found.some(
        (each) => each.name === name && each.language === language && each.status === "APPROVED",
      ),
  );
  return missing.length === 0
    ? ok("its templates are approved")
    : fail(`not approved in ${language}: ${missing.join(", ")}`, HOW);
}

const webhook = ({ config }: Context): Said[] =>
  config.whatsappWebhook === null
    ? [
        warn(
          "WHATSAPP_APP_SECRET is not set: what became of messages is not learnt",
          whereToFind("WHATSAPP_APP_SECRET"),
        ),
      ]
    : [];
