import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { postMail, rawMail } from "../../../support/incoming.ts";
import { sending, tenant, useSending } from "../../../support/sending.ts";

useSending();

const PATH = "/api/v2/conversations";
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox";

/** A campaign's message, and what its lead answers to it. */
async function answered(body: string, contentType = "text/html; charset=utf-8") {
  const { campaignId } = await sending.campaign(tenant, { leads: 1 });
  await sending.tick();
  const [sent] = await sending.sendsOf(campaignId);
  const mail = rawMail({
    from: "lead1@example.zz",
    to: "me@sender.zz",
    headers: [`In-Reply-To: ${sent!["message_id"]}`],
    contentType,
    body,
  });
  expect((await postMail(sending.api, mail, "me@sender.zz")).status).toBe(200);
  const { items } = (await tenant.call("GET", `${PATH}?campaign_id=${campaignId}`)).body;
  const at = `${PATH}/${items[0].id}`;
  const { messages } = (await tenant.call("GET", at)).body;
  const of = (direction: string) =>
    messages.find((message: { direction: string }) => message.direction === direction).id as string;
  return { at, incoming: of("in"), outgoing: of("out") };
}

const getPage = (at: string, id: string, more = "", key = tenant.key) =>
  sending.api.request(`${at}/messages/${id}/html${more}`, {
    headers: { authorization: `Bearer ${key}` },
  });
const refusal = async (at: string, id: string) => {
  const reply = await getPage(at, id);
  return [reply.status, ((await reply.json()) as { code: string }).code];
};

test("a message's page is given out sanitised, under a policy by which it runs nothing and asks nobody", async () => {
  const { at, incoming, outgoing } = await answered(
    `<p onclick="x()">Grüße <b>there</b></p><script>x()</script><img src="https://evil.zz/p.gif"><form action="https://evil.zz"><input></form>`,
  );
  const reply = await getPage(at, incoming);
  expect(reply.status).toBe(200);
  expect(Object.fromEntries(reply.headers)).toMatchObject({
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": POLICY,
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "cache-control": "private, no-store",
  });
  const page = await reply.text();
  expect(page).toContain("<p>Grüße <b>there</b></p>");
  expect(page).not.toMatch(/script|onclick|form|input/);
  const ours = await getPage(at, outgoing);
  expect([ours.status, ours.headers.get("content-security-policy")]).toEqual([200, POLICY]);
});

test("its pictures are let through where that is asked for, and nothing else", async () => {
  const { at, incoming } = await answered("<p>Hello</p>");
  const policyFor = async (more: string) =>
    (await getPage(at, incoming, more)).headers.get("content-security-policy");
  expect(await policyFor("?images=false")).toBe(POLICY);
  expect(await policyFor("?images=true")).toBe(
    POLICY.replace("img-src data:", "img-src data: https: http:"),
  );
  expect((await getPage(at, incoming, "?images=yes")).status).toBe(422);
});

test("a message without a page, of another thread or of nobody is 404 and says which", async () => {
  const { at, incoming } = await answered("Plain words.", "text/plain");
  expect(await refusal(at, incoming)).toEqual([404, "HTML_NOT_KEPT"]);
  expect(await refusal(at, randomUUID())).toEqual([404, "MESSAGE_NOT_FOUND"]);
  expect(await refusal(`${PATH}/${randomUUID()}`, incoming)).toEqual([
    404,
    "CONVERSATION_NOT_FOUND",
  ]);
});
