import { expect, test } from "vitest";
import { postMail } from "../../../support/incoming.ts";
import { sending, useSending } from "../../../support/sending.ts";
import { reply, sentOne, suppressions } from "./inbound-setting.ts";

useSending();

test("a relay that does not tell the envelope's sender hands in a person's reply all the same", async () => {
  const { alias, messageId, lead } = await sentOne();
  const { body } = await postMail(sending.api, reply(alias, messageId), alias, { from: null });
  expect(body).toEqual({ duplicate: false, class: "reply", matched_by: "message_id" });
  expect((await lead()).status).toBe("replied");
});

test("and a wish for no more mail", async () => {
  const { alias, messageId } = await sentOne();
  const wish = reply(alias, messageId, { body: "Please remove me from your list.\r\n" });
  await postMail(sending.api, wish, alias, { from: null });
  expect(await suppressions()).toEqual([{ value: "lead1@example.zz", reason: "unsubscribe" }]);
});

test.each([
  ["that the relay tells", "", []],
  ["that only the mail's own header tells", null, ["Return-Path: <>"]],
])("a null sender %s is a machine's", async (_, from, headers) => {
  const { alias, messageId, lead } = await sentOne();
  const raw = reply(alias, messageId, { headers: [`In-Reply-To: <${messageId}>`, ...headers] });
  expect((await postMail(sending.api, raw, alias, { from })).body.class).toBe("auto_reply");
  expect((await lead()).status).toBe("active");
});
