/** When a receiver is left alone, and what ends that. */
import { expect, test } from "vitest";
import { RETRY_MS } from "#src/domain/workspace/webhooks/schedule.ts";
import {
  api,
  deliver,
  deliveries,
  happen,
  hook,
  idsOf,
  read,
  receiver,
  tenant,
  useReceiver,
} from "./setting.ts";

useReceiver();

test("one that fails alone, time and again, holds up none that comes later, and loses none of its waits", async () => {
  const made = await hook();
  const [poison] = await happen(1);
  receiver.answer(({ body }, response) =>
    response.writeHead(body.id === poison ? 500 : 200).end("not that one"),
  );
  await deliver();
  const waits: number[] = [];
  for (let attempt = 1; attempt <= RETRY_MS.length; attempt++) {
    const [row] = await deliveries(made);
    expect(row).toMatchObject({ attempts: attempt, state: "waiting" });
    waits.push(Math.round((row.next_at - row.updated_at) / 1000) * 1000);
    api.advance(Math.ceil((row.next_at.getTime() - api.deps.clock.now().getTime()) / 1000));
    await deliver();
    expect(idsOf(receiver.received).at(-1)).toBe(poison);
    // Before its next turn, which the first time is but 5 s away.
    if (attempt === 1) continue;
    api.advance(3);
    const [fresh] = await happen(1);
    await deliver();
    expect(idsOf(receiver.received).at(-1)).toBe(fresh);
  }
  expect(waits).toEqual([...RETRY_MS]);
  expect(await deliveries(made)).toMatchObject([{ attempts: 10, state: "dead" }]);
});

test("where two fail that came one after the other, the third is not tried before its time", async () => {
  await hook();
  receiver.status(500);
  await happen(1);
  await deliver();
  // Its next turn is five minutes away.
  api.advance(6);
  await deliver();
  const [second] = await happen(1);
  await deliver();
  expect(idsOf(receiver.received).at(-1)).toBe(second);
  const [third] = await happen(1);
  await deliver();
  expect(idsOf(receiver.received)).not.toContain(third);
});

test("what fails as its receiver is up again has its own wait, and is not tried twice", async () => {
  const made = await hook();
  receiver.status(500);
  const [poison] = await happen(2);
  await deliver();
  api.advance(6);
  await deliver();
  receiver.answer(({ body }, response) =>
    response.writeHead(body.id === poison ? 500 : 200).end("not that one"),
  );
  api.advance(301);
  await deliver();
  expect(await deliveries(made)).toMatchObject([
    { event_id: poison, state: "waiting", attempts: 3 },
    { state: "delivered", attempts: 3 },
  ]);
});

test("one that is sent again by hand, and gets through, says of no other that the receiver was down", async () => {
  const made = await hook();
  receiver.status(500);
  const [dead] = await happen(1);
  await deliver();
  await api.sql.query("update webhook_deliveries set state = 'dead', next_at = null");
  receiver.status(200);
  await happen(1);
  await deliver();
  const [poison] = await happen(1);
  receiver.answer(({ body }, response) =>
    response.writeHead(body.id === poison ? 500 : 200).end("not that one"),
  );
  await deliver();
  api.advance(6);
  await deliver();
  const rowOf = async (id: string | undefined) =>
    (await deliveries(made)).find(({ event_id: eventId }) => eventId === id);
  const before = await rowOf(poison);
  expect(before).toMatchObject({ attempts: 2 });
  const { id } = await rowOf(dead);
  await tenant.call("POST", `${made.path}/deliveries/${id}/redeliver`);
  await deliver();
  expect(await rowOf(dead)).toMatchObject({ state: "delivered" });
  expect(await rowOf(poison)).toEqual(before);
});

test("of an address that is mended in the middle of an attempt the old one's answer counts no more", async () => {
  const made = await hook();
  const old = receiver.url;
  const ids = await happen(1);
  receiver.answer(async (_, response) => {
    await tenant.call("PATCH", made.path, { url: `${old}new` });
    receiver.status(200);
    response.writeHead(410).end();
  });
  await deliver();
  expect(await read(made)).toMatchObject({ status: "active", failing_since: null });
  await deliver();
  expect(idsOf(receiver.received)).toEqual([...ids, ...ids]);
});

test("an address that is mended has none of the old one's rest, nor what waits its waits", async () => {
  const made = await hook();
  receiver.status(500);
  const ids = await happen(3);
  await deliver();
  api.advance(6);
  await deliver();
  receiver.status(200);
  const tried = receiver.received.length;
  await tenant.call("PATCH", made.path, { url: receiver.url, description: "The same" });
  await deliver();
  expect(receiver.received).toHaveLength(tried);
  await tenant.call("PATCH", made.path, { url: `${receiver.url}new` });
  await deliver();
  expect(idsOf(receiver.received.slice(tried)).toSorted()).toEqual(ids.toSorted());
});
