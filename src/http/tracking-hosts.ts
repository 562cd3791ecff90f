import type { MiddlewareHandler } from "hono";
import { AppError } from "#src/errors.ts";
import type { AppEnv } from "./context.ts";

const TRACKING = /^\/[ocu]\/[^/]+$/;

/**
 * Hosts of customers' domains for tracked links serve those links alone: no API
 * under a customer's name.
 */
export const guardTrackingHosts: MiddlewareHandler<AppEnv> = async (c, next) => {
  const { publicBaseUrl, trackingBaseUrl, trackingOnDomains } = c.get("deps").settings;
  if (!trackingOnDomains) return next();
  // Most requests are to no such host, and a URL is not parsed for those.
  if (!c.req.url.includes("//link.")) return next();
  const { hostname, pathname } = new URL(c.req.url);
  const isOurs = [publicBaseUrl, trackingBaseUrl].some((url) => new URL(url).hostname === hostname);
  if (!isOurs && hostname.startsWith("link.") && !TRACKING.test(pathname))
    throw new AppError("not_found", "NOT_FOUND", "There is nothing here but the links of mails.");
  return next();
};
