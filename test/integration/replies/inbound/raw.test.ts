import { randomBytes, randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { LARGEST_RAW } from "#src/domain/replies/conversations/raw.ts";
import { receiveMail } from "#src/domain/replies/inbound/receive.ts";
import { fullCheck } from "#src/domain/jobs/maintenance.ts";
import { postMail, rawMail } from "../../../support/incoming.ts";
import { sending, tenant, useSending } from "../../../support/sending.ts";

useSending();

const LEAD = "lead1@example.zz";
const rawsKept = async () =>
  (
    await sending.api.sql.query(
      "select from raw_mails r join conversation_messages m on m.id = r.message_id where m.workspace_id = $1",
      [tenant.workspaceId],
    )
  ).rowCount;

/** A campaign's message that went out, to be answered. */
async function sentMessage() {
  const { campaignId } = await sending.campaign(tenant, { leads: 1 });
  await sending.tick();
  const [sent] = await sending.sendsOf(campaignId);
  return sent as { id: string; message_id: string };
}

const replyTo = (
  messageId: string,
  body = `Tell me more ${randomUUID()}`,
): Uint8Array<ArrayBuffer> => {
  const text = rawMail({
    from: LEAD,
    to: "me@sender.zz",
    headers: [`In-Reply-To: ${messageId}`],
    contentType: "text/plain; charset=iso-8859-1",
    body,
  });
  return new Uint8Array(Buffer.from(text, "latin1"));
};

const conversation = async () => {
  const { items } = (await tenant.call("GET", "/api/v1/conversations")).body;
  const path = `/api/v1/conversations/${items[0].id}`;
  const { messages } = (await tenant.call("GET", path)).body;
  const of = (direction: string) =>
    messages.find((message: { direction: string }) => message.direction === direction)?.id;
  return { path, incoming: of("in") as string, outgoing: of("out") as string };
};

const getRaw = (path: string, id: string, key = tenant.key) =>
  sending.api.request(`${path}/messages/${id}/raw`, {
    headers: { authorization: `Bearer ${key}` },
  });
const refusal = async (path: string, id: string, key = tenant.key) => {
  const reply = await getRaw(path, id, key);
  return [reply.status, ((await reply.json()) as { detail: string }).detail];
};

test("a reply is given out byte for byte, as a file that nothing can take for a page", async () => {
  const { message_id } = await sentMessage();
  const raw = replyTo(
    message_id,
    "Gr\u00fc\u00dfe \u0000\u00ff <script>x()</script>\r\n.\r\n\n bare",
  );
  expect((await postMail(sending.api, raw, "me@sender.zz")).status).toBe(200);
  expect((await postMail(sending.api, raw, "me@sender.zz")).status).toBe(200);
  expect(await rawsKept()).toBe(1);
  const { path, incoming } = await conversation();
  const reply = await getRaw(path, incoming);
  expect(reply.status).toBe(200);
  expect(Buffer.from(await reply.arrayBuffer()).equals(Buffer.from(raw))).toBe(true);
  expect(Object.fromEntries(reply.headers)).toMatchObject({
    "content-type": "message/rfc822",
    "content-disposition": `attachment; filename="${incoming}.eml"`,
    "content-security-policy": "sandbox; default-src 'none'",
    "x-content-type-options": "nosniff",
    "cache-control": "private, no-store",
  });
});

test("what was sent is not kept raw, and what belongs elsewhere is not there", async () => {
  const { message_id } = await sentMessage();
  await postMail(sending.api, replyTo(message_id), "me@sender.zz");
  const { path, incoming, outgoing } = await conversation();
  expect(await refusal(path, outgoing)).toEqual([404, "RAW_NOT_KEPT"]);
  expect(await refusal(path, randomUUID())).toEqual([404, "MESSAGE_NOT_FOUND"]);
  const stranger = await sending.api.tenant();
  expect(await refusal(path, incoming, stranger.key)).toEqual([404, "CONVERSATION_NOT_FOUND"]);
  const other = `/api/v1/conversations/${randomUUID()}`;
  expect(await refusal(other, incoming)).toEqual([404, "CONVERSATION_NOT_FOUND"]);
});

test("up to 1 MiB is kept, and nothing of a larger one", async () => {
  const { message_id } = await sentMessage();
  const base = replyTo(message_id, "");
  const bodyOf = (length: number) =>
    randomBytes(length)
      .toString("latin1")
      .replace(/[\r\n]/g, "x");
  const whole = replyTo(message_id, bodyOf(LARGEST_RAW - base.length));
  expect(whole).toHaveLength(LARGEST_RAW);
  await postMail(sending.api, whole, "me@sender.zz");
  const { path, incoming } = await conversation();
  const reply = await getRaw(path, incoming);
  expect(Buffer.from(await reply.arrayBuffer()).equals(Buffer.from(whole))).toBe(true);
  await postMail(
    sending.api,
    replyTo(message_id, bodyOf(LARGEST_RAW - base.length + 1)),
    "me@sender.zz",
  );
  expect(await rawsKept()).toBe(1);
  expect((await tenant.call("GET", path)).body.messages).toHaveLength(3);
});

test("it is forgotten after 90 days, and the conversation still has what it says", async () => {
  const { message_id } = await sentMessage();
  await postMail(sending.api, replyTo(message_id), "me@sender.zz");
  const { path, incoming } = await conversation();
  sending.api.advance(89 * 86_400);
  await fullCheck(sending.api.deps);
  expect((await getRaw(path, incoming)).status).toBe(200);
  sending.api.advance(2 * 86_400);
  await fullCheck(sending.api.deps);
  expect(await refusal(path, incoming)).toEqual([404, "RAW_NOT_KEPT"]);
  expect((await tenant.call("GET", path)).text).toContain("Tell me more");
});

test("who is erased is erased there too, and with 0 days nothing is kept", async () => {
  const { message_id } = await sentMessage();
  await postMail(sending.api, replyTo(message_id), "me@sender.zz");
  expect(await rawsKept()).toBe(1);
  await tenant.call("POST", "/api/v1/leads/erase", { email: LEAD });
  expect(await rawsKept()).toBe(0);

  const { deps } = sending.api;
  const again = await sentMessage();
  const keepsNone = { ...deps, settings: { ...deps.settings, rawMailDays: 0 } };
  await receiveMail(keepsNone, replyTo(again.message_id), { from: LEAD, to: "me@sender.zz" });
  expect(await rawsKept()).toBe(0);
});
