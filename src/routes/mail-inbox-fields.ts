import * as z from "zod";
import type { AliasWithLane } from "#src/domain/senders/aliases.ts";
import { instant, line } from "#src/http/fields.ts";
import { mailHost, secretText } from "./mail-transport-input.ts";

const where = {
  kind: z.literal("imap"),
  host: mailHost,
  port: z.int().min(1).max(65_535).default(993),
  security: z.literal("tls").default("tls"),
  folder: line(255).default("INBOX"),
};

export const Inbox = z
  .object({
    ...where,
    username: line(320).nullable().optional(),
    password: secretText.nullable().optional(),
  })
  .openapi("MailInbox", {
    description:
      "Where answers to the alias arrive. It is read every few minutes: what answers or returns our mail is taken in once, other mail is neither stored nor touched. Without a username the alias's address logs in; the password is kept sealed and never answered, and may be left out in a change while host, port and username stay the same.",
    example: {
      kind: "imap",
      host: "imap.example.com",
      port: 993,
      security: "tls",
      password: "secret",
      folder: "INBOX",
    },
  });

export const InboxBody = z
  .object({
    kind: z.literal("imap"),
    host: z.string(),
    port: z.int(),
    security: z.literal("tls"),
    username: z.string().nullable(),
    folder: z.string(),
    status: z.enum(["pending", "ok", "error"]).openapi({
      description: "`pending` until it was first read; `error` while it cannot be read.",
    }),
    last_read_at: instant.nullable(),
    last_error: z.string().nullable(),
  })
  .openapi("MailInboxBody", {
    description: "The inbox and how reading it goes, without its password.",
  });

export const inboxToWire = ({
  host,
  port,
  username,
  folder,
  failures,
  readAt,
  lastError,
}: NonNullable<AliasWithLane["inbox"]>): z.input<typeof InboxBody> => ({
  kind: "imap",
  host,
  port,
  security: "tls",
  username,
  folder,
  status: failures > 0 ? "error" : readAt === null ? "pending" : "ok",
  last_read_at: readAt?.toISOString() ?? null,
  last_error: lastError,
});
