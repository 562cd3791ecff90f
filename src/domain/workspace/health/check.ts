import { readAuditState } from "#db/billing/credit-audit.ts";
import { newestSecrets, readHealth } from "#db/workspace/health.ts";
import type { OutboxState } from "#db/workspace/notice-deliveries.ts";
import type { Deps } from "#src/deps.ts";
import { aliasSecretContext } from "#src/domain/senders/alias-account.ts";
import { outboxCondition, outboxState } from "./outbox.ts";
import { lastAlive } from "#src/domain/engine/idle.ts";
import { PAYMENT_NETWORK } from "#src/domain/billing/wallet/prices.ts";
import { modelTrouble } from "#src/domain/research/personalization/model-breaker.ts";
import { VERIFIER_FAILING } from "#src/domain/research/verification/egress-health.ts";
import { within } from "#src/platform/deadline.ts";
import { describeError } from "#src/platform/log.ts";
import { ledgerComponent } from "./ledger.ts";
import { networkComponent, networkTrouble } from "./network.ts";

export type Check = "ok" | "failed";
export type Condition = "healthy" | "degraded" | "unhealthy" | "not_configured";

export interface Component {
  status: Condition;
  latency_ms: number;
  detail?: string;
}

/** A component that has not answered by then is down. */
const PATIENCE_MS = 3_000;
const ENGINE_DOWN_MS = 30 * 60_000;
const ENGINE_LATE_PERIODS = 3;

/** Whether this deployment can serve: the configuration is right if this runs at all. */
export async function checkReadiness(deps: Deps): Promise<{ database: Check; migrations: Check }> {
  try {
    const { migrated } = await within(deps.clock, PATIENCE_MS, readHealth(deps.db));
    return { database: "ok", migrations: migrated ? "ok" : "failed" };
  } catch (error) {
    // A database without the service's tables answers too: then its migrations are missing.
    const answers = await within(deps.clock, PATIENCE_MS, deps.db.execute("select 1")).then(
      () => true,
      () => false,
    );
    deps.log.error("not_ready", describeError(error));
    return { database: answers ? "ok" : "failed", migrations: "failed" };
  }
}

/**
 * Each component's condition; what is not configured names what it lacks, and counts for nothing. Public: of tenants
 * there are counts and nothing else.
 */
export async function checkStatus(deps: Deps): Promise<{
  status: "healthy" | "degraded" | "unhealthy";
  components: Record<string, Component>;
}> {
  const [health, cache, alive, opens, audit, owed, facilitator, verifierFailing, trouble, network] =
    await Promise.all([
      timed(deps, () => readHealth(deps.db)),
      timed(deps, () => deps.cache.get("health")),
      lastAlive(deps),
      timed(deps, () => opensWhatIsStored(deps)),
      timed(deps, () => readAuditState(deps.db)),
      timed(deps, () => outboxState(deps)),
      timed(deps, async () => deps.facilitator?.supports(SOLD) ?? null),
      timed(deps, () => deps.cache.get(VERIFIER_FAILING)),
      timed(deps, async () => (deps.model === null ? null : modelTrouble(deps))),
      timed(deps, async () => (deps.network === null ? null : networkTrouble(deps))),
    ]);
  const components = {
    database: health.ok ? up(health.latencyMs) : down(health.latencyMs, "does not answer"),
    cache: cache.ok
      ? up(cache.latencyMs)
      : { ...down(cache.latencyMs, "does not answer"), status: "degraded" as const },
    workflow_engine: health.ok
      ? engine(deps, later(health.value.lastTickAt, alive))
      : down(0, "unknown while the database is down"),
    vault: opens.ok
      ? opens.value
        ? up(opens.latencyMs)
        : { ...down(opens.latencyMs, SHUT), status: "degraded" as const }
      : down(0, "unknown while the database is down"),
    ledger: audit.ok
      ? { ...up(audit.latencyMs), ...ledgerComponent(audit.value, deps.clock.now()) }
      : { ...down(audit.latencyMs, "its audit cannot be read"), status: "degraded" as const },
    mailer: {
      ...up(0),
      detail: "Relays belong to aliases: POST /api/v1/mailer/aliases/{alias_id}/test checks one.",
    },
    outbox: owed.ok
      ? outbox(deps, owed.latencyMs, owed.value)
      : down(0, "unknown while the database is down"),
    verifier: verifier(deps, verifierFailing.ok ? verifierFailing.value : null),
    facilitator: deps.facilitator === null ? notConfigured(UNSOLD) : payments(facilitator),
    model: model(deps, trouble.ok ? trouble.value : null),
    network: networkComponent(deps, network.ok ? network.value : null),
  };
  const conditions = Object.values(components).map(({ status }) => status);
  const status =
    (["unhealthy", "degraded"] as const).find((bad) => conditions.includes(bad)) ?? "healthy";
  return { status, components };
}

