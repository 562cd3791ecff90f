import { signInbound } from "#src/domain/replies/inbound/signature.ts";
import type { Cells } from "./cells.ts";
import { tellEvery } from "./every.ts";

interface Mail {
  raw: Uint8Array<ArrayBuffer>;
  from: string;
  to: string;
  at: Date;
}

/** Brings a mail that Cloudflare routes here to the cells, as a relay would; throws where it is to come again. */
export async function bringMail(cells: Cells, secret: string, mail: Mail): Promise<void> {
  const { raw, from, to } = mail;
  const request = new Request("http://cell/api/v1/mailer/inbound", {
    method: "POST",
    headers: {
      "content-type": "message/rfc822",
      // The null sender as SMTP writes it: an empty header may not survive the way.
      "x-envelope-from": from === "" ? "<>" : from,
      "x-envelope-to": to,
      "overture-signature": await signInbound(secret, mail),
    },
  });
  const { ok, status } = await tellEvery(cells, { request, body: raw, isStreamed: false });
  if (!ok) throw new Error(`the mail was not taken: ${status}`);
}
