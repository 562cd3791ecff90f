/** What an agent wants to send: it waits in the console, is approved or declined there, and then done or not. */
import { describe, expect, test } from "vitest";
import { hasBrowser, useConsole } from "../../support/console.ts";
import { connect } from "../../support/mcp-clients.ts";
import { daysOfLater, launchCampaign } from "../../support/service.ts";

describe.runIf(hasBrowser)("confirmations", () => {
  const it = useConsole();

  test("nobody waits at first; what an agent asks stands there with its figures, and is done once approved", async () => {
    const { page, service } = it;
    await it.open("/settings/confirmations");
    await page.getByText("No agent waits for you.").waitFor();

    const id = await launchCampaign(service, {
      aliases: 1,
      emails: ["ann@inbox.zz"],
      days: await daysOfLater(service),
      steps: [{ step: 1, variants: [{ type: "INLINE", subject: "Hello", body: "Hello" }] }],
    });
    const wire = { url: `${service.baseUrl}/mcp`, key: service.access.api_key };
    const agent = await connect("2026", wire);
    try {
      await agent.use("control_campaign", { campaign_id: id, action: "pause" });
      const order = { campaign_id: id, action: "resume" };
      for (const [answer, toast, outcome] of [
        ["Decline", "Declined: nothing is sent.", { code: "CONFIRMATION_DECLINED" }],
        ["Approve", "Approved: the agent may send it now, once.", { status: "active" }],
      ] as const) {
        const { confirm_token } = (await agent.use("launch_campaign", order)).body;
        await it.open("/settings/confirmations");
        await page.getByText("to 1 recipients").first().waitFor();
        await page.getByRole("button", { name: answer }).click();
        await page.getByRole("status").getByText(toast).waitFor();
        await page.getByText("No agent waits for you.").waitFor();
        const done = await agent.use("launch_campaign", { ...order, confirm_token });
        expect(done.body).toMatchObject(outcome);
      }
    } finally {
      await agent.close();
    }
  });
});
