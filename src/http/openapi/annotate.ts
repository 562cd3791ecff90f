import { extendZodWithOpenApi } from "@hono/zod-openapi";
import * as z from "zod";

/*
 * Gives schemas `.openapi(...)`, for what is evaluated after this. The one class is handed over, because a bundler that
 * sees the whole of zod pass keeps the whole of it, fifty languages included. In the Worker, where nobody reads what a
 * schema says of itself, `no-description.ts` is in the package's place (wrangler.toml).
 */
extendZodWithOpenApi({ ZodType: z.ZodType } as typeof z);
