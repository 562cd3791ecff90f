import { expect, test } from "vitest";
import { readHeaderBlock } from "#src/domain/replies/inbound/header-fields.ts";
import {
  isReturnTest,
  RETURN_TEST_FIELDS,
  RETURN_TEST_HEADER,
  RETURN_TEST_ID,
  returnTestMarks,
} from "#src/domain/replies/inbound/return-test.ts";
import { createReturnTestTokens } from "#src/domain/senders/return-test-token.ts";

const TEST = {
  aliasId: "01a1fc0c-6921-718e-aa4a-ab45df202f29",
  askedAt: new Date("2026-11-22T09:00:07Z"),
};
const tokens = createReturnTestTokens(["secret"]);
const token = await tokens.sign(TEST);
const marks = (...lines: string[]) => returnTestMarks(readHeaderBlock(lines.join("\r\n")));

test("a token says of which alias and when, in any case, and only by the secret that made it", async () => {
  expect(await tokens.read(token)).toEqual(TEST);
  expect(await tokens.read(token.toUpperCase())).toEqual(TEST);
  expect(await createReturnTestTokens(["another"]).read(token)).toBeNull();
  for (const wrong of ["", "a", token.slice(1), `${token}a`, `ü${token.slice(1)}`])
    expect(await tokens.read(wrong)).toBeNull();
});

test("it stands in three fields, and each is found by itself", () => {
  expect(marks(`${RETURN_TEST_HEADER}: ${token}`).own).toEqual([token]);
  expect(marks(`Message-ID: <${RETURN_TEST_ID}${token}@sender.zz>`).own).toEqual([token]);
  expect(marks("Subject: Fwd: Do replies reach Overture?", ` [${token}]`)).toEqual({
    own: [],
    subject: [token],
  });
  expect(RETURN_TEST_FIELDS).toContain(RETURN_TEST_HEADER.toLowerCase());
});

test.each([
  "Subject: [urgent] Hello",
  `Subject: ${token}`,
  `In-Reply-To: <${RETURN_TEST_ID}${token}@sender.zz>`,
  `X-Overture-Return-Test: ${token} and more`,
  "Message-ID: <return-test.@sender.zz>",
])("%s is none", (line) => {
  expect(isReturnTest(readHeaderBlock(line))).toBe(false);
});
