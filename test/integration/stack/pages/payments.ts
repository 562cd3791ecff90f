import type { Stripe } from "stripe";
import { describe, expect, test } from "vitest";
import { complaints, page, requested, useBrowser } from "../browser.ts";
import { bought, order, paymentsSetting } from "../payments-setting.ts";

export const describePaymentsPage = () =>
  describe("the payment page", () => {
    const setting = paymentsSetting();
    useBrowser({ width: 1100, height: 800 });

    /** A session whose ways out lead to the receiver. */
    const checkout = (change: Partial<Stripe.Checkout.SessionCreateParams> = {}) =>
      setting.stripe.checkout.sessions.create(
        order({
          success_url: `${setting.receiver.url}/done?session={CHECKOUT_SESSION_ID}`,
          cancel_url: `${setting.receiver.url}/credits`,
          ...change,
        }),
      );
    /** What was loaded from elsewhere. */
    const foreign = () =>
      requested.filter(
        (url) => ![setting.part.url, setting.receiver.url].some((at) => url.startsWith(at)),
      );
    const press = (name: string) => page.getByRole("button", { name, exact: true }).click();
    const session = (id: string) => setting.stripe.checkout.sessions.retrieve(id);
    const payment = (id: string) => page.getByRole("listitem", { name: id });

    test("says what is paid and that no money moves; Pay leads back with the session's id", async () => {
      const { id, url } = await checkout();
      await page.goto(url ?? "");
      await page.getByRole("heading", { name: "$19.00" }).waitFor();
      await page.getByText("1000 credits").waitFor();
      await page.getByText("no money moves").waitFor();
      expect(await page.getByRole("textbox").count()).toBe(0);
      await press("Pay");
      await page.waitForURL(`${setting.receiver.url}/done?session=${id}`);
      expect(await session(id)).toMatchObject({ payment_status: "paid" });
      // The endpoint heard of it before the buyer was led back.
      const paths = setting.receiver.received.map(({ path }) => path);
      expect(paths.indexOf("/webhook")).toBeLessThan(paths.indexOf(`/done?session=${id}`));
      expect([complaints, foreign()]).toEqual([[], []]);
    });

    test("Decline says so and lets the buyer try again", async () => {
      const { id, url } = await checkout();
      await page.goto(url ?? "");
      await press("Decline");
      await page.getByRole("alert").getByText("Your card was declined.").waitFor();
      expect(await session(id)).toMatchObject({ status: "open" });
      await press("Pay");
      await page.waitForURL(/done/);
    });

    test("Pay later leads back unpaid, and the page then says that the bank was asked", async () => {
      const { id, url } = await checkout();
      await page.goto(url ?? "");
      await press("Pay later");
      await page.waitForURL(/done/);
      expect(await session(id)).toMatchObject({ status: "complete", payment_status: "unpaid" });
      await page.goto(`${setting.part.url}/pay/${id}`);
      await page.getByText("The bank has been asked").waitFor();
    });

    test("Cancel leads back, and the session stays open", async () => {
      const { id, url } = await checkout();
      await page.goto(url ?? "");
      await press("Cancel");
      await page.waitForURL(`${setting.receiver.url}/credits`);
      expect(await session(id)).toMatchObject({ status: "open" });
    });

    test("a session that is paid, expired or unknown cannot be paid, and says why", async () => {
      const paid = await checkout();
      await setting.act(`sessions/${paid.id}/pay`);
      const expired = await checkout();
      await setting.stripe.checkout.sessions.expire(expired.id);
      for (const [id, heading] of [
        [paid.id, "Paid"],
        [expired.id, "Too late"],
        ["cs_test_none", "No such payment"],
      ]) {
        await page.goto(`${setting.part.url}/pay/${id}`);
        await page.getByRole("heading", { name: heading ?? "", exact: true }).waitFor();
        expect(await page.getByRole("button").count()).toBe(0);
      }
    });

    test("a payment made in another tab is not made again", async () => {
      const { id, url } = await checkout();
      await page.goto(url ?? "");
      await page.getByRole("button", { name: "Pay", exact: true }).waitFor();
      await setting.act(`sessions/${id}/pay`);
      await press("Pay");
      await page.getByRole("heading", { name: "Paid" }).waitFor();
      expect(await session(id)).toMatchObject({ payment_status: "paid" });
    });

    test("the list of payments fails a refund", async () => {
      const { session: id, charge } = await bought(setting);
      await setting.act(`charges/${charge}/refund`, { amount: 500 });
      await page.goto(setting.part.url);
      await payment(id).getByText("Refund of $5.00").waitFor();
      await payment(id).getByText("of $14.00 left").waitFor();
      await payment(id).getByRole("button", { name: "Fail it" }).click();
      await payment(id).getByText("failed", { exact: true }).waitFor();
      await payment(id).getByText("of $19.00 left").waitFor();
    });

    test("the list disputes, wins, and delivers an event again; it follows what happens elsewhere", async () => {
      await page.goto(setting.part.url);
      await page.getByText("No payments yet.").waitFor();
      const { session: id } = await bought(setting);
      await payment(id).getByText("paid", { exact: true }).waitFor();
      await press("Dispute");
      await payment(id).getByText("needs response").waitFor();
      await press("Win");
      await payment(id).getByText("won", { exact: true }).waitFor();
      await payment(id).getByText("3 events").click();
      const row = payment(id).getByRole("listitem").filter({ hasText: "session.completed" });
      await row.getByRole("button", { name: "Deliver" }).click();
      await row.getByText("2 attempts, last 200").waitFor();
      // Events go out one beside the other: the redelivery may be there before the last of the dispute.
      await expect.poll(() => setting.receiver.received.length).toBe(4);
      expect([complaints, foreign()]).toEqual([[], []]);
    });

    test("on a phone nothing is wider than the screen", async () => {
      await page.setViewportSize({ width: 360, height: 740 });
      const width = () => page.evaluate<number>("document.documentElement.scrollWidth");
      const { url } = await checkout();
      await bought(setting);
      await page.goto(url ?? "");
      await page.getByRole("button", { name: "Pay", exact: true }).waitFor();
      expect(await width()).toBe(360);
      await page.goto(setting.part.url);
      await page.getByText("1 event").click();
      await page.getByText("checkout.session.completed").waitFor();
      expect(await width()).toBe(360);
    });
  });
