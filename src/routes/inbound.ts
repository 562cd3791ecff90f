import * as z from "zod";
import type { Deps } from "#src/deps.ts";
import { receiveMail } from "#src/domain/replies/inbound/receive.ts";
import { isInboundSigned } from "#src/domain/replies/inbound/signature.ts";
import { AppError, badRequest, unauthenticated } from "#src/errors.ts";
import { createHold } from "#src/platform/large-bodies.ts";
import { MIB, readCapped, requireContentType } from "#src/http/body.ts";
import type { AppContext } from "#src/http/context.ts";
import { type Mount, operation } from "#src/http/operation.ts";

const MAIL_TYPE = "message/rfc822";
const BODY_LIMIT = 64 * MIB;

const Received = z
  .object({
    duplicate: z
      .boolean()
      .openapi({ description: "The same mail had taken effect before; nothing was done." }),
    class: z.string().openapi({ description: "What the mail was taken for." }),
    matched_by: z
      .enum(["token", "message_id", "address"])
      .nullable()
      .openapi({ description: "Null when it is about nothing that was sent from here." }),
  })
  .openapi("InboundReceived");

export const inboundRoutes: Mount[] = [
  operation({
    method: "post",
    path: "/api/v1/mailer/inbound",
    id: "receiveInboundMail",
    tag: "Inbound mail",
    summary: "Take in one raw mail from a relay",
    description:
      "The signature is the HMAC-SHA256 under INBOUND_SECRET of `<t>.<envelope recipient>.<SHA-256 of the body, hex>`. The same mail twice changes nothing.",
    access: "public",
    rawBody: {
      [MAIL_TYPE]: {
        schema: { type: "string", format: "binary" },
        example:
          "From: Ada <ada@example.com>\r\nTo: max@overture.example\r\nSubject: Re: Hello\r\n\r\nGladly.\r\n",
      },
    },
    reads: {
      "X-Envelope-To": { description: "The envelope's recipient.", required: true },
      "X-Envelope-From": {
        description:
          "The envelope's sender; empty or `<>` of a bounce. Absent: what the mail's Return-Path says.",
        required: false,
      },
      "Overture-Signature": {
        description: "`t=<unix seconds>,v1=<hex>`; it covers time, recipient and body.",
        required: true,
      },
    },
    response: Received,
    errors: [400, 401, 503],
    handler: async ({ deps, c }) => {
      const { inboundSecret } = deps.settings;
      if (inboundSecret === null)
        throw new AppError(
          "unavailable",
          "INBOUND_NOT_CONFIGURED",
          "This deployment takes no mail over HTTP: INBOUND_SECRET is not set.",
        );
      requireContentType(c.req.header("content-type"), [MAIL_TYPE]);
      const hold = createHold();
      try {
        return await receive(deps, c, inboundSecret, await readCapped(c.req.raw, BODY_LIMIT, hold));
      } finally {
        hold.release();
      }
    },
  }),
];

async function receive(deps: Deps, c: AppContext, secret: string, raw: Uint8Array<ArrayBuffer>) {
  const to = c.req.header("x-envelope-to") ?? "";
  const signed = { now: deps.clock.now(), to, raw };
  if (!(await isInboundSigned(secret, c.req.header("overture-signature"), signed)))
    throw unauthenticated(
      "UNAUTHENTICATED",
      "The Overture-Signature header is missing, wrong or expired.",
    );
  if (to === "" || raw.length === 0)
    throw badRequest("BAD_REQUEST", "Give X-Envelope-To and a mail as the body.");
  const from = c.req.header("x-envelope-from");
  // Empty is the null sender (RFC 5321 section 4.5.5), absent is not: a relay may not know it.
  const envelope = from === undefined ? { to } : { to, from };
  const { duplicate, class: name, matchedBy } = await receiveMail(deps, raw, envelope);
  return { duplicate, class: name, matched_by: matchedBy };
}