const UNSOLD =
  "X402_FACILITATOR_URL and X402_MERCHANT_ADDRESS are not set: no calls are sold to wallets.";
const SOLD = { scheme: "exact", network: PAYMENT_NETWORK };

/** Compares the facilitator's supported payments with those sold; without them only paid calls are unavailable. */
function payments(supports: Timed<boolean | null>): Component {
  if (supports.ok && supports.value === true) return up(supports.latencyMs);
  const detail =
    supports.ok && supports.value === false
      ? `carries out no payments of the kind that is sold (exact on ${PAYMENT_NETWORK})`
      : "does not answer";
  return { status: "degraded", latency_ms: supports.latencyMs, detail };
}

const SHUT =
  "MASTER_KEY does not open what was sealed: nothing is sent from accounts with a password.";
const SAMPLE = 3;

/** One secret may be broken by itself; the newest few are not all. */
async function opensWhatIsStored({ db, vault }: Deps): Promise<boolean> {
  const secrets = await newestSecrets(db, SAMPLE);
  const opened = await Promise.allSettled(
    secrets.map(({ aliasId, secret }) => vault.open(secret, aliasSecretContext(aliasId))),
  );
  return secrets.length === 0 || opened.some(({ status }) => status === "fulfilled");
}

/** A tick that had nothing to do leaves its sign in the cache alone. */
const later = (a: Date | null, b: Date | null): Date | null =>
  a === null || (b !== null && b > a) ? b : a;

function engine(deps: Deps, lastTickAt: Date | null): Component {
  if (lastTickAt === null) return { status: "degraded", latency_ms: 0, detail: "has not run yet" };
  const ageMs = deps.clock.now().getTime() - lastTickAt.getTime();
  const detail = `last ran ${Math.max(0, Math.round(ageMs / 1000))} s ago`;
  if (ageMs > ENGINE_DOWN_MS) return down(0, detail);
  const isLate = ageMs > ENGINE_LATE_PERIODS * deps.settings.tick.periodSeconds * 1000;
  return { status: isLate ? "degraded" : "healthy", latency_ms: 0, detail };
}

function outbox(deps: Deps, latencyMs: number, owed: OutboxState): Component {
  const { isWell, detail } = outboxCondition(owed, deps.clock.now());
  if (!isWell) return { status: "degraded", latency_ms: latencyMs, detail };
  if (deps.settings.systemMail === null && deps.messaging === null)
    return notConfigured(UNTOLD, latencyMs);
  return { ...up(latencyMs), detail };
}

const UNTOLD = "SYSTEM_MAIL_FROM and SYSTEM_MAIL_URL are not set: users are told of nothing.";

/** Not asked here: each look would be a stranger's way to use up what the way out takes. Verifications leave a sign. */
function verifier({ mailProbe }: Deps, failing: string | null): Component {
  if (mailProbe === null) return notConfigured("VERIFIER_EGRESS is not set.");
  if (failing !== null) return { status: "degraded", latency_ms: 0, detail: failing };
  return up(0);
}

/** Not asked here: each look would cost. Calls leave a sign. */
function model(deps: Deps, trouble: string | null): Component {
  if (deps.model === null) return notConfigured("MODEL_BASE_URL is not set.");
  return trouble === null ? up(0) : { status: "degraded", latency_ms: 0, detail: trouble };
}

const up = (latencyMs: number): Component => ({ status: "healthy", latency_ms: latencyMs });
const down = (latencyMs: number, detail: string): Component => ({
  status: "unhealthy",
  latency_ms: latencyMs,
  detail,
});
const notConfigured = (detail: string, latencyMs = 0): Component => ({
  status: "not_configured",
  latency_ms: latencyMs,
  detail,
});

type Timed<T> = { latencyMs: number } & ({ ok: true; value: T } | { ok: false });

async function timed<T>({ clock }: Deps, work: () => Promise<T>): Promise<Timed<T>> {
  const startedAt = clock.now().getTime();
  const latencyMs = () => clock.now().getTime() - startedAt;
  try {
    const value = await within(clock, PATIENCE_MS, work());
    return { ok: true, value, latencyMs: latencyMs() };
  } catch {
    return { ok: false, latencyMs: latencyMs() };
  }
}
