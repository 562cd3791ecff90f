import type * as z from "zod";

/*
 * In the place of `@hono/zod-openapi` in the bundle (wrangler.toml): the API's description is a file made
 * before, so that the Worker needs no descriptions of schemas.
 */
export function extendZodWithOpenApi({ ZodType }: Pick<typeof z, "ZodType">): void {
  Object.assign(ZodType.prototype, {
    openapi(this: z.ZodType) {
      return this;
    },
  });
}
