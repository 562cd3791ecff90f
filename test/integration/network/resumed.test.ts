/** A lead that goes on with the step of another channel than its last one. */
import { expect, test } from "vitest";
import {
  networked,
  type NetworkStep,
  tenant,
  tickFor,
  tickNow,
  useNetwork,
} from "../../support/network.ts";
import { begin } from "./begin.ts";

useNetwork();

const DAY = 86_400;
const VISIT: NetworkStep = { action: "profile_view" };
const EMAIL: NetworkStep = { action: "send_email" };

/** Its last step but one is in doubt when it is stopped, counts as done a day later, and then it is resumed. */
async function resumed(steps: NetworkStep[], loseAnswer: () => void) {
  const rows = await begin(steps, ["accepts-mara-lind"]);
  const { id } = rows;
  const path = `/api/v1/campaigns/${rows.campaignId}/leads/${id}`;
  loseAnswer();
  await tickFor(3);
  expect((await tenant.call("POST", `${path}/stop`)).body).toMatchObject({ status: "stopped" });
  await networked.api.sql.query("update campaigns set status = 'active' where id = $1", [
    rows.campaignId,
  ]);
  networked.api.advance(DAY + 60);
  await tickNow();
  const { state } = (await networked.sendsOf(rows.campaignId)).at(-1)!;
  expect(state).toBe("assumed_sent");
  await networked.api.sql.query("update campaigns set status = 'active' where id = $1", [
    rows.campaignId,
  ]);
  const { body } = await tenant.call("POST", `${path}/mark`, { as: "resumed" });
  expect(body).toMatchObject({ status: "active", next_step: steps.length });
  const next = await networked.leadOf(id);
  await tickFor(2);
  return { ...rows, next, after: await networked.leadOf(id) };
}

const loseVisit = () => networked.network.faults.order("timeout", 1);
const loseEmail = () => networked.mailbox.faults.order("close_after_dot", 1);

test("an email after a visit is written by an alias", async () => {
  const { aliasIds, next, after } = await resumed([VISIT, EMAIL], loseVisit);
  expect(next).toMatchObject({ alias_id: null, next_channel: "email" });
  expect(after).toMatchObject({ status: "completed", current_step: 2, alias_id: aliasIds[0] });
  expect(await networked.mailbox.messages()).toHaveLength(1);
});

test("a visit after an email is made by the account", async () => {
  const { account, next, after } = await resumed([EMAIL, VISIT], loseEmail);
  expect(next).toMatchObject({ alias_id: null, next_channel: "socialnet" });
  expect(after).toMatchObject({ status: "completed", current_step: 2, alias_id: account.id });
});

test.each([
  ["a visit", [EMAIL, VISIT, EMAIL], loseVisit],
  ["an email", [EMAIL, EMAIL], loseEmail],
] as const)("an email after %s is written by who wrote before", async (_, steps, lose) => {
  const { aliasIds, next } = await resumed([...steps], lose);
  expect(next).toMatchObject({ alias_id: aliasIds[0], next_channel: null });
});
