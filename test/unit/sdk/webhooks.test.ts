import { createHmac, randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { signedHeaders } from "#src/domain/workspace/webhooks/sign.ts";
import { WebhookError, webhooks } from "#src/sdk/index.ts";

const newSecret = () => `whsec_${randomBytes(32).toString("base64")}`;
const secret = newSecret();
const NOW = new Date("2026-11-26T12:00:00Z");
const BODY = JSON.stringify({ id: "e-1", type: "reply.received", data: { name: "Zoë ✓" } });
const signed = (by = [secret], at = NOW) => signedHeaders("e-1", BODY, by, at);

describe("a webhook", () => {
  test("as the service signs it is its event, by headers of either kind and text or bytes", async () => {
    const headers = await signed();
    for (const given of [headers, new Headers(headers), { ...headers, host: "a.zz" }])
      for (const body of [BODY, new TextEncoder().encode(BODY)]) {
        const event = await webhooks.verify(body, given, secret, { now: NOW });
        expect(event).toEqual(JSON.parse(BODY));
      }
  });

  test("while a secret is replaced is right by the new and by the old one", async () => {
    const old = newSecret();
    const both = await signed([secret, old]);
    for (const known of [secret, old, [newSecret(), old]])
      await webhooks.verify(BODY, both, known, { now: NOW });
  });

  test("is what another judge of the standard would have signed", async () => {
    const key = Buffer.from(secret.slice(6), "base64");
    const timestamp = String(NOW.getTime() / 1000);
    const mac = createHmac("sha256", key).update(`e-1.${timestamp}.${BODY}`).digest("base64");
    const headers = {
      "Webhook-Id": "e-1",
      "Webhook-Timestamp": timestamp,
      "Webhook-Signature": `v1a,x v1,!!! v1,AAAA v1,${mac}`,
    };
    expect((await webhooks.verify(BODY, headers, secret, { now: NOW })).id).toBe("e-1");
  });

  test.each<
    [string, (headers: Record<string, string>) => Record<string, string | undefined>, string?]
  >([
    ["of another body", (headers) => headers, BODY.replace("Zoë", "Eve")],
    ["of another id", (headers) => ({ ...headers, "webhook-id": "e-2" })],
    ["without a signature", (headers) => ({ ...headers, "webhook-signature": undefined })],
    ["of an empty one", (headers) => ({ ...headers, "webhook-signature": "v1," })],
    [
      "without its version",
      ({ "webhook-signature": all, ...headers }) => ({
        ...headers,
        "webhook-signature": all!.slice(3),
      }),
    ],
    ["without a time", (headers) => ({ ...headers, "webhook-timestamp": "" })],
    ["of a time that is none", (headers) => ({ ...headers, "webhook-timestamp": "NaN" })],
    [
      "of another time",
      (headers) => ({ ...headers, "webhook-timestamp": String(NOW.getTime() / 1000 + 1) }),
    ],
  ])("%s is refused", async (_, change, body = BODY) => {
    const headers = change(await signed());
    const judged = webhooks.verify(body, headers, secret, { now: NOW });
    await expect(judged).rejects.toThrow(WebhookError);
  });

  test.each([-301, 301])(
    "that is %d s from now is refused, however rightly signed",
    async (seconds) => {
      const headers = await signed([secret], new Date(NOW.getTime() + seconds * 1000));
      await expect(webhooks.verify(BODY, headers, secret, { now: NOW })).rejects.toThrow(/too far/);
    },
  );

  test("by no secret, or by what is none, is a mistake of the caller", async () => {
    for (const none of [[], "", "whsec_", "whsec_!!", "short"])
      await expect(webhooks.verify(BODY, await signed(), none, { now: NOW })).rejects.toThrow(
        TypeError,
      );
  });
});
