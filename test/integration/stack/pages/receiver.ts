import { createHmac } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type ReceiverPart, startReceiver } from "../../../../scripts/stack/receiver/receiver.ts";
import { complaints, page, requested, useBrowser } from "../browser.ts";

const SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;

export const describeReceiverPage = () =>
  describe("the page of events", () => {
    useBrowser();
    let receiver: ReceiverPart;
    beforeAll(async () => {
      receiver = await startReceiver();
    });
    beforeEach(async () => {
      await page.goto("about:blank");
      await page.goto(receiver.url);
    });
    afterAll(() => receiver.close());

    async function post(body: object, secret = SECRET) {
      const text = JSON.stringify({ id: "e1", ...body });
      const at = String(Math.floor(Date.now() / 1000));
      const key = Buffer.from(secret.slice(6), "base64");
      const signature = createHmac("sha256", key).update(`e1.${at}.${text}`).digest("base64");
      const headers = {
        "webhook-id": "e1",
        "webhook-timestamp": at,
        "webhook-signature": `v1,${signature}`,
      };
      return fetch(receiver.urlOf("mine"), { method: "POST", headers, body: text });
    }
    const row = (name: string | RegExp) => page.getByRole("group").filter({ hasText: name });

    test("says what to do while there is none, and shows events as they arrive, judged by the secret", async () => {
      await page.getByRole("heading", { name: "No events yet" }).waitFor();
      await post({ type: "email.sent", data: { subject: "<b>bold</b>" } });
      await page.getByRole("button", { name: /mine/ }).click();
      await row("email.sent").getByText("no secret to judge by").waitFor();
      await page.getByLabel("Secret").fill(SECRET);
      await page.getByLabel("Answer with").selectOption("503");
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByText("Saved.").waitFor();
      expect((await post({ type: "reply.received" })).status).toBe(503);
      await row("reply.received").getByText("signature right").waitFor();
      await row("reply.received").getByText("answered 503").waitFor();
      await post({ type: "campaign.paused" }, `whsec_${Buffer.alloc(32, 8).toString("base64")}`);
      await row("campaign.paused").getByText("signature wrong").waitFor();
      await row("email.sent").locator("summary").click();
      await page.getByText("<b>bold</b>").waitFor();
      expect(complaints).toEqual([]);
      expect(requested.filter((url) => !url.startsWith(receiver.url))).toEqual([]);
    });

    test("a secret that is none is refused, and says how one looks", async () => {
      await page.getByRole("button", { name: /mine/ }).click();
      await page.getByLabel("Secret").fill("nonsense");
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByText(/whsec_ and base64/).waitFor();
    });
  });
