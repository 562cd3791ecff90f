import * as z from "zod";
import { checkReadiness, checkStatus } from "#src/domain/workspace/health/check.ts";
import { instant } from "#src/http/fields.ts";
import { type Mount, operation } from "#src/http/operation.ts";

const Liveness = z.object({ status: z.literal("ok"), timestamp: instant }).openapi("Liveness");

const Check = z.enum(["ok", "failed"]);
const Readiness = z
  .object({
    status: z.enum(["ready", "not_ready"]),
    checks: z.object({ configuration: Check, database: Check, migrations: Check }),
    timestamp: instant,
  })
  .openapi("Readiness");

const Component = z
  .object({
    status: z.enum(["healthy", "degraded", "unhealthy", "not_configured"]),
    latency_ms: z.int(),
    detail: z.string().optional(),
  })
  .openapi("Component");
const Status = z
  .object({
    status: z.enum(["healthy", "degraded", "unhealthy"]),
    components: z.object({
      database: Component,
      cache: Component,
      workflow_engine: Component,
      vault: Component,
      ledger: Component,
      mailer: Component,
      outbox: Component,
      verifier: Component,
      facilitator: Component,
      model: Component,
      network: Component,
    }),
    timestamp: instant,
  })
  .openapi("Status");

const tag = "Health";

const liveness = (path: string, id: string) =>
  operation({
    method: "get",
    path,
    id,
    tag,
    summary: "Liveness; touches no dependency",
    access: "public",
    response: Liveness,
    handler: async ({ deps }) => ({
      status: "ok" as const,
      timestamp: deps.clock.now().toISOString(),
    }),
  });

const status = (path: string, id: string) =>
  operation({
    method: "get",
    path,
    id,
    tag,
    summary: "Condition of each component; 503 when the service cannot work",
    access: "public",
    response: Status,
    sameWhenUnavailable: true,
    handler: async ({ deps, c }) => {
      const found = await checkStatus(deps);
      const body = { ...found, timestamp: deps.clock.now().toISOString() };
      return c.json(body, found.status === "unhealthy" ? 503 : 200);
    },
  });

export const healthRoutes: Mount[] = [
  liveness("/health", "health"),
  liveness("/api/v1/health", "apiHealth"),
  operation({
    method: "get",
    path: "/api/v1/ready",
    id: "ready",
    tag,
    summary: "Readiness: configuration, database and migrations",
    access: "public",
    response: Readiness,
    sameWhenUnavailable: true,
    handler: async ({ deps, c }) => {
      const checks = { configuration: "ok" as const, ...(await checkReadiness(deps)) };
      const isReady = Object.values(checks).every((check) => check === "ok");
      const timestamp = deps.clock.now().toISOString();
      return c.json(
        { status: isReady ? "ready" : "not_ready", checks, timestamp },
        isReady ? 200 : 503,
      );
    },
  }),
  status("/api/v1/status", "status"),
  // The specification really doubles the prefix.
  status("/api/v1/api/v1/status", "statusAsSpecified"),
];
