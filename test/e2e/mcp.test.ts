import { beforeAll, expect, test } from "vitest";
import { connect } from "../support/mcp-clients.ts";
import { launchCampaign } from "../support/service.ts";
import { type SharedService, sharedService } from "../support/shared-service.ts";

let service: SharedService;
beforeAll(async () => {
  service = await sharedService();
});

test.each(["2025", "2026"] as const)(
  "an official client of %s finds, pauses and resumes a campaign of the Worker, and its mail goes out",
  async (generation) => {
    const email = `ann${generation}@inbox.zz`;
    const id = await launchCampaign(service, {
      aliases: 1,
      emails: [email],
      steps: [{ step: 1, variants: [{ type: "INLINE", subject: "Hello", body: "Hello" }] }],
    });
    const { api_key: key } = service.access;
    const agent = await connect(generation, { url: `${service.baseUrl}/mcp`, key });
    try {
      expect((await agent.tools()).map(({ name }) => name)).toContain("launch_campaign");
      const found = await agent.use("find", { what: "campaigns" });
      expect(JSON.stringify(found.body)).toContain(id);
      await agent.use("control_campaign", { campaign_id: id, action: "pause" });
      const order = { campaign_id: id, action: "resume" };
      const { confirm_token } = (await agent.use("launch_campaign", order)).body;
      // The stack's key waits for a person, whom its login stands for.
      await approveAll();
      const resumed = await agent.use("launch_campaign", { ...order, confirm_token });
      expect(resumed.body).toMatchObject({ status: "active" });
    } finally {
      await agent.close();
    }
    await service.advance(300);
    const mails = await service.mailbox("GET", `/api/messages?to=${encodeURIComponent(email)}`);
    expect(mails).toHaveLength(1);
  },
);

async function approveAll(): Promise<void> {
  const headers = { authorization: `Bearer ${service.access.jwt}` };
  const path = `${service.baseUrl}/api/v2/confirmations`;
  const { items } = (await (await fetch(path, { headers })).json()) as { items: { id: string }[] };
  for (const { id } of items) await fetch(`${path}/${id}/approve`, { method: "POST", headers });
}
