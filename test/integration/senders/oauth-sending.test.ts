/** Campaigns and single emails of aliases that are logged in to by OAuth. */
import { expect, test } from "vitest";
import { runTick } from "#src/domain/jobs/tick.ts";
import { createLogins, withLogin } from "#src/domain/senders/account-login.ts";
import { deliverEmail } from "#src/domain/messages/emails/deliver.ts";
import { insertActiveCampaign } from "../../support/engine.ts";
import {
  aliasNow,
  at,
  connect,
  connectedAlias,
  oauthAlias,
  OWN_APP,
  tenant,
  testAlias,
  tokenCalls,
  useMailOauth,
} from "../../support/oauth.ts";
import { eventually } from "../../support/service.ts";

useMailOauth();

const tick = () => runTick(at.api.deps);
/** Its leads are of a domain of its own: nobody is written to by two campaigns at once. */
const campaign = (aliasIds: string[], leads: number) =>
  insertActiveCampaign(at.api.sql, tenant, {
    now: at.api.deps.clock.now(),
    leads,
    aliases: aliasIds,
    domain: `${aliasIds[0]!}.zz`,
  });
const arrived = async () => (await at.mailbox.messages()).map(({ from }) => from);
const sendsOf = async (id: string) =>
  (await at.api.sql.query("select state, reason from sends where campaign_id = $1", [id])).rows;
const laneOf = async (id: string) =>
  (await at.api.sql.query("select * from sender_lanes where id = $1", [id])).rows[0];

test("messages go out by the token, which is renewed when its hour is over", async () => {
  const alias = await connectedAlias();
  await campaign([alias.id], 3);
  tokenCalls();
  await tick();
  expect(await arrived()).toHaveLength(1);
  expect(tokenCalls()).toBe(0);
  at.api.advance(3600);
  await tick();
  expect(tokenCalls()).toBe(1);
  at.api.advance(180);
  await tick();
  expect(tokenCalls()).toBe(0);
  expect(await arrived()).toEqual(Array(3).fill(alias.email));
});

test("a token that stops to work before its time is renewed once, and nobody gets a message twice", async () => {
  const alias = await connectedAlias("microsoft");
  const { campaignId } = await campaign([alias.id], 1);
  at.oauth.grants.endAccess(alias.email);
  at.oauth.faults.order("rotate", 1);
  tokenCalls();
  await tick();
  expect(tokenCalls()).toBe(1);
  expect(await arrived()).toEqual([alias.email]);
  expect((await sendsOf(campaignId)).map(({ state }) => state)).toEqual(["accepted"]);
  expect(await aliasNow(alias.id)).toMatchObject({ status: "active", last_error: null });
});

test("a server that refuses every token costs one renewal a tick, and is trouble of the account", async () => {
  const alias = await connectedAlias();
  const { campaignId } = await campaign([alias.id], 2);
  at.mailbox.faults.order("auth_refused", 10);
  tokenCalls();
  await tick();
  expect(tokenCalls()).toBe(1);
  expect(await aliasNow(alias.id)).toMatchObject({
    status: "error",
    last_error: expect.stringMatching(
      /refused the access token .*\(401\).*connect the alias again by OAuth/,
    ),
  });
  expect(await laneOf(alias.id)).toMatchObject({ open: false });
  expect((await sendsOf(campaignId)).filter(({ state }) => state === "accepted")).toEqual([]);
});

test("however many messages are refused however many tokens, an alias's is renewed once", async () => {
  const alias = await connectedAlias();
  const account = {
    kind: "smtp" as const,
    host: "localhost",
    port: 587,
    security: "starttls" as const,
    username: alias.email,
  };
  const tokens: string[] = [];
  const logins = createLogins(at.api.deps);
  const refusing = async ({ accessToken }: { accessToken?: string }) => {
    tokens.push(accessToken!);
    return { tokenRefused: true as const };
  };
  const send = () =>
    withLogin(logins, alias.id, account, (ready) => refusing(ready as { accessToken?: string }));
  tokenCalls();
  await Promise.all([send(), send(), send()]);
  await send();
  expect(tokenCalls()).toBe(1);
  expect(new Set(tokens).size).toBe(2);
});

test("a claim's logins are read at once, and not one by one", async () => {
  const aliases = [await connectedAlias(), await connectedAlias(), await connectedAlias()];
  for (const { id } of aliases) await campaign([id], 1);
  at.api.neon.log.clear();
  await tick();
  expect(await arrived()).toHaveLength(3);
  const asked = (words: string) =>
    at.api.neon.log.entries().filter(({ summary }) => summary.includes(words)).length;
  expect(asked("mail_logins")).toBeGreaterThan(0);
  expect(asked("mail_logins")).toBeLessThan(aliases.length);
});

test("a consent taken back stops its own sender with words, and no other; consenting anew goes on", async () => {
  const [gone, other] = [await connectedAlias(), await connectedAlias("microsoft")];
  await campaign([gone.id], 1);
  await campaign([other.id], 1);
  at.oauth.grants.revoke(gone.email);
  await tick();
  expect(await arrived()).toEqual([other.email]);
  expect(await aliasNow(gone.id)).toMatchObject({
    status: "error",
    last_error: expect.stringContaining("The consent for this mailbox has ended"),
  });
  expect(await laneOf(gone.id)).toMatchObject({ open: false });
  await connect(gone.id, gone.email);
  at.api.advance(120);
  await tick();
  expect((await arrived()).sort()).toEqual([gone.email, other.email].sort());
});

