/** Two databases are easily given the wrong way round: what was begun is told by the entries, and nothing else is done. */
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type Residence, residenceOf } from "#db/workspace/moving/state.ts";
import { Refusal } from "../../../../scripts/admin/refusal.ts";
import type { Tenant } from "../../../support/api.ts";
import { Died, type OtherCell, rowsOf, runMove, startOtherCell } from "../../../support/cells.ts";
import { inFull } from "../../../support/full.ts";
import { patience } from "../../../support/patience.ts";
import { api, useApi } from "../../../support/use-api.ts";

vi.setConfig({ testTimeout: patience(inFull(1_200_000, 120_000)) });

useApi();
let b: OtherCell;
let c: OtherCell;
beforeAll(async () => {
  [b, c] = await Promise.all([startOtherCell(api), startOtherCell(api)]);
});
afterAll(() => Promise.all([b.close(), c.close()]));

const now = () => api.deps.clock.now();
type Ends = [string, string];
const there = (): Ends => [api.databaseUrl, b.url];
const back = (): Ends => [b.url, api.databaseUrl];

async function ownsSomething(): Promise<Tenant> {
  const tenant = await api.tenant();
  const template = { name: "T", subject: "S", body: "B" };
  expect((await tenant.call("POST", "/api/v1/templates", template)).status).toBe(201);
  return tenant;
}

const hasDied = (error: unknown): boolean =>
  error instanceof Died || (error instanceof Error && hasDied(error.cause));

/** Has the move die after more and more statements, until it ends; answers how often it did. */
async function dying(ends: Ends, id: string, name: string, look: () => Promise<void>) {
  for (let statements = 1, deaths = 0; ; statements += inFull(3, 83), deaths++) {
    const end = await runMove(ends, id, { now, name, statements }).catch((error: unknown) => error);
    if (typeof end === "number") return deaths;
    if (!hasDied(end)) throw end;
    await look();
  }
}

interface Command {
  ends: Ends;
  name: string;
  cancel?: boolean;
}

/** Each is refused in a sentence, and no row of the workspace changes in either of these. */
async function areRefused(id: string, databases: string[], commands: Command[]) {
  const everywhere = () => Promise.all(databases.map((url) => rowsOf(url, id)));
  const before = await everywhere();
  for (const { ends, ...order } of commands)
    await expect(runMove(ends, id, { now, ...order })).rejects.toBeInstanceOf(Refusal);
  expect(await everywhere()).toEqual(before);
}

const inA = (id: string) => residenceOf(api.deps.db, id);
const inB = (id: string) => residenceOf(b.deps.db, id);
const isInUse = (found: Residence | undefined) =>
  found !== undefined && found.frozenAt === null && found.cell === null;

test("a command that is given the wrong way round is refused, wherever the move died: there, and back", async () => {
  const { workspaceId: id } = await ownsSomething();
  const before = await rowsOf(api.databaseUrl, id);
  const forth = { ends: there(), name: "b" };
  const home = { ends: back(), name: "a" };
  const deaths = await dying(there(), id, "b", async () => {
    const isDone = isInUse(await inB(id));
    await areRefused(id, there(), [{ ...home, cancel: true }, ...(isDone ? [] : [home])]);
  });
  expect(deaths).toBeGreaterThan(10);
  expect(await rowsOf(b.url, id)).toEqual(before);

  await dying(back(), id, "a", async () => {
    // Before it is frozen the way there is done, and after it is switched there is a way there again.
    const isUnderWay = !isInUse(await inA(id)) && !isInUse(await inB(id));
    await areRefused(id, there(), [{ ...forth, cancel: true }, ...(isUnderWay ? [forth] : [])]);
  });
  expect(await rowsOf(api.databaseUrl, id)).toEqual(before);
});

test("a move that was done is not done again while the next one leads to a third cell", async () => {
  const { workspaceId: id } = await ownsSomething();
  const before = await rowsOf(api.databaseUrl, id);
  await runMove(there(), id, { now });
  let frozen = 0;
  await dying([b.url, c.url], id, "c", async () => {
    if ((await inB(id))?.frozenAt === null) return;
    frozen += 1;
    await areRefused(
      id,
      [b.url, c.url],
      [
        { ends: there(), name: "b" },
        { ends: [api.databaseUrl, c.url], name: "c", cancel: true },
        // To be taken back from where it does not go to.
        { ends: back(), name: "a", cancel: true },
      ],
    );
  });
  expect(frozen).toBeGreaterThan(3);
  expect(await rowsOf(c.url, id)).toEqual(before);
});

test("a way back that is taken back leaves the entry as it was, and is gone again", async () => {
  const { workspaceId: id } = await ownsSomething();
  const before = await rowsOf(api.databaseUrl, id);
  await runMove(there(), id, { now });
  const entry = await rowsOf(api.databaseUrl, id);
  await dying(back(), id, "a", async () => {
    if ((await inB(id))?.frozenAt === null) return;
    await runMove(back(), id, { now, name: "a", cancel: true });
    expect(await rowsOf(api.databaseUrl, id)).toEqual(entry);
    expect(await inB(id)).toMatchObject({ frozenAt: null, cell: null });
  });
  expect(await rowsOf(api.databaseUrl, id)).toEqual(before);
});

test("one that is in use in both, as behind a restore, or in neither, is moved by no command", async () => {
  const { workspaceId: id } = await ownsSomething();
  await runMove(there(), id, { now });
  await areRefused(id, there(), [{ ends: [api.databaseUrl, c.url], name: "b" }]);
  await api.sql.query("update workspaces set cell = null where id = $1", [id]);
  await areRefused(id, there(), [
    { ends: there(), name: "b" },
    { ends: back(), name: "a" },
  ]);
});
