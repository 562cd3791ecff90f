import { expect, test } from "vitest";
import { createReturnPathTokens } from "#src/domain/senders/return-path-token.ts";
import { rawMail } from "../../../support/incoming.ts";
import { useSending } from "../../../support/sending.ts";
import { post, sentOne, suppressions } from "./inbound-setting.ts";

useSending();

const LEGAL = "This e-mail is confidential and meant for those whom it names alone. ".repeat(5);

test.each([
  ["as it is", ""],
  ["with a signature that nothing marks as one", `Ada Lead\r\nExample Ltd\r\n\r\n${LEGAL}`],
])("the mail to List-Unsubscribe's address suppresses, %s", async (_, body) => {
  const { send, lead } = await sentOne();
  const tokens = createReturnPathTokens(["tracking-secret-for-tests"]);
  const to = await tokens.address(send.id, "bounce.sender.zz");
  const raw = rawMail({ from: "Ada <lead1@example.zz>", to, subject: "unsubscribe", body });
  expect((await post(raw, to)).body).toMatchObject({ class: "reply", matched_by: "token" });
  expect((await lead()).status).toBe("unsubscribed");
  expect(await suppressions()).toEqual([{ value: "lead1@example.zz", reason: "unsubscribe" }]);
});
