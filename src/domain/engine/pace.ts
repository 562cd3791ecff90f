import type { Route } from "./channel.ts";

/**
 * A handover that takes longer is late. Five times what a merely slow server takes, so that such a server keeps its
 * connections.
 */
const LATE_MS = 10_000;

export const isLate = (begunAt: Date, now: Date): boolean =>
  now.getTime() - begunAt.getTime() > LATE_MS;

/** From then on it is, if it has not ended. */
export const lateFrom = (begunAt: Date): Date => new Date(begunAt.getTime() + LATE_MS + 1);

/** How fast a server answered recently; unknown without a recent answer. */
export type Pace = "prompt" | "late" | "unknown";

export type PaceOf = (route: Route) => Pace;

/** One handover, by any worker; `endedAt` is null while its answer is awaited. */
export interface Attempt {
  laneId: string;
  route: Route;
  begunAt: Date;
  endedAt: Date | null;
}

/** When the last prompt handover began, and the last late one, each the newest that is known. */
interface Known {
  promptAt: number;
  lateAt: number;
}

/** A host that is late for so many workspaces counts as late for all; for one alone the cause may be its own account. */
const WORKSPACES_FOR_A_HOST = 2;
/** In a workspace with so many late hosts, and more late than prompt ones, an unknown host counts as late. */
const HOSTS_FOR_A_WORKSPACE = 2;

const NOTHING: Readonly<Known> = { promptAt: -Infinity, lateAt: -Infinity };
const isLast = ({ lateAt, promptAt }: Known): boolean => lateAt > promptAt;

/**
 * How fast servers answer, from the ledger and from this run's own sends. The send that began last counts: a server
 * that has recovered is prompt with its first answer, and a hanging message does not count while later ones go
 * through. By workspace, since a shared host may be slow for one workspace alone.
 */
export function createPace() {
  /** By host and workspace, and by workspace and host. */
  const hosts = new Map<string, Map<string, Known>>();
  const workspaces = new Map<string, Map<string, Known>>();

  function knownOf({ host, workspaceId }: Route): Known {
    const seen = workspaces.get(workspaceId)?.get(host);
    if (seen !== undefined) return seen;
    const known = { ...NOTHING };
    file(hosts, host, workspaceId, known);
    file(workspaces, workspaceId, host, known);
    return known;
  }

  function isHostLate(host: string): boolean {
    const all = [...(hosts.get(host)?.values() ?? [])];
    const promptAt = Math.max(...all.map((known) => known.promptAt));
    return all.filter(({ lateAt }) => lateAt > promptAt).length >= WORKSPACES_FOR_A_HOST;
  }

  function isWorkspaceLate(workspaceId: string): boolean {
    const all = [...(workspaces.get(workspaceId)?.values() ?? [])];
    const late = all.filter(isLast).length;
    const prompt = all.filter((known) => known.promptAt > -Infinity && !isLast(known)).length;
    return late >= HOSTS_FOR_A_WORKSPACE && late > prompt;
  }

  return {
    note({ route, begunAt, endedAt }: Omit<Attempt, "laneId">, now: Date): void {
      const known = knownOf(route);
      const at = begunAt.getTime();
      if (isLate(begunAt, endedAt ?? now)) known.lateAt = Math.max(known.lateAt, at);
      else if (endedAt !== null) known.promptAt = Math.max(known.promptAt, at);
    },
    of({ host, workspaceId }: Route): Pace {
      const known = workspaces.get(workspaceId)?.get(host) ?? NOTHING;
      if (isLast(known) || isHostLate(host)) return "late";
      if (known.promptAt > -Infinity) return "prompt";
      return isWorkspaceLate(workspaceId) ? "late" : "unknown";
    },
  };
}

function file(
  all: Map<string, Map<string, Known>>,
  first: string,
  second: string,
  known: Known,
): void {
  const own = all.get(first) ?? new Map<string, Known>();
  all.set(first, own.set(second, known));
}

export type Paces = ReturnType<typeof createPace>;

/** For one instant: asked of each way once, because many wait that go the same. */
export function remembered(paceOf: PaceOf): PaceOf {
  const known = new Map<string, Pace>();
  return (route) => {
    // An id has no blanks.
    const key = `${route.workspaceId} ${route.host}`;
    const pace = known.get(key) ?? paceOf(route);
    known.set(key, pace);
    return pace;
  };
}
