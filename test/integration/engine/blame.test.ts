/** Whose fault it is: only a lead's own text fails a lead. */
import { expect, test } from "vitest";
import { createVault } from "#src/platform/vault.ts";
import { systemRandomBytes } from "#src/platform/system.ts";
import { runTick } from "#src/domain/jobs/tick.ts";
import { createEagerClock } from "../../support/eager-clock.ts";
import { queryOf } from "../../support/query.ts";
import { tickWith } from "../../support/run-engine.ts";
import { sending, tenant, useSending } from "../../support/sending.ts";

useSending();
const query = queryOf(() => sending.api.sql);

const statusesOf = async (campaignId: string) => {
  const rows =
    await query`select status, count(*)::int as n from campaign_leads where campaign_id = ${campaignId} group by 1`;
  return Object.fromEntries(rows.map(({ status, n }) => [status, n]));
};
const campaignStatus = async (id: string) =>
  (await query`select status from campaigns where id = ${id}`)[0].status;
const sendingStatus = async (campaignId: string, query = "") =>
  (await tenant.call("GET", `/api/v1/campaigns/${campaignId}/sending-status${query}`)).body;

test.each(["a master key that does not open the secrets", "a vault that is away"] as const)(
  "%s fails no lead: the senders rest, and all go out once it is mended",
  async (what) => {
    const { api } = sending;
    const { campaignId, aliasIds } = await sending.campaign(tenant, { leads: 20, aliases: 20 });
    const wrong = createVault(systemRandomBytes(32), systemRandomBytes);
    const away = { ...wrong, open: () => Promise.reject(new Error("the vault does not answer")) };
    const vault = what.startsWith("a vault") ? away : wrong;
    const report = await runTick({ ...api.deps, vault });
    expect(report.accepted).toBe(0);
    expect(await statusesOf(campaignId)).toEqual({ pending: 20 });
    expect(await campaignStatus(campaignId)).toBe("active");
    const alias = await tenant.call("GET", `/api/v1/mailer/aliases/${aliasIds[0]}`);
    expect(alias.body).toMatchObject({
      status: "active",
      last_error:
        "The account of this sender could not be opened; nothing is lost, it is tried again.",
      last_error_kind: "vault",
    });
    const { senders } = await sendingStatus(campaignId);
    expect(senders[0].reasons.map(({ code }: { code: string }) => code)).toContain(
      "sender_resting",
    );
    const rows = await query`select attempts, state from sends where campaign_id = ${campaignId}`;
    expect(new Set(rows.map(({ attempts, state }) => `${attempts} ${state}`))).toEqual(
      new Set(["0 retry_wait"]),
    );
    // Mended: after the rest everybody is sent to.
    api.advance(6 * 60);
    await sending.tick();
    expect(await statusesOf(campaignId)).toEqual({ completed: 20 });
    const mended = await tenant.call("GET", `/api/v1/mailer/aliases/${aliasIds[0]}`);
    expect(mended.body).toMatchObject({ last_error: null, last_error_kind: null });
  },
);

test("the status page says that the master key does not open what is stored", async () => {
  await sending.campaign(tenant, { leads: 1, aliases: 3 }, "sealed by the right key");
  const { checkStatus } = await import("#src/domain/workspace/health/check.ts");
  expect((await checkStatus(sending.api.deps)).components["vault"]!.status).toBe("healthy");
  const vault = createVault(systemRandomBytes(32), systemRandomBytes);
  const { status, components } = await checkStatus({ ...sending.api.deps, vault });
  expect([status, components["vault"]!.status]).toEqual(["degraded", "degraded"]);
  expect(components["vault"]!.detail).toContain("MASTER_KEY");
});

/** A worker that ends when it prepares one of these leads' messages, as one that the platform kills: nothing is recorded. */
function dyingTick(deadly: (campaignLeadId: string) => boolean): Promise<unknown> {
  const dead = Promise.withResolvers<void>();
  const run = tickWith({
    channel: (own) => ({
      prepare(context, now) {
        if (!deadly(context.lead.campaignLeadId)) return own.prepare(context, now);
        dead.resolve();
        return new Promise(() => {});
      },
    }),
  });
  return Promise.race([dead.promise, run]);
}

