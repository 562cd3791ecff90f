import type { MiddlewareHandler } from "hono";
import type { Principal } from "#src/deps.ts";
import { AppError } from "#src/errors.ts";
import { clientNetwork } from "#src/platform/client-network.ts";
import type { Access, AppContext, AppEnv } from "./context.ts";
import {
  ADDRESS_QUOTA,
  HOUR,
  type LimitName,
  type Policy,
  type Quota,
  SESSION_QUOTA,
  STRICT_QUOTAS,
  type StrictQuota,
  WORKSPACE_QUOTAS,
} from "./quotas.ts";

/** Counts a request of a known workspace against its quotas. One whose key is still checked is counted by `joined`. */
export function limitRate(
  access: Access,
  strict: LimitName | undefined,
): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const principal = c.get("principal");
    if (access === "public" || principal === undefined) return next();
    if (c.get("checked") === undefined) await enforceQuota(c, principal, strict);
    await next();
  };
}

/** 429 over any of the quotas of this workspace, their state in headers always. */
export async function enforceQuota(
  c: AppContext,
  principal: Principal,
  strict: LimitName | undefined,
): Promise<void> {
  const ahead = c.get("counted");
  const isOwn = ahead?.workspaceId === principal.workspaceId;
  const policies = policiesOf(c, principal, strict);
  const failClosed = strict !== undefined && "failClosed" in STRICT_QUOTAS[strict];
  await decide(c, policies, isOwn ? ahead.counted : startCount(c, policies), failClosed);
}

function policiesOf(
  c: AppContext,
  { workspaceId: subject, userId, plan }: Principal,
  strict: LimitName | undefined,
): Policy[] {
  const usual =
    c.get("session") === undefined
      ? { name: "workspace", subject, ...WORKSPACE_QUOTAS[plan] }
      : { name: "session", subject: userId, ...SESSION_QUOTA };
  if (strict === undefined) return [usual];
  const quota: StrictQuota = STRICT_QUOTAS[strict];
  // However an id is written, it is one record.
  const one = quota.per === undefined ? "" : `:${c.req.param(quota.per)?.toLowerCase()}`;
  return [usual, { name: strict, subject: `${subject}${one}`, ...quota }];
}

/**
 * Counts a request before its caller is known for certain; `enforceQuota` decides by it. The plan changes the limits and
 * not the counters. What this isolate knows to be over the quota is refused here and now: 429. A plan bought in that
 * minute counts from the next one on.
 */
export async function countAhead(
  c: AppContext,
  seen: Principal,
  strict: LimitName | undefined,
): Promise<void> {
  const policies = policiesOf(c, seen, strict);
  const counted = startCount(c, policies);
  if (counted.isOver) return decide(c, policies, counted, false);
  // In the background: a caller that is refused does not wait for the count.
  c.get("deps").background(counted.used);
  c.set("counted", { workspaceId: seen.workspaceId, counted });
}

const countAddress = (c: AppContext, name: string, quota: Quota): Promise<void> =>
  count(c, [{ name, subject: clientNetwork(c.get("clientAddress")), ...quota }], false);

/** Public forms, by address. */
export const countForm = (c: AppContext): Promise<void> =>
  countAddress(c, "public-forms", ADDRESS_QUOTA);

/** Counts a refused credential of this address; throws 429 instead of letting the 401 through once there were too many. */
export const countRefusal = (c: AppContext): Promise<void> =>
  countAddress(c, "refused-credentials", ADDRESS_QUOTA);

/** Counts who was not let in and is to come again: it is no guess, and has what a workspace has. */
export const countTurnedAway = (c: AppContext): Promise<void> =>
  countAddress(c, "turned-away", WORKSPACE_QUOTAS.paid);

/** Counts the request against each policy and says so in headers; throws 429 where one is over. */
export const count = (c: AppContext, policies: Policy[], failClosed: boolean): Promise<void> =>
  decide(c, policies, startCount(c, policies), failClosed);

/** The counters' values at an instant. */
export interface Counted {
  nowSeconds: number;
  /** By this isolate's own counts. */
  isOver: boolean;
  used: Promise<Used>;
}

interface Used {
  /** By policy. */
  counts: number[];
  /** The store said so; otherwise these are this isolate's own. */
  isShared: boolean;
}

/**
 * The isolate counts each request beside the store, and the higher count decides: a store that is late, gone or forgets
 * opens nothing, and one that is back goes on where the isolate is. The isolate goes on from the store's count, and what
 * it refuses itself, the store is not asked about.
 */
