/** What servers say is decoded and cut, and may come out as a text that Postgres refuses: it costs nobody a message. */
import * as net from "node:net";
import { afterAll, expect, test } from "vitest";
import { bounceMail, postMail } from "../../support/incoming.ts";
import { queryOf } from "../../support/query.ts";
import { sending, tenant, useSending } from "../../support/sending.ts";

useSending();
const query = queryOf(() => sending.api.sql);
const sendsOf = (campaignId: string) => sending.sendsOf(campaignId);

/** A reply of which the last character that is kept is half of one. */
const CUT = `${"x".repeat(489)}😀 and more`;
const closers: (() => void)[] = [];
afterAll(() => closers.forEach((close) => close()));

/** A relay that takes everything, and says so in these words. */
async function relaySaying(words: string): Promise<{ host: string; port: number }> {
  const server = net.createServer((socket) => {
    const say = (line: string) => socket.write(`${line}\r\n`);
    let isData = false;
    let rest = "";
    socket.on("error", () => {});
    socket.on("data", (chunk) => {
      rest += chunk.toString("latin1");
      for (let end = rest.indexOf("\r\n"); end >= 0; end = rest.indexOf("\r\n")) {
        const line = rest.slice(0, end);
        rest = rest.slice(end + 2);
        if (isData && line !== ".") continue;
        if (isData) say(words);
        else if (/^EHLO/i.test(line)) say("250-relay.zz\r\n250-8BITMIME\r\n250 AUTH PLAIN LOGIN");
        else if (/^AUTH/i.test(line)) say("235 2.7.0 Accepted");
        else say(/^DATA/i.test(line) ? "354 Go on" : "250 2.0.0 OK");
        isData = !isData && /^DATA/i.test(line);
      }
    });
    say("220 relay.zz ESMTP");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(() => server.close());
  return { host: "127.0.0.1", port: (server.address() as net.AddressInfo).port };
}

test.each([
  ["takes it", `250 2.0.0 ${CUT}`, "accepted"],
  ["refuses it", `550 5.7.1 ${CUT}`, "retry_wait"],
])(
  "a relay that %s in words whose cut halves a character costs no other tenant",
  async (_how, words, state) => {
    const other = await sending.api.tenant();
    const theirs = await sending.campaign(other, { leads: 2, smtp: await relaySaying(words) });
    const ours = await sending.campaign(tenant, { leads: 2 });
    await sending.tick();
    const [own, foreign] = [await sendsOf(ours.campaignId), await sendsOf(theirs.campaignId)];
    expect(own.map((send) => send.state)).toEqual(["accepted"]);
    expect(foreign.map((send) => send.state)).toEqual([state]);
  },
);

test("a bounce whose words are cut in the middle of a character ends the lead and suppresses its address", async () => {
  const { campaignId, aliasIds } = await sending.campaign(tenant, { leads: 1 });
  await sending.tick();
  const [send] = await sendsOf(campaignId);
  const { body: alias } = await tenant.call("GET", `/api/v1/mailer/aliases/${aliasIds[0]}`);
  const recipient = send.email_key as string;
  const diagnostic = `550 5.1.1 ${"x".repeat(477)}😀 user unknown`;
  const mail = bounceMail({
    to: alias.email,
    recipient,
    status: "5.1.1",
    diagnostic,
    originalMessageId: send.message_id,
  });
  expect((await postMail(sending.api, mail, alias.email)).status).toBe(200);
  const rows =
    await query`select value, reason from suppressions where workspace_id = ${tenant.workspaceId}`;
  expect(rows).toEqual([{ value: recipient, reason: "hard_bounce" }]);
});