test("a lead that kills its worker is found out and held; the others get their messages", async () => {
  const { api } = sending;
  const { campaignId, campaignLeadIds, leadIds } = await sending.campaign(tenant, {
    leads: 20,
    aliases: 20,
  });
  const deadly = campaignLeadIds[0]!;
  for (let ticks = 0; ticks < 8; ticks++) {
    await dyingTick((id) => id === deadly);
    api.advance(300);
  }
  expect(await statusesOf(campaignId)).toEqual({ completed: 19, pending: 1 });
  expect(await campaignStatus(campaignId)).toBe("active");
  const path = `/api/v1/campaigns/${campaignId}/leads/${deadly}`;
  const { lead } = await sendingStatus(campaignId, `?lead_id=${leadIds[0]}`);
  expect(lead.reasons[0]).toMatchObject({ code: "lead_held" });
  expect(lead.reasons[0].message).toContain("twice the service broke off");
  expect((await tenant.call("GET", path)).body).toMatchObject({
    hold_reason: "suspect",
  });
  // Its data were mended.
  expect((await tenant.call("POST", `${path}/release`)).status).toBe(200);
  await sending.tick();
  expect(await statusesOf(campaignId)).toEqual({ completed: 20 });
});

test("three ticks that die before they have prepared anything are nobody's fault", async () => {
  const { api } = sending;
  const { campaignId } = await sending.campaign(tenant, { leads: 20, aliases: 20 });
  for (let ticks = 0; ticks < 3; ticks++) {
    const lost = tickWith({
      channel: (own) => ({
        async load(ids) {
          await own.load(ids);
          throw new Error("the reply was lost");
        },
      }),
      clock: createEagerClock(api.deps.clock.now().getTime()),
    });
    await expect(lost).rejects.toThrow("the reply was lost");
    api.advance(300);
  }
  expect(await statusesOf(campaignId)).toEqual({ active: 20 });
  await sending.tick();
  expect(await statusesOf(campaignId)).toEqual({ completed: 20 });
  expect(sending.mailbox.wireLog()).toHaveLength(20);
});

/** Where a worker that lives hears nothing of the database, while it has nothing to do but a suspect. */
const UNHEARD: Record<string, () => Parameters<typeof tickWith>[0]> = {
  "that it is marked": () => ({
    store: (own) => ({
      async isolate(token, id) {
        await own.isolate(token, id);
        throw new Error("the reply was lost");
      },
    }),
  }),
  "what it is to send": () => {
    let asked = 0;
    return {
      channel: (own) => ({
        async load(ids) {
          if (asked++ < 4) throw new Error("the database is away");
          return own.load(ids);
        },
      }),
    };
  },
};

test.each(Object.keys(UNHEARD))(
  "a worker that lives and does not hear %s is nothing against a suspect",
  async (what) => {
    const { api } = sending;
    const { campaignId } = await sending.campaign(tenant, { leads: 1, aliases: 1 });
    const tick = (parts: Parameters<typeof tickWith>[0]) =>
      tickWith({ ...parts, clock: createEagerClock(api.deps.clock.now().getTime()) });
    for (let round = 0; round < 2; round++) {
      for (let ticks = 0; ticks < 2; ticks++) {
        const lost = tick({
          store: (own) => ({
            async claim(order) {
              await own.claim(order);
              throw new Error("the reply was lost");
            },
          }),
        });
        await expect(lost).rejects.toThrow("the reply was lost");
        api.advance(300);
      }
      await tick(UNHEARD[what]!()).catch(() => {});
      api.advance(300);
    }
    await sending.tick();
    expect(await statusesOf(campaignId)).toEqual({ completed: 1 });
    expect(sending.mailbox.wireLog()).toHaveLength(1);
  },
);
