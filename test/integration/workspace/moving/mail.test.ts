/** Mail that comes while its workspace moves: it is refused for now, and the same bytes take effect in the other cell. */
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { signInbound } from "#src/domain/replies/inbound/signature.ts";
import { Died, runMove } from "../../../support/cells.ts";
import { bounceMail, rawMail } from "../../../support/incoming.ts";
import { patience } from "../../../support/patience.ts";
import { queryOf } from "../../../support/query.ts";
import { type RoutedCells, startRoutedCells } from "../../../support/routed-cells.ts";
import { sending, tenant, useSending } from "../../../support/sending.ts";

vi.setConfig({ testTimeout: patience(60_000) });

useSending();
const query = queryOf(() => sending.api.sql);
let cells: RoutedCells;
beforeAll(async () => {
  cells = await startRoutedCells(sending.api);
});
afterAll(() => cells.close());

const now = () => sending.api.deps.clock.now();
const move = (statements?: number) =>
  runMove([sending.api.databaseUrl, cells.other.url], tenant.workspaceId, {
    now,
    name: "big",
    ...(statements && { statements }),
  });
const isDead = (error: unknown): boolean =>
  error instanceof Died || (error instanceof Error && isDead(error.cause));

/** The move's process dies with the fence up, and nothing copied. */
async function leaveHalfMoved(): Promise<void> {
  for (let statements = 30; ; statements += 3) {
    const end = await move(statements).catch((error: unknown) => error);
    if (!isDead(end)) throw end;
    const [{ fences }] =
      await query`select count(*)::int as fences from pg_trigger where tgname like 'moving%'`;
    if (fences > 0) return;
  }
}

/** As a relay posts it, which does not tell the envelope's sender. */
async function bring(text: string, to: string) {
  const raw = new TextEncoder().encode(text);
  const secret = sending.api.deps.settings.inboundSecret!;
  const signature = await signInbound(secret, { at: now(), to, raw });
  const answer = await cells.ask("/api/v1/mailer/inbound", {
    method: "POST",
    body: raw,
    headers: {
      "content-type": "message/rfc822",
      "x-envelope-to": to,
      "overture-signature": signature,
    },
  });
  return { status: answer.status, ...((await answer.json()) as object) };
}

test("a reply, an opt-out and a bounce that were refused during the move take effect when they come again", async () => {
  const { campaignId } = await sending.campaign(tenant, {
    leads: 3,
    aliases: 3,
    steps: [{ delayDays: 0 }, { delayDays: 1 }],
  });
  await sending.tick();
  const sends = (await sending.sendsOf(campaignId)) as { message_id: string; email_key: string }[];
  expect(sends).toHaveLength(3);
  const [answering, leaving, gone] = sends as [
    (typeof sends)[number],
    (typeof sends)[number],
    (typeof sends)[number],
  ];
  const [{ email: to }] =
    await query`select a.email from sends s join mail_aliases a on a.id = s.lane_id where s.email_key = ${leaving.email_key}`;
  const headers = [`In-Reply-To: <${answering.message_id}>`];
  const mails: [string, string][] = [
    [rawMail({ from: answering.email_key, to, headers, body: "Gladly." }), "message_id"],
    [rawMail({ from: leaving.email_key, to, body: "Please remove me from your list." }), "address"],
    [
      bounceMail({
        to,
        recipient: gone.email_key,
        status: "5.1.1",
        diagnostic: "550 5.1.1 User unknown",
        originalMessageId: gone.message_id,
      }),
      "message_id",
    ],
  ];
  await leaveHalfMoved();
  for (const [raw] of mails) expect((await bring(raw, to)).status).toBe(503);
  await move();
  for (const [raw, by] of mails)
    expect(await bring(raw, to)).toMatchObject({ status: 200, duplicate: false, matched_by: by });
  for (const [raw] of mails) expect(await bring(raw, to)).toMatchObject({ status: 200 });

  const leads = await cells.other.rows(
    "select email_key, status from campaign_leads where campaign_id = $1",
    [campaignId],
  );
  expect(new Map(leads.map((each) => [each["email_key"], each["status"]]))).toEqual(
    new Map([
      [answering.email_key, "replied"],
      [leaving.email_key, "unsubscribed"],
      [gone.email_key, "bounced"],
    ]),
  );
  const heard = await cells.other.rows(
    "select 1 from conversation_messages where direction = 'in' and workspace_id = $1",
    [tenant.workspaceId],
  );
  expect(heard).toHaveLength(2);
});
