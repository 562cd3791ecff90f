import { beforeAll, expect, test } from "vitest";
import { findChromium, openChromium } from "../integration/stack/chromium.ts";
import { aimAtMissed, type KillPoints, targetsAmong } from "../support/kill-points.ts";
import { killableService, type SharedService } from "../support/shared-service.ts";

let service: SharedService;
let points: KillPoints;

beforeAll(async () => {
  ({ service, points } = await killableService(["database", "Stripe"]));
});

interface Purchase {
  session_id: string;
  checkout_url: string;
}

interface Balance {
  available: number;
  owed: number;
  plan: string;
}

/** A call with the login of the demo's free workspace, or another credential. */
async function call<Body>(
  method: string,
  path: string,
  body?: unknown,
  credential = service.access.free_jwt,
): Promise<Body> {
  const reply = await fetch(service.baseUrl + path, {
    method,
    headers: {
      authorization: `Bearer ${credential}`,
      "content-type": "application/json",
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${await reply.text()}`);
  return (await reply.json()) as Body;
}

const balance = () => call<Balance>("GET", "/api/v1/payments/balance");
const buy = (mark: string, credential?: string) =>
  call<Purchase>(
    "POST",
    "/api/v1/payments/purchase-credits",
    {
      pack_id: "starter",
      success_url: `${service.baseUrl}/health?session={CHECKOUT_SESSION_ID}&mark=${mark}`,
      cancel_url: `${service.baseUrl}/health`,
    },
    credential,
  );

/** Ends the killing, and waits for the Worker that comes after the last kill. */
async function recover(): Promise<void> {
  points.arm(0);
  await service.untilUp();
}

const atStripe = (path: string) =>
  fetch(`${service.stack.payments.url}/api/${path}`, { method: "POST", body: "{}" });

/** Sessions that Stripe made for the orders with this mark. */
async function sessionsOf(mark: string): Promise<string[]> {
  const listed = await fetch(`${service.stack.payments.url}/api/payments`);
  const { payments } = (await listed.json()) as { payments: { id: string; success_url: string }[] };
  return payments.filter((each) => each.success_url.endsWith(`mark=${mark}`)).map(({ id }) => id);
}

const executable = findChromium();
if (executable === null) console.log("browser: not run (no chromium)");

test.runIf(executable !== null)(
  "credits are bought in a browser on the hosted page, seen, refunded there, and gone",
  async () => {
    const browser = await openChromium(executable!);
    try {
      const page = await browser.context.newPage();
      expect(await balance()).toMatchObject({ available: 0, plan: "free" });
      const { checkout_url: url, session_id: session } = await buy("browser");
      await page.goto(url);
      await page.getByText("1000 credits").first().waitFor();
      await page.getByRole("button", { name: "Pay", exact: true }).click();
      await page.waitForURL(`${service.baseUrl}/health?session=${session}&mark=browser`);
      expect(await balance()).toMatchObject({ available: 1000, plan: "paid" });

      await page.goto(service.stack.payments.url);
      const payment = page.getByLabel(session);
      const refund = async (amount: string) => {
        await payment.getByLabel("Amount to refund").fill(amount);
        await payment.getByRole("button", { name: "Refund" }).click();
      };
      await refund("950");
      await expect.poll(balance).toMatchObject({ available: 500, plan: "paid" });
      await refund("");
      await expect.poll(balance).toEqual({ available: 0, held: 0, owed: 0, plan: "free" });
    } finally {
      await browser.close();
    }
  },
);

test("the Worker killed point by point of a purchase: the next click opens the one page there is", async () => {
  // The paid workspace, whose quota is larger than what follows.
  const key = service.access.api_key;
  points.arm(0);
  await buy("counted", key);
  const count = points.passed().length;
  expect(points.passed().some((name) => name.startsWith("Stripe POST"))).toBe(true);
  const killedAt: string[] = [];
  let kills = 0;
  const strike = async (target: number, isMeant?: (name: string) => boolean) => {
    const mark = `kill${++kills}`;
    points.arm(target, isMeant);
    await buy(mark, key).catch(() => null);
    if (points.struck()) killedAt.push(points.passed().at(-1)!);
    await recover();
    const { session_id: session } = await buy(mark, key);
    const at = killedAt.at(-1);
    expect({ at, sessions: await sessionsOf(mark) }).toEqual({ at, sessions: [session] });
  };
  for (const target of targetsAmong(count, 2)) await strike(target);
  const missed = await aimAtMissed(["database", "Stripe POST"], killedAt, strike);
  console.log(`${count} points of a purchase, killed at ${killedAt.length}`);
  const { rows } = await service.sql.query(
    "select success_url from payment_orders group by workspace_id, success_url having count(*) > 1",
  );
  expect(rows).toEqual([]);
  expect(missed, "never killed at").toEqual([]);
});

test("the Worker killed point by point of an event: it comes again, and counts once", async () => {
  const before = (await balance()).available;
  let bought = 0;
  const killedAt: string[] = [];
  const payAndCount = async (target: number, isMeant?: (name: string) => boolean) => {
    const { session_id: session } = await buy(`paid${bought}`);
    points.arm(target, isMeant);
    await atStripe(`sessions/${session}/pay`);
    await service.stack.payments.idle();
    const passed = points.passed();
    if (points.struck()) killedAt.push(passed.at(-1)!);
    await recover();
    // Stripe's first retry.
    await service.advance(61);
    await service.stack.payments.idle();
    bought += 1000;
    const at = passed.at(-1);
    expect({ at, granted: (await balance()).available - before }).toEqual({ at, granted: bought });
    return passed;
  };
  const { length: count } = await payAndCount(0);
  for (const target of targetsAmong(count, 2)) await payAndCount(target);
  const missed = await aimAtMissed(["database"], killedAt, async (...aim) => {
    await payAndCount(...aim);
  });
  expect(missed, "never killed at").toEqual([]);
  console.log(`${count} points of an event, killed at ${killedAt.length}`);
  const { rows } = await service.sql.query(
    `select b.workspace_id from credit_balances b join payment_orders o using (workspace_id)
     left join credit_entries e using (workspace_id)
     group by b.workspace_id, b.available, b.owed, o.id
     having b.available <> sum(e.available_delta) or b.owed <> sum(e.owed_delta)`,
  );
  expect(rows).toEqual([]);
});
