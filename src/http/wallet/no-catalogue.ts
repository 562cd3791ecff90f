/*
 * In the place of `@x402/extensions/bazaar` in the bundle (wrangler.toml): @x402/hono loads it for routes that declare
 * the extension through it, which this service's do not (discovery.ts). It brings a schema compiler of 130 kB along that
 * Workers forbid.
 */
export const bazaarResourceServerExtension = undefined;
export const validateBazaarRouteExtensions = undefined;
