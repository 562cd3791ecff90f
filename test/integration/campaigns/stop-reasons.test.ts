/** Why a lead ended is a code in lower case; its words are the lead's last error. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { MIGRATIONS_FOLDER } from "../../../scripts/apply-migrations.ts";
import { sending, tenant, useSending } from "../../support/sending.ts";

useSending();

test.each([
  ["skipped", "NO_EMAIL: the lead has no email address.", "no_email"],
  ["skipped", "MISSING_VARIABLE: first_name", "missing_variable"],
  ["failed", "PERSON_NOT_FOUND: nobody is at this profile URL any more. 422", "person_not_found"],
  ["failed", "Its text could not be written: the model said no", "not_written"],
  ["failed", "554 5.7.1 message refused", "refused"],
  ["bounced", "5.1.1 smtp; 550 no such user", "hard_bounce"],
  ["bounced", "3 messages in a row came back.", "soft_bounces"],
  ["stopped", "left_company: bo@example.zz", "left_company"],
  ["stopped", "user_requested", "user_requested"],
  ["skipped", null, null],
  ["active", "Retry: soon", "Retry: soon"],
])("a lead that an older release left %s for %o is of the code %o", async (status, was, code) => {
  const { campaignLeadIds } = await sending.campaign(tenant, { leads: 1 });
  const [id] = campaignLeadIds;
  await sending.api.sql.query(
    "update campaign_leads set status = $2, stop_reason = $3 where id = $1",
    [id, status, was],
  );
  const migration = readFileSync(join(MIGRATIONS_FOLDER, "0013_ends_have_codes.sql"), "utf8");
  await sending.api.sql.query(migration.split("--> statement-breakpoint").at(-1)!);
  const words = code === was ? null : was;
  expect(await sending.leadOf(id!)).toMatchObject({ status, stop_reason: code, last_error: words });
});

test("a relay's last word ends a lead with a code, and stays as its last error", async () => {
  const { campaignLeadIds } = await sending.campaign(tenant, { leads: 1 });
  sending.mailbox.faults.order("rcpt_refused", 1);
  await sending.tick();
  expect(await sending.leadOf(campaignLeadIds[0]!)).toMatchObject({
    stop_reason: "hard_bounce",
    last_error: expect.stringMatching(/^5/),
  });
});
