import * as z from "zod";
import {
  DEFAULT_PREFERENCES,
  isE164,
  type Preferences,
  readPreferences,
  replacePreferences,
} from "#src/domain/workspace/notifications/preferences.ts";
import { camelKeys, snakeKeys } from "#src/http/case.ts";
import { line } from "#src/http/fields.ts";
import { type Mount, operation } from "#src/http/operation.ts";
import { emailKey } from "#src/mime/email-key.ts";

const defaults = snakeKeys(DEFAULT_PREFERENCES);

const Wish = z
  .object({
    email_enabled: z.boolean().default(defaults.email_enabled),
    personal_email: z
      .string()
      .max(320)
      .refine((address) => emailKey(address) !== null, "is not a plain email address")
      .openapi({ format: "email" })
      .nullable()
      .default(null)
      .describe("Where notices go by email; null: to the address of the login."),
    whatsapp_enabled: z.boolean().default(defaults.whatsapp_enabled),
    whatsapp_number: line(64)
      .nullable()
      .default(null)
      .describe("E.164, such as +491701234567; needed to enable WhatsApp."),
    notify_on_reply: z.boolean().default(defaults.notify_on_reply),
    notify_on_bounce: z.boolean().default(defaults.notify_on_bounce),
    notify_on_complaint: z.boolean().default(defaults.notify_on_complaint),
  })
  .refine(
    ({ whatsapp_enabled, whatsapp_number }) =>
      !whatsapp_enabled || (whatsapp_number !== null && isE164(whatsapp_number)),
    {
      path: ["whatsapp_number"],
      error:
        "Enabling WhatsApp takes a number in E.164: a plus sign, the country code, at most 15 digits.",
    },
  )
  .openapi("NotificationPreferencesWish");

const Body = z
  .object({
    email_enabled: z.boolean(),
    personal_email: z.string().nullable(),
    whatsapp_enabled: z.boolean(),
    whatsapp_number: z.string().nullable(),
    notify_on_reply: z.boolean(),
    notify_on_bounce: z.boolean(),
    notify_on_complaint: z.boolean(),
  })
  .openapi("NotificationPreferences");

const toWire = (preferences: Preferences): z.input<typeof Body> => snakeKeys(preferences);

const PATH = "/api/v1/notifications/preferences";
const tag = "Notifications";

export const notificationRoutes: Mount[] = [
  operation({
    method: "get",
    path: PATH,
    id: "getNotificationPreferences",
    scope: "notifications:write",
    tag,
    summary: "Get what you are told, and where",
    envelope: "legacy",
    response: Body,
    handler: async ({ deps, principal }) => toWire(await readPreferences(deps, principal)),
  }),
  operation({
    method: "put",
    path: PATH,
    id: "replaceNotificationPreferences",
    scope: "notifications:write",
    tag,
    summary: "Say what you want to be told, and where",
    description:
      "Replaces all of them: an absent field takes its default. With an API key they are those of who made it, and the addresses it gives count in its workspace alone; it replaces none that count in another one: 403 `JWT_REQUIRED`. Launches that were held or cancelled, campaigns that the service paused and accounts that were disconnected are told by email whatever is set here, and by WhatsApp if that is enabled.",
    envelope: "legacy",
    claims: "effect",
    body: Wish,
    response: Body,
    handler: async ({ deps, principal, body }) =>
      toWire(await replacePreferences(deps, principal, camelKeys(body) as Preferences)),
  }),
];
