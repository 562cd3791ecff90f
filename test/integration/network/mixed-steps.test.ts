/** Campaigns of both channels: what a lead's mails have of each other, whatever stands between them. */
import { expect, test } from "vitest";
import { networked, tenant, tickNow, useNetwork } from "../../support/network.ts";
import { begun } from "./begin.ts";

useNetwork();

const DAY = 24 * 3600;
const lead = (id: string) => networked.leadOf(id);

async function daysLater(days: number) {
  networked.api.advance(days * DAY + 60);
  await tickNow();
}

const VISIT_THEN_MAILS = [
  { action: "profile_view" },
  { action: "send_email", days: 1, subject: "Hi {{ first_name }}" },
  { action: "send_email", days: 1, subject: "" },
] as const;

test("a mail without a subject goes on in the thread of the mail before it, whichever step began", async () => {
  const { id } = await begun(VISIT_THEN_MAILS, ["accepts-mara-lind"]);
  await daysLater(1);
  await daysLater(1);
  expect(await lead(id)).toMatchObject({ status: "completed", last_error: null });
  const [first, second] = await networked.mailbox.messages();
  expect([first!.subject, second!.subject]).toEqual(["Hi Lead 1", "Hi Lead 1"]);
  expect(second!.headers["references"]).toBe(first!.headers["message-id"]);
});

test("it is shown so before anything is sent, and behind each step", async () => {
  const { campaignId, id } = await begun(VISIT_THEN_MAILS, ["accepts-mara-lind"]);
  const path = `/api/v1/campaigns/${campaignId}/steps/3/render`;
  const shown = async () =>
    (await tenant.call("POST", path, { campaign_lead_id: id })).body.subject;
  expect(await shown()).toBe("Hi Lead 1");
  await daysLater(1);
  expect(await shown()).toBe("Hi Lead 1");
});