function startCount(c: AppContext, policies: Policy[]): Counted {
  const { clock, quotaCounts } = c.get("deps");
  const nowSeconds = clock.now().getTime() / 1000;
  const keys = policies.map((policy) => keyOf(policy, nowSeconds));
  const here = keys.map((key) => quotaCounts.add(key));
  const isOver = policies.some(({ limit }, index) => here[index]! > limit);
  const shared = isOver ? Promise.resolve(null) : readCounts(c, policies, nowSeconds);
  const used = shared.then((there): Used => {
    const counts = here.map((count, index) => Math.max(count, there?.[index] ?? 0));
    for (const [index, key] of keys.entries()) quotaCounts.raise(key, counts[index]!);
    return { counts, isShared: there !== null };
  });
  return { nowSeconds, isOver, used };
}

async function decide(
  c: AppContext,
  policies: Policy[],
  { nowSeconds, used }: Counted,
  failClosed: boolean,
): Promise<void> {
  const { counts, isShared } = await used;
  const states = statesOf(policies, counts, nowSeconds);
  sayStates(c, states);
  refuseOver(states.filter(({ policy, count }) => count > policy.limit));
  if (failClosed && !isShared)
    throw new AppError(
      "unavailable",
      "RATE_LIMITER_UNAVAILABLE",
      "This operation is not available right now; try again in a moment.",
      { retryAfter: 5 },
    );
}

/** Throws 429 where a policy was used up before, and counts nothing. */
export async function requireLeft(c: AppContext, policies: readonly Policy[]): Promise<void> {
  const { cache, clock, quotaCounts } = c.get("deps");
  const nowSeconds = clock.now().getTime() / 1000;
  const counts = await Promise.all(
    policies.map(async (policy) => {
      const key = keyOf(policy, nowSeconds);
      const here = quotaCounts.of(key);
      if (here >= policy.limit) return here;
      const there = Number(await cache.get(key).catch(() => null));
      return Number.isSafeInteger(there) ? Math.max(here, there) : here;
    }),
  );
  const states = statesOf(policies, counts, nowSeconds);
  const over = states.filter(({ policy, count }) => count >= policy.limit);
  if (over.length > 0) sayStates(c, states);
  refuseOver(over);
}

interface State {
  policy: Policy;
  count: number;
  resetSeconds: number;
}

const statesOf = (
  policies: readonly Policy[],
  counts: readonly number[],
  nowSeconds: number,
): State[] =>
  policies.map((policy, index) => ({
    policy,
    count: counts[index]!,
    resetSeconds: Math.ceil(policy.windowSeconds - (nowSeconds % policy.windowSeconds)),
  }));

/** draft-ietf-httpapi-ratelimit-headers: both fields are lists of items named by policy. */
function sayStates(c: AppContext, states: readonly State[]): void {
  c.header(
    "RateLimit-Policy",
    states
      .map(({ policy }) => `"${policy.name}";q=${policy.limit};w=${policy.windowSeconds}`)
      .join(", "),
  );
  c.header(
    "RateLimit",
    states
      .map(({ policy: { name, limit }, count, resetSeconds }) => {
        return `"${name}";r=${Math.max(0, limit - count)};t=${resetSeconds}`;
      })
      .join(", "),
  );
}

function refuseOver(over: readonly State[]): void {
  if (over.length === 0) return;
  throw tooMany(over[0]!.policy, Math.max(...over.map(({ resetSeconds }) => resetSeconds)));
}

function tooMany({ limit, windowSeconds }: Quota, retryAfter: number): AppError {
  const window = windowSeconds === HOUR ? "hour" : "minute";
  return new AppError(
    "rate_limited",
    "RATE_LIMITED",
    `More than ${limit} requests in this ${window}; retry in ${retryAfter} s.`,
    { retryAfter },
  );
}

const keyOf = ({ name, subject, windowSeconds }: Policy, nowSeconds: number): string =>
  `limit:${name}:${subject}:${Math.floor(nowSeconds / windowSeconds)}`;

/** Null when the store cannot be read. */
async function readCounts(
  c: AppContext,
  policies: Policy[],
  nowSeconds: number,
): Promise<number[] | null> {
  const keys = policies.map((policy) => ({
    key: keyOf(policy, nowSeconds),
    ttlSeconds: policy.windowSeconds + 1,
  }));
  const { cache, log } = c.get("deps");
  try {
    return await cache.count(keys);
  } catch (error) {
    log.error("rate_limiter_unavailable", {
      request_id: c.get("requestId"),
      error: String(error).slice(0, 200),
    });
    return null;
  }
}
