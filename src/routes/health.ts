import { z } from "@hono/zod-openapi";
import { type Mount, operation } from "#src/http/operation.ts";

const Liveness = z
  .object({ status: z.literal("ok"), timestamp: z.iso.datetime() })
  .openapi("Liveness");

const liveness = (path: string, id: string) =>
  operation({
    method: "get",
    path,
    id,
    tag: "Health",
    summary: "Liveness; touches no dependency",
    access: "public",
    response: Liveness,
    handler: async ({ deps }) => ({
      status: "ok" as const,
      timestamp: deps.clock.now().toISOString(),
    }),
  });

export const healthRoutes: Mount[] = [
  liveness("/health", "health"),
  liveness("/api/v1/health", "apiHealth"),
];
