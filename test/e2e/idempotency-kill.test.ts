import { expect, test } from "vitest";
import { killableService } from "../support/shared-service.ts";

test("a request with a key takes effect once, at whichever of its calls the Worker is killed", async () => {
  const { service, points } = await killableService(["database"]);
  const create = async (name: string) => {
    const reply = await fetch(`${service.baseUrl}/api/v2/templates`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${service.access.api_key}`,
        "content-type": "application/json",
        "idempotency-key": name,
      },
      body: JSON.stringify({ name, subject: "Hi", body: "Hello" }),
    }).catch(() => null);
    return reply === null ? null : { status: reply.status, body: (await reply.json()) as Body };
  };
  await create("the first use of the API key is noted");
  points.arm(0);
  const ends = new Set<string>();
  let struck = 0;
  // Until a request has no call of that number; what runs beside it may have one more in one of them.
  for (let target = 1; target <= 20; target++) {
    const name = `killed at ${target}`;
    points.arm(target);
    await create(name);
    if (!points.struck()) break;
    struck++;
    await service.untilUp();
    points.arm(0);
    let reply = await create(name);
    if (reply?.body.code === "IDEMPOTENCY_IN_PROGRESS") {
      await service.advance(60);
      reply = await create(name);
    }
    const { rows } = await service.sql.query("select id from templates where name = $1", [name]);
    expect([name, rows.length]).toEqual([name, 1]);
    const { id, code, took_effect, resource_id } = reply!.body;
    if (reply!.status === 201) expect(id).toBe(rows[0].id);
    else
      expect([code, took_effect, resource_id]).toEqual([
        "IDEMPOTENCY_ANSWER_LOST",
        true,
        rows[0].id,
      ]);
    ends.add(code ?? "answered");
  }
  expect(struck).toBeGreaterThanOrEqual(3);
  expect([...ends].toSorted()).toEqual(["IDEMPOTENCY_ANSWER_LOST", "answered"]);
});

interface Body {
  id?: string;
  code?: string;
  took_effect?: true | null;
  resource_id?: string;
}
