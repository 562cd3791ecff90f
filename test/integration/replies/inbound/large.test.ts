import { expect, test } from "vitest";
import { api, useApi } from "../../../support/use-api.ts";

useApi();

const MIB = 1024 * 1024;

/** A mail that nobody signed, so that reading it is all that is done: 401 once it was read. */
const send = (body: BodyInit | ReadableStream) =>
  api.request("/api/v1/mailer/inbound", {
    method: "POST",
    headers: { "content-type": "message/rfc822", "x-envelope-to": "max@overture.test" },
    body,
    duplex: "half",
  } as RequestInit);

/** A body that has sent so much and goes on when it is told to. */
function waiting(size: number) {
  const sent = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  let left = size;
  const body = new ReadableStream(
    {
      async pull(controller) {
        if (left > 0) {
          controller.enqueue(new Uint8Array(Math.min(left, MIB)));
          left -= MIB;
          return;
        }
        sent.resolve();
        await goOn.promise;
        controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  return { body, sent: sent.promise, goOn: goOn.resolve };
}

test("of two of the largest mails at once the second is put off, and a small one is not", async () => {
  const first = waiting(40 * MIB);
  const answer = send(first.body);
  await first.sent;
  const second = await send(new Uint8Array(40 * MIB));
  expect([second.status, await second.json()]).toMatchObject([503, { detail: "BUSY" }]);
  expect(Number(second.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await send("Subject: small\r\n\r\nmail")).status).toBe(401);
  first.goOn();
  expect((await answer).status).toBe(401);
  // What was held is free again, whatever came of it.
  expect((await send(new Uint8Array(40 * MIB))).status).toBe(401);
});
