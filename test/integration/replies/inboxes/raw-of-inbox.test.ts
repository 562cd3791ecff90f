import { expect, test } from "vitest";
import { LARGEST_RAW } from "#src/domain/replies/conversations/raw.ts";
import { readNext, replyTo, sending, sentOne, tenant, useReading } from "./reading-setting.ts";

useReading();

/** A reply of exactly so many bytes. */
function sized(messageId: string, email: string, bytes: number): string {
  const empty = replyTo(messageId, email, { body: "" });
  return replyTo(messageId, email, { body: "x".repeat(bytes - empty.length) });
}

test("a mail out of an inbox is kept raw up to 1 MiB, byte for byte, and nothing of a larger one", async () => {
  const { messageId, email, put } = await sentOne();
  const whole = sized(messageId, email, LARGEST_RAW);
  expect(whole).toHaveLength(LARGEST_RAW);
  put(whole);
  put(sized(messageId, email, LARGEST_RAW + 1));
  await readNext();
  const [{ id }] = (await tenant.call("GET", "/api/v1/conversations")).body.items;
  const path = `/api/v1/conversations/${id}`;
  const incoming = (await tenant.call("GET", path)).body.messages.filter(
    (message: { direction: string }) => message.direction === "in",
  );
  const raws = await Promise.all(
    incoming.map(async (message: { id: string }) => {
      const answer = await sending.api.request(`${path}/messages/${message.id}/raw`, {
        headers: { authorization: `Bearer ${tenant.key}` },
      });
      if (answer.status !== 200) return answer.status;
      return (await answer.text()) === whole ? "whole" : "cut";
    }),
  );
  expect(raws.toSorted()).toEqual([404, "whole"]);
});