test("a token endpoint that is down lets its sender rest, without an error of the account", async () => {
  const alias = await connectedAlias();
  await campaign([alias.id], 1);
  at.api.advance(3600);
  at.oauth.faults.order("unavailable", 1);
  await tick();
  expect(await arrived()).toEqual([]);
  expect(await laneOf(alias.id)).toMatchObject({ open: true });
  at.api.advance(3600);
  await tick();
  expect(await arrived()).toEqual([alias.email]);
  expect(await aliasNow(alias.id)).toMatchObject({ status: "active" });
});

test("a token endpoint that never answers keeps no other sender waiting", async () => {
  const [hangs, other] = [await connectedAlias(), await connectedAlias()];
  at.api.advance(3600);
  // The other's is renewed beforehand, so that the order of the two says nothing.
  await testAlias(other.id);
  at.mailbox.clear();
  await campaign([hangs.id], 1);
  await campaign([other.id], 1);
  at.oauth.faults.order("slow", 1);
  const before = at.lines.length;
  let isOver = false;
  const ticking = tick().finally(() => (isOver = true));
  await eventually("the other's message is there", async () => (await arrived()).length > 0);
  expect([isOver, at.lines.slice(before).filter((line) => line.includes("not_renewed"))]).toEqual([
    false,
    [],
  ]);
  await ticking;
  expect(await arrived()).toEqual([other.email]);
});

test("a single email goes out by the token too, and fails in words where there is none", async () => {
  const alias = await connectedAlias();
  const send = async () => {
    const { body } = await tenant.call("POST", "/api/v1/mailer/emails", {
      alias_id: alias.id,
      to_email: "lead@inbox.zz",
      subject: "S",
      body: "B",
    });
    return { id: body.id as string, end: await deliverEmail(at.api.deps, body.id) };
  };
  expect((await send()).end).toBe("sent");
  at.oauth.grants.revoke(alias.email);
  const { id, end } = await send();
  expect(end).toBe("failed");
  const { rows } = await at.api.sql.query("select error from emails where id = $1", [id]);
  expect(rows[0].error).toContain("The consent for this mailbox has ended");
});

test("no token, code, state, verifier or secret is in a table, the log, the queue, the cache or an answer", async () => {
  const { api, oauth, lines } = at;
  const answers: string[] = [];
  const secrets = new Set<string>();
  const seen = fetchesOf(secrets);
  for (const fault of [null, "invalid_grant", "html", "lost_answer", "wrong_json", "rotate"]) {
    const { body: alias } = await oauthAlias({
      oauth: { provider: "google", client_id: OWN_APP.id, client_secret: OWN_APP.secret },
    });
    if (fault !== null) oauth.faults.order(fault, 1);
    answers.push((await connect(alias.id, alias.email)).text);
    await connect(alias.id, alias.email);
    await campaign([alias.id], 1);
    api.advance(3600);
    if (fault !== null) oauth.faults.order(fault, 1);
    await tick();
    oauth.grants.revoke(alias.email);
    answers.push(JSON.stringify([await testAlias(alias.id), await aliasNow(alias.id)]));
  }
  await api.settled();
  seen.stop();
  const { rows: tables } = await api.sql.query(
    "select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'",
  );
  const dumps: string[] = [];
  for (const { name } of tables) {
    const { rows } = await api.sql.query(`select to_jsonb(t)::text as row from "${name}" t`);
    dumps.push(...rows.map(({ row }) => row));
  }
  const places = {
    tables: dumps.join("\n"),
    log: lines.join("\n"),
    queue: JSON.stringify(api.qstash.log.entries()),
    cache: JSON.stringify(api.redis.log.entries()),
    answers: answers.join("\n"),
  };
  secrets.add(OWN_APP.secret);
  expect(secrets.size).toBeGreaterThan(30);
  expect(places.log.length).toBeGreaterThan(100);
  for (const [place, text] of Object.entries(places))
    for (const secret of secrets)
      expect([place, secret, text.includes(secret)]).toEqual([place, secret, false]);
});

/** Every code, verifier and token that goes over the wire from now on. */
function fetchesOf(secrets: Set<string>) {
  const { grants } = at.oauth;
  const { redeem, renew, addCode } = grants;
  const note = <Result extends { accessToken: string; refreshToken?: string } | null>(
    result: Result,
  ): Result => {
    if (result !== null) secrets.add(result.accessToken);
    if (result?.refreshToken !== undefined) secrets.add(result.refreshToken);
    return result;
  };
  Object.assign(grants, {
    addCode(...args: Parameters<typeof addCode>) {
      const code = addCode(...args);
      secrets.add(code);
      return code;
    },
    redeem(...args: Parameters<typeof redeem>) {
      if (args[1]["verifier"]) secrets.add(args[1]["verifier"]);
      return note(redeem(...args));
    },
    renew: (...args: Parameters<typeof renew>) => note(renew(...args)),
  });
  return { stop: () => Object.assign(grants, { redeem, renew, addCode }) };
}
