/** Whose fault it is when an alias does not get through, what follows, and what ends it. */
import { describe, expect, test } from "vitest";
import { SUSPENDED } from "#db/senders/domain-checks.ts";
import { fullCheck } from "#src/domain/jobs/maintenance.ts";
import { runTick } from "#src/domain/jobs/tick.ts";
import { deliverEmail } from "#src/domain/messages/emails/deliver.ts";
import { testAlias } from "#src/domain/senders/alias-account.ts";
import { createVault } from "#src/platform/vault.ts";
import { systemRandomBytes } from "#src/platform/system.ts";
import { sending, tenant, useSending } from "../../support/sending.ts";

useSending();

const PATH = "/api/v1/mailer/aliases";
const aliasOf = async (id: string) => (await tenant.call("GET", `${PATH}/${id}`)).body;
const laneOf = async (id: string) =>
  (await sending.api.sql.query("select * from sender_lanes where id = $1", [id])).rows[0];
const single = (aliasId: string) =>
  tenant.call("POST", "/api/v1/mailer/emails", {
    alias_id: aliasId,
    to_email: "ada@example.zz",
    subject: "A question",
    body: "Hello",
  });
const deliver = (id: string) => deliverEmail(sending.api.deps, id);

/** A sender of a campaign without leads, so that only what the test does happens to it. */
const sender = async (password?: string) =>
  (await sending.campaign(tenant, { leads: 0 }, password)).aliasIds[0]!;

async function fail(id: string, kind: string, lastError = "no"): Promise<void> {
  const { sql } = sending.api;
  const isAccount = kind === "account";
  await sql.query(
    "update mail_aliases set status = $2, last_error = $3, last_error_kind = $4 where id = $1",
    [id, isAccount ? "error" : "active", lastError, kind],
  );
  if (isAccount) await sql.query("update sender_lanes set open = false where id = $1", [id]);
}

/** The domain of the alias has failed for so long that it is closed. */
async function failDomainOf(id: string): Promise<void> {
  const { sql } = sending.api;
  const made = await tenant.call("POST", "/api/v1/mailer/domains", { domain: `${id}.zz` });
  await sql.query(
    "update mail_domains set status = 'failing', failing_since = now() - interval '4 days' where id = $1",
    [made.body.id],
  );
  await sql.query("update mail_aliases set domain_id = $2 where id = $1", [id, made.body.id]);
  await fail(id, "account", SUSPENDED);
}

const WELL = { status: "active", last_error: null, last_error_kind: null };

describe("what goes well heals", () => {
  test.each(["account", "line", "vault"])("%s: a single email", async (kind) => {
    const id = await sender();
    const { body } = await single(id);
    await fail(id, kind);
    expect(await deliver(body.id)).toBe("sent");
    expect(await aliasOf(id)).toMatchObject(WELL);
    expect(await laneOf(id)).toMatchObject({ open: true, closed_since: null });
    expect((await single(id)).status).toBe(202);
  });

  test("a single email whose acceptance comes after its lease ended", async () => {
    const id = await sender();
    const { body } = await single(id);
    await fail(id, "line");
    const { deps } = sending.api;
    let swept = false;
    const openMail = () => {
      const transport = deps.openMail();
      return {
        ...transport,
        async send(...args: Parameters<typeof transport.send>) {
          const result = await transport.send(...args);
          await sending.api.sql.query("update emails set state = 'unknown' where id = $1", [
            body.id,
          ]);
          swept = true;
          return result;
        },
      };
    };
    expect(await deliverEmail({ ...deps, openMail }, body.id)).toBe("sent");
    expect(swept).toBe(true);
    expect(await aliasOf(id)).toMatchObject(WELL);
  });

  test.each(["account", "line"])("%s: the test of a step", async (kind) => {
    const { campaignId, aliasIds } = await sending.campaign(tenant, { leads: 1 });
    await sending.api.sql.query("update campaigns set status = 'paused' where id = $1", [
      campaignId,
    ]);
    const id = aliasIds[0]!;
    await fail(id, kind);
    const path = `/api/v1/campaigns/${campaignId}/steps/1/send-test`;
    expect((await tenant.call("POST", path, { to_email: "me@example.zz" })).body).toMatchObject({
      success: true,
    });
    expect(await aliasOf(id)).toMatchObject(WELL);
    expect((await laneOf(id)).open).toBe(true);
  });

  test("a campaign's message", async () => {
    const { aliasIds } = await sending.campaign(tenant, { leads: 1 });
    await fail(aliasIds[0]!, "line");
    await sending.tick();
    expect(await sending.mailbox.messages()).toHaveLength(1);
    expect(await aliasOf(aliasIds[0]!)).toMatchObject(WELL);
  });

  test("time, of a relay's throttle, where another sender took what it held up", async () => {
    const id = await sender();
    await sending.api.sql.query(
      "update mail_aliases set last_error = '450 slow down', last_error_kind = null where id = $1",
      [id],
    );
    const rest = (until: Date) =>
      sending.api.sql.query(
        "update sender_lanes set closed_until = $2, failures = 1 where id = $1",
        [id, until],
      );
    await rest(new Date(Date.now() + 300_000));
    await fullCheck(sending.api.deps);
    expect(await aliasOf(id)).toMatchObject({ last_error: "450 slow down" });
    sending.api.advance(2 * 3_600);
    await fullCheck(sending.api.deps);
    expect(await aliasOf(id)).toMatchObject(WELL);
  });

  test("but not the records of a domain, whoever sends meanwhile", async () => {
    const id = await sender();
    const { body } = await single(id);
    await failDomainOf(id);
    expect(await deliver(body.id)).toBe("sent");
    const suspended = { status: "error", last_error: SUSPENDED, last_error_kind: "account" };
    expect(await aliasOf(id)).toMatchObject(suspended);
    expect((await laneOf(id)).open).toBe(false);
    expect((await tenant.call("POST", `${PATH}/${id}/test`)).body.ok).toBe(true);
    expect(await aliasOf(id)).toMatchObject(suspended);
  });

  test("of a kind that stayed behind without its error, too", async () => {
    const id = await sender();
    await sending.api.sql.query(
      "update mail_aliases set last_error = null, last_error_kind = 'account' where id = $1",
      [id],
    );
    expect((await tenant.call("POST", `${PATH}/${id}/test`)).body.ok).toBe(true);
    expect(await aliasOf(id)).toMatchObject(WELL);
  });

  test("an alias that was taken off the domain whose records closed it", async () => {
    const id = await sender();
    await failDomainOf(id);
    const tested = () => tenant.call("POST", `${PATH}/${id}/test`);
    expect((await tested()).body.ok).toBe(true);
    expect((await aliasOf(id)).status).toBe("error");
    await sending.api.sql.query("update mail_aliases set domain_id = null where id = $1", [id]);
    expect((await tested()).body.ok).toBe(true);
    expect(await aliasOf(id)).toMatchObject(WELL);
    expect((await laneOf(id)).open).toBe(true);
  });

  test("and of a paused alias its error alone", async () => {
    const id = await sender();
    await sending.api.sql.query(
      "update mail_aliases set status = 'paused', last_error = 'no', last_error_kind = 'line' where id = $1",
      [id],
    );
    await sending.api.sql.query("update sender_lanes set open = false where id = $1", [id]);
    expect((await tenant.call("POST", `${PATH}/${id}/test`)).body.ok).toBe(true);
    expect(await aliasOf(id)).toMatchObject({ ...WELL, status: "paused" });
    expect((await laneOf(id)).open).toBe(false);
  });
});

