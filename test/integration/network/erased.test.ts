/** Somebody who was asked to connect, and is erased. */
import { expect, test } from "vitest";
import { acceptInvitation } from "#src/domain/network/accept-invitation.ts";
import { lookAtAccount } from "#src/domain/inbound/network/look-at-account.ts";
import { networked, type NetworkStep, tenant, tickFor, useNetwork } from "../../support/network.ts";
import { begun } from "./begin.ts";

useNetwork();

const SLUG = "accepts-zyxwva-erased";

/** Tables in which a text is found, whatever the column. */
async function tablesWith(text: string): Promise<string[]> {
  const { sql } = networked.api;
  const { rows } = await sql.query(
    "select table_name as name from information_schema.tables where table_schema = 'public'",
  );
  const found: string[] = [];
  for (const { name } of rows) {
    const hits = await sql.query(`select 1 from "${name}" t where t::text ilike $1 limit 1`, [
      `%${text}%`,
    ]);
    if (hits.rows.length > 0) found.push(name);
  }
  return found;
}

test("is in no table any more, and an acceptance of theirs wakes nobody", async () => {
  const { deps } = networked.api;
  const steps: NetworkStep[] = [
    { action: "connection_request", text: "A note for {{ profile_url }}" },
    { action: "message", text: "Thanks" },
  ];
  const { account, campaignId, id } = await begun(steps, [SLUG]);
  const { email, person_id: personId } = await networked.leadOf(id);
  expect((await tablesWith("zyxwva")).length).toBeGreaterThan(1);

  const erased = await tenant.call("POST", "/api/v1/leads/erase", { email });
  expect(erased.status).toBe(200);
  expect(await tablesWith("zyxwva")).toEqual([]);
  expect(await tablesWith(personId)).toEqual([]);

  const at = deps.clock.now();
  const accepted = { accountId: account.id, personId, publicIdentifier: SLUG, at };
  await acceptInvitation(deps, accepted);
  networked.api.advance(20 * 86_400);
  await lookAtAccount(deps, account.id);
  await tickFor(2);
  expect(await networked.leadOf(id)).toMatchObject({ status: "stopped", connected_at: null });
  expect((await tenant.call("GET", `/api/v1/campaigns/${campaignId}`)).body.status).toBe(
    "completed",
  );
  expect(networked.network.acts("message").filter(({ text }) => text === "Thanks")).toEqual([]);
});
