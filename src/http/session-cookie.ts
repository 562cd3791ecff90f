import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import { forbidden } from "#src/errors.ts";
import type { AppContext } from "./context.ts";

/** `__Host-overture`: browsers take the prefix from this host alone, over TLS, for all of its paths (RFC 6265bis). */
const NAME = "overture";
const FOR_US = {
  prefix: "host",
  path: "/",
  secure: true,
  httpOnly: true,
  sameSite: "Strict",
} as const;

/** The sign-in under way. It has to come back with the identity provider's redirect, where a Strict cookie stays behind. */
const SIGN_IN = "overture-login";
const ON_THE_WAY = { ...FOR_US, sameSite: "Lax" } as const;

export const signInCookie = (c: AppContext): string | undefined => getCookie(c, SIGN_IN, "host");

export function keepSignIn(c: AppContext, sealed: string, seconds: number): void {
  setCookie(c, SIGN_IN, sealed, { ...ON_THE_WAY, maxAge: seconds });
}

export function dropSignIn(c: AppContext): void {
  deleteCookie(c, SIGN_IN, ON_THE_WAY);
}

/** The sealed session that the browser sent; undefined where there is none. */
export const sessionCookie = (c: AppContext): string | undefined =>
  c.req.header("cookie") === undefined ? undefined : getCookie(c, NAME, "host");

export function keepSession(c: AppContext, sealed: string, expiresAt: Date): void {
  const leftMs = expiresAt.getTime() - c.get("deps").clock.now().getTime();
  setCookie(c, NAME, sealed, { ...FOR_US, maxAge: Math.max(1, Math.floor(leftMs / 1000)) });
}

export function dropSession(c: AppContext): void {
  deleteCookie(c, NAME, FOR_US);
}

/**
 * Whether one of our own pages asks, as the browser says it. `Sec-Fetch-Site` no page can write; a browser without it
 * says an origin where it is not a plain GET. A cookie by itself proves nothing: another port of this host, or a sibling
 * domain, is the same site to `SameSite`.
 */
export function isOwnPage(c: AppContext): boolean {
  const site = c.req.header("sec-fetch-site");
  if (site !== undefined) return site === "same-origin";
  const origin = c.req.header("origin");
  return origin !== undefined && origin === ownOrigin(c);
}

/** Refuses what a browser says comes from a page that is not ours; a program says nothing of the kind. */
export function refuseForeignPage(c: AppContext): void {
  const site = c.req.header("sec-fetch-site");
  const origin = c.req.header("origin");
  const isForeign =
    site === undefined ? origin !== undefined && origin !== ownOrigin(c) : !isOwnPage(c);
  if (isForeign)
    throw forbidden(
      "FOREIGN_PAGE",
      "Only this service's own pages sign people in and out; open its console and do it there.",
    );
}

const ownOrigin = (c: AppContext): string => new URL(c.get("deps").settings.publicBaseUrl).origin;
