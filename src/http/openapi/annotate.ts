import { extendZodWithOpenApi } from "@hono/zod-openapi";
import * as z from "zod";

/*
 * Gives schemas `.openapi(...)`, in all modules evaluated after this one. Only the one class is passed, because a bundler
 * that sees all of zod passed keeps all of it, fifty languages included. In the Worker, which makes no description,
 * `no-description.ts` is in the package's place (wrangler.toml).
 */
extendZodWithOpenApi({ ZodType: z.ZodType } as typeof z);
