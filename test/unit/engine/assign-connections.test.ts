import { expect, test } from "vitest";
import type { Route } from "#src/domain/engine/channel.ts";
import type { Held } from "#src/domain/engine/connections.ts";
import type { Pace } from "#src/domain/engine/pace.ts";
import { assignConnections } from "#src/domain/engine/assign-connections.ts";

const now = new Date("2026-05-05T10:00:00Z");

/** "a1 late": an account at the first host of workspace a, of which that is known. */
interface Kind {
  workspace: string;
  host?: string;
  pace?: Pace;
  account?: string;
}

const paces = new Map<string, Pace>();
const routeOf = ({ workspace, host = "relay", pace = "unknown", account = "one" }: Kind): Route => {
  paces.set(`${workspace} ${host}`, pace);
  return { workspaceId: workspace, host, account: `${workspace} ${host} ${account}` };
};
const paceOf = ({ workspaceId, host }: Route): Pace => paces.get(`${workspaceId} ${host}`)!;
const many = (count: number, kind: Kind, ofEach?: (index: number) => Partial<Kind>) =>
  Array.from({ length: count }, (_, index) => ({
    name: kind.workspace,
    beginsAt: now,
    route: routeOf({ ...kind, ...ofEach?.(index) }),
  }));
const held = (count: number, kind: Kind, isLate = true): Held[] =>
  many(count, kind).map(({ route }) => ({ route, laneId: "lane", begunAt: now, isLate }));

function deal(
  waiting: ReturnType<typeof many>,
  {
    under = [],
    hasMore = false,
    places = 5,
  }: { under?: Held[]; hasMore?: boolean; places?: number } = {},
) {
  const { due, shutOut } = assignConnections(waiting, under, { places, paceOf, hasMore, now });
  const count = (sends: { name: string }[]) => {
    const byName = Map.groupBy(sends, ({ name }) => name);
    return Object.fromEntries([...byName].map(([name, of]) => [name, of.length]));
  };
  return { due: count(due), shutOut: count(shutOut.map(({ send }) => send)) };
}

const own = (index: number) => ({ host: `host ${index}` });
const prompt = { workspace: "healthy", pace: "prompt" } as const;

test("who is alone has all places, however slow", () => {
  for (const pace of ["prompt", "late", "unknown"] as const)
    expect(deal(many(9, { workspace: "a", pace })).due).toEqual({ a: 5 });
});

test("where late handovers hold all places, who waits is shut out; where prompt ones do, nobody is", () => {
  const slow = { workspace: "slow", pace: "late" } as const;
  const waiting = many(9, { workspace: "a", pace: "prompt" });
  expect(deal(waiting, { under: held(5, slow) })).toEqual({ due: {}, shutOut: { a: 9 } });
  expect(deal(waiting, { under: held(5, prompt, false) })).toEqual({ due: {}, shutOut: {} });
});

test("where what is due comes to no limit no server's pace is asked, however many wait for their slots", () => {
  const paceOf = (): Pace => {
    throw new Error("asked");
  };
  const later = new Date(now.getTime() + 1);
  const waiting = many(9, { workspace: "a" }, own).map((send, index) =>
    index < 2 ? send : { ...send, beginsAt: later },
  );
  const under = held(1, { workspace: "b" });
  const options = { places: 8, paceOf, hasMore: true, now };
  expect(assignConnections(waiting, under, options)).toEqual({
    due: waiting.slice(0, 2),
    shutOut: [],
  });
  expect(() => assignConnections(waiting, under, { ...options, places: 6 })).toThrow("asked");
});

test("a workspace has three of five places while another has something to send, and the other has the rest", () => {
  const a = many(9, { workspace: "a", pace: "prompt" }, own).map((send) => send);
  for (const { route } of a) paces.set(`a ${route.host}`, "prompt");
  expect(deal([...a, ...many(9, prompt)]).due).toEqual({ a: 3, healthy: 2 });
});

test("one account has three of five while another of its workspace has something to send", () => {
  const one = many(9, { workspace: "a", pace: "prompt", account: "one" });
  const two = many(9, { workspace: "a", pace: "prompt", account: "two" });
  expect(deal([...one, ...two]).due).toEqual({ a: 5 });
  const { due } = assignConnections([...one, ...two], [], {
    places: 5,
    paceOf,
    hasMore: false,
    now,
  });
  expect(due.filter(({ route }) => route.account.endsWith("one"))).toHaveLength(3);
});

test("of a workspace whose servers nobody knows two are tried at once, and of all such three, beside those that are prompt", () => {
  const strange = ["a", "b"].flatMap((workspace) => many(60, { workspace }, own));
  expect(deal([...strange, ...many(20, prompt)]).due).toEqual({ a: 2, b: 1, healthy: 2 });
});

test("while there may be more than what waits, strangers do not take the places of those who may come", () => {
  expect(deal(many(50, { workspace: "a" }, own), { hasMore: true }).due).toEqual({ a: 2 });
  expect(deal(many(50, { workspace: "a", pace: "prompt" }), { hasMore: true }).due).toEqual({
    a: 5,
  });
});

test("for servers that are late there are two places, whoever they belong to", () => {
  const late = ["a", "b", "c"].flatMap((workspace) => many(20, { workspace, pace: "late" }));
  expect(deal([...late, ...many(20, prompt)]).due).toEqual({ a: 2, healthy: 3 });
});

test("who waits behind answers that are late is shut out; who waits behind others has his place soon", () => {
  const waiting = [...many(9, { workspace: "a", pace: "late" }), ...many(2, prompt)];
  const under = held(2, { workspace: "a", pace: "late" });
  expect(deal(waiting, { under })).toEqual({ due: { healthy: 2 }, shutOut: { a: 9 } });
  const trying = held(2, { workspace: "a", pace: "late" }, false);
  expect(deal(waiting, { under: trying })).toEqual({ due: { healthy: 2 }, shutOut: {} });
});

test("with the fewest connections everybody still has a place", () => {
  for (const places of [1, 2])
    for (const pace of ["prompt", "late", "unknown"] as const)
      expect(
        deal([...many(3, { workspace: "a", pace }), ...many(3, prompt)], { places }).due["a"],
      ).toBe(1);
});
