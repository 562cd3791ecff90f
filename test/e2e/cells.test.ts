/** Two cells in workerd behind the router in a workerd of its own, as `npm start -- --cells 2` runs them. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { runAdmin } from "../../scripts/admin/run.ts";
import { Died, noWait, runMove } from "../support/cells.ts";
import { inFull } from "../support/full.ts";
import { patience } from "../support/patience.ts";
import {
  advanceUntil,
  eventually,
  launchCampaign,
  startTestService,
  type TestService,
} from "../support/service.ts";

const LEADS = 16;

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ cells: 2, mostRestarts: Infinity });
}, patience(120_000));
afterAll(() => service?.close());

interface Received {
  id: string;
  to: string[];
  html: string;
}
const received = () => service.stack.mailbox.wireLog();
const doubled = () =>
  [...Map.groupBy(received(), (mail) => mail.message_id)].filter(([, all]) => all.length > 1);

const isDead = (error: unknown): boolean =>
  error instanceof Died || (error instanceof Error && isDead(error.cause));

test(
  "a campaign runs while its workspace moves: nothing twice, nothing lost, whoever dies; links of before work",
  async () => {
    const emails = Array.from({ length: LEADS }, (_, index) => `moved${index}@inbox.zz`);
    const body = `<p>Hello, see <a href="https://example.com/page">this</a></p>`;
    const campaign = await launchCampaign(service, {
      aliases: 2,
      emails,
      steps: [
        {
          step: 1,
          delay_days: 0,
          track_clicks: true,
          variants: [{ type: "INLINE", subject: "Hello", body }],
        },
      ],
    });
    await advanceUntil(
      service,
      { seconds: 60, moves: 20 },
      "mail goes out",
      async () => received().length >= 2,
    );
    const [before] = (await service.mailbox("GET", "/api/messages")) as [Received];
    const { workspace } = (await service.api("GET", "/api/v1/auth/me")) as {
      workspace: { id: string };
    };
    const databases: [string, string] = [service.stack.databaseUrl, service.big!.databaseUrl];
    // Over the statements of a move.
    let deaths = 0;
    for (let statements = 20; ; statements += inFull(60, 300)) {
      const end = await runMove(databases, workspace.id, {
        name: "big",
        statements,
        now: () => new Date(),
      }).catch((error: unknown) => error);
      if (typeof end === "number") break;
      if (!isDead(end)) throw end;
      deaths += 1;
      // The Worker that it leaves dies as well, and the one where it arrives.
      const dying = deaths % 2 === 1 ? service : service.big!;
      await dying.worker().kill("SIGKILL");
      await dying.untilUp();
      await service.advance(60);
    }
    expect(deaths).toBeGreaterThan(1);
    await advanceUntil(
      service,
      { seconds: 60, moves: 60 },
      "all leads are written to",
      async () => received().length >= LEADS,
    );
    await service.advance(600);
    expect(doubled()).toEqual([]);
    const messages = (await service.mailbox("GET", "/api/messages")) as Received[];
    expect(messages.map(({ to }) => to[0]).toSorted()).toEqual(emails.toSorted());

    // Its caller has noticed nothing.
    const stats = async () =>
      (await service.api("GET", `/api/v1/campaigns/${campaign}/click-stats`)) as {
        total_clicks: number;
      };
    expect((await stats()).total_clicks).toBe(0);
    const [, link] = /href="([^"]*\/c\/[^"]+)"/.exec(before.html)!;
    await service.mailbox("POST", `/api/messages/${before.id}/click`, { url: link });
    await eventually("the click is there", async () => (await stats()).total_clicks === 1);
    await service.mailbox("POST", `/api/messages/${before.id}/unsubscribe`);
    const suppressed = await service.api("GET", "/api/v2/suppressions");
    expect(suppressed).toMatchObject({ items: [{ value: before.to[0] }] });
  },
  patience(inFull(900_000, 180_000)),
);

test(
  "the operator's command moves a workspace, and each cell's callers are served at one address",
  async () => {
    const admin = (...words: string[]) =>
      runAdmin(
        words,
        service.stack.databaseUrl,
        new Date(),
        {
          CELL_BIG_DATABASE_URL: service.big!.databaseUrl,
          PUBLIC_BASE_URL: service.baseUrl,
        },
        noWait,
      );
    const asFree = async () => {
      const reply = await fetch(`${service.baseUrl}/api/v1/auth/me`, {
        headers: { authorization: `Bearer ${service.access.free_jwt}` },
      });
      return { status: reply.status, ...((await reply.json()) as { workspace: { id: string } }) };
    };
    const { workspace } = await asFree();
    expect(await admin("move", workspace.id, "big")).toContain("is in use in big");
    expect(await asFree()).toMatchObject({ status: 200, workspace });
    const health = (await (await fetch(`${service.baseUrl}/cells`)).json()) as unknown;
    expect(health).toEqual({
      cells: [
        { name: "main", answers: true },
        { name: "big", answers: true },
      ],
    });
    // A large body goes through the router as it comes.
    const rows = Array.from(
      { length: 30_000 },
      (_, index) => `large${index}@inbox.zz,${"x".repeat(40)}`,
    );
    const form = new FormData();
    form.set(
      "file",
      new Blob([`email,note\n${rows.join("\n")}`], { type: "text/csv" }),
      "leads.csv",
    );
    const { id } = (await service.api("POST", "/api/v1/datasets", { name: "Large" })) as {
      id: string;
    };
    const imported = await service.api("POST", `/api/v1/datasets/${id}/import`, form);
    expect(JSON.stringify(imported)).toContain("30000");
  },
  patience(120_000),
);
