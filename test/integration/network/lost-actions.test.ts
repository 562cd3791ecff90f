/** Actions on the network whose answer was lost: looked up before anything is done again. */
import { expect, test } from "vitest";
import {
  type AccountRows,
  networked,
  type NetworkStep,
  tickFor,
  tickNow,
  useNetwork,
} from "../../support/network.ts";
import { runAdmin } from "../../../scripts/admin/run.ts";
import { takeBackup } from "../../support/backup.ts";
import { begin } from "./begin.ts";

useNetwork();

const DAY = 86_400;
const later = (seconds: number) => networked.api.advance(seconds);
const actsOf = (account: AccountRows, kind: string) =>
  networked.network
    .acts()
    .filter((act) => act.account === account.providerAccountId && act.kind === kind);
const sendOf = async (campaignId: string) => (await networked.sendsOf(campaignId))[0];

/** As a step before would have: the next call is the one that does something. */
async function know(account: AccountRows, campaignLeadId: string, slug: string): Promise<void> {
  const { deps, sql } = networked.api;
  const person = await deps.network!.people.profile(account.providerAccountId, slug);
  if (!person.ok) throw new Error(person.failure.detail);
  await sql.query("update campaign_leads set person_id = $2 where id = $1", [
    campaignLeadId,
    person.value.id,
  ]);
}

const INVITE: NetworkStep[] = [{ action: "connection_request", text: "Hello" }];
const SAY: NetworkStep[] = [{ action: "message", text: "First.\n\nSecond & <third>." }];

const done: [string, NetworkStep[], string, string][] = [
  ["an invitation", INVITE, "declines-ida-holm", "invite"],
  ["an invitation that is accepted meanwhile", INVITE, "quick-tom-falk", "invite"],
  ["a message", SAY, "friend-otto-berg", "message"],
];
test.each(done)("%s that was done is found, and not done again", async (_, steps, person, kind) => {
  const { account, campaignId, id } = await begin(steps, [person]);
  networked.network.faults.order("lost_answer", 1);
  await tickNow();
  expect(await sendOf(campaignId)).toMatchObject({
    state: "accepted",
    attempts: 1,
    reason: expect.stringContaining("looked up"),
  });
  expect(await networked.leadOf(id)).toMatchObject({ status: "completed" });
  later(DAY);
  await tickNow();
  expect(actsOf(account, kind)).toHaveLength(1);
});

test.each(done)(
  "%s that a restored database has forgotten is found, and not done again",
  async (_, steps, person, kind) => {
    const { account, campaignId, id } = await begin(steps, [person]);
    const { clock } = networked.api.deps;
    const since = clock.now();
    const backup = await takeBackup(networked.api.sql);
    await tickNow();
    expect(actsOf(account, kind)).toHaveLength(1);
    later(300);
    await backup.restore();
    const words = ["restored", "--since", since.toISOString()];
    expect(await runAdmin(words, networked.api.databaseUrl, clock.now())).toContain("1 messages");
    // Of a message whose words are lost a person decides; it is never said again.
    await tickFor(15);
    expect(actsOf(account, kind)).toHaveLength(1);
    const isKnown = kind === "invite";
    expect(await sendOf(campaignId)).toMatchObject({ state: isKnown ? "accepted" : "unknown" });
    expect(await networked.leadOf(id)).toMatchObject({ status: isKnown ? "completed" : "active" });
    await networked.api.sql.query("update sends set state = 'failed' where state = 'unknown'");
  },
);

test("what a restored database takes for begun, and the network does not show, is done", async () => {
  const { account, campaignId } = await begin(INVITE, ["declines-ida-holm"]);
  const { clock } = networked.api.deps;
  const since = clock.now();
  later(300);
  const words = ["restored", "--since", since.toISOString()];
  expect(await runAdmin(words, networked.api.databaseUrl, clock.now())).toContain("1 messages");
  later(400);
  await tickFor(3);
  expect(actsOf(account, "invite")).toHaveLength(1);
  expect(await sendOf(campaignId)).toMatchObject({ state: "accepted" });
});

const undone: [string, NetworkStep[], string, string][] = [
  ["an invitation", INVITE, "declines-ida-holm", "invite"],
  ["a message", SAY, "friend-otto-berg", "message"],
];
test.each(undone)(
  "%s that was not done is tried again, ten minutes after it began",
  async (_, steps, person, kind) => {
    const { account, campaignId, id } = await begin(steps, [person]);
    await know(account, id, person);
    networked.network.faults.order("timeout", 1);
    await tickNow();
    expect(await sendOf(campaignId)).toMatchObject({ state: "unknown" });
    later(540);
    await tickNow();
    expect(await sendOf(campaignId)).toMatchObject({ state: "unknown" });
    expect(actsOf(account, kind)).toEqual([]);
    later(60);
    await tickFor(3);
    expect(await sendOf(campaignId)).toMatchObject({ state: "accepted", attempts: 2 });
    expect(actsOf(account, kind)).toHaveLength(1);
  },
);

test("one that is never done is given up after its last attempt", async () => {
  const { account, campaignId, id } = await begin(SAY, ["friend-otto-berg"]);
  await know(account, id, "friend-otto-berg");
  for (let attempt = 1; attempt <= 6; attempt++) {
    networked.network.faults.order("timeout", 1);
    await tickNow();
    expect(await sendOf(campaignId)).toMatchObject({ state: "unknown", attempts: attempt });
    later(660);
    await tickNow();
    later(60);
  }
  expect(await sendOf(campaignId)).toMatchObject({ state: "failed", attempts: 6 });
  expect(await networked.leadOf(id)).toMatchObject({ status: "failed" });
  expect(actsOf(account, "message")).toEqual([]);
});

test("nothing is decided while the provider is away", async () => {
  const { account, campaignId, id } = await begin(SAY, ["friend-otto-berg"]);
  await know(account, id, "friend-otto-berg");
  networked.network.faults.order("timeout", 1);
  await tickNow();
  networked.network.faults.order("unavailable", 50);
  later(3600);
  await tickNow();
  expect(await sendOf(campaignId)).toMatchObject({ state: "unknown" });
  networked.network.faults.clear();
  later(60);
  await tickFor(2);
  expect(await sendOf(campaignId)).toMatchObject({ state: "accepted", attempts: 2 });
  expect(actsOf(account, "message")).toHaveLength(1);
});

test("a visit cannot be looked up: it counts as made after a day", async () => {
  const { account, campaignId, id } = await begin(
    [{ action: "profile_view" }],
    ["accepts-mara-lind"],
  );
  networked.network.faults.order("timeout", 1);
  await tickNow();
  later(3600);
  await tickNow();
  expect(await sendOf(campaignId)).toMatchObject({ state: "unknown" });
  later(DAY);
  await tickNow();
  expect(await sendOf(campaignId)).toMatchObject({ state: "assumed_sent", attempts: 1 });
  expect(actsOf(account, "visit")).toEqual([]);
  expect(await networked.leadOf(id)).toMatchObject({ status: "completed" });
});