describe("only the account refuses", () => {
  test.each(["line", "vault"])("%s refuses no single email", async (kind) => {
    const id = await sender();
    await fail(id, kind);
    expect((await single(id)).status).toBe(202);
  });

  test("a single email whose account is refused puts its alias in error, and the next is 409", async () => {
    const id = await sender("wrong");
    expect(await deliver((await single(id)).body.id)).toBe("failed");
    const alias = await aliasOf(id);
    expect(alias).toMatchObject({ status: "error", last_error_kind: "account" });
    expect(alias.last_error).toMatch(/535|password|login/i);
    expect((await laneOf(id)).open).toBe(false);
    const refused = await single(id);
    expect([refused.status, refused.body.detail]).toEqual([409, "ALIAS_NOT_READY"]);
  });

  test("a single email whose recipient is refused says nothing of its alias", async () => {
    const id = await sender();
    await fail(id, "line");
    sending.mailbox.faults.order("rcpt_refused", 1);
    expect(await deliver((await single(id)).body.id)).toBe("failed");
    expect(await aliasOf(id)).toMatchObject({ status: "active", last_error: "no" });
  });

  test("a vault that does not open is no error of the account, in a test or a campaign", async () => {
    const { aliasIds } = await sending.campaign(tenant, { leads: 1 });
    const id = aliasIds[0]!;
    const vault = createVault(systemRandomBytes(32), systemRandomBytes);
    const deps = { ...sending.api.deps, vault };
    const principal = { workspaceId: tenant.workspaceId } as Parameters<typeof testAlias>[1];
    const report = await testAlias(deps, principal, id);
    expect(report).toMatchObject({ ok: false, stage: "connect" });
    expect(await aliasOf(id)).toMatchObject({ status: "active", last_error_kind: "vault" });
    await fail(id, "line");
    await runTick(deps);
    expect(await aliasOf(id)).toMatchObject({ status: "active", last_error_kind: "vault" });
    expect((await single(id)).status).toBe(202);
  });

  test("what its owner took out of the sender's own fields stops the sender and fails no lead", async () => {
    const { aliasIds, campaignLeadIds } = await sending.campaign(tenant, { leads: 1 });
    const { sql } = sending.api;
    await sql.query("update mail_aliases set reply_to = 'no address' where id = $1", [aliasIds[0]]);
    await sending.tick();
    expect(await aliasOf(aliasIds[0]!)).toMatchObject({
      status: "error",
      last_error_kind: "account",
    });
    expect((await sending.leadOf(campaignLeadIds[0]!)).status).toBe("pending");
  });
});
