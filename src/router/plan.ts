import { HITS_PATH, SESSIONS_PATH } from "#src/platform/cells.ts";

/** Which cells a request is for, by its method, path and headers. */
export type Plan =
  /** What one cell serves for all: pages, the description, calls that wallets pay, what names no caller. */
  | { kind: "shared" }
  /** A page that the token alone makes, wherever its message is. */
  | { kind: "token"; token: string }
  /** What one cell knows and the others do not: asked of each until one does. */
  | { kind: "in_turn"; token: string }
  /** News from outside, of which each cell takes what is its own. */
  | { kind: "every" }
  /** News of one cell for all others. */
  | { kind: "others" }
  | { kind: "cells" }
  /** What a cell has for its router and its queue alone. */
  | { kind: "nothing" }
  /** The caller's cell. `of`: where the request names the caller, if not in the headers. */
  | { kind: "caller"; of: "headers" | "credential" | "choice" | { invitation: string } };

export const CELLS_PATH = "/cells";
const SESSION = "auth/session";
const EVERY = new Set([
  "POST mailer/inbound",
  "POST payments/webhook",
  "POST notifications/whatsapp/webhook",
  "POST socialnet/webhook",
]);
const IN_TURN = /^\/oauth\/(?:mail|postmaster)\/callback$/;

export function planOf({ method, headers, url }: Request): Plan {
  const { pathname } = new URL(url);
  const [, area, token] = /^\/([ocu])\/([^/]+)$/.exec(pathname) ?? [];
  if (token !== undefined)
    return { kind: area === "u" && method === "POST" ? "in_turn" : "token", token };
  if (pathname === CELLS_PATH) return { kind: "cells" };
  if (pathname === HITS_PATH || pathname === SESSIONS_PATH) return { kind: "others" };
  if (/^\/(?:cells|functions)\//.test(pathname)) return { kind: "nothing" };
  // Whoever leaves the pool leaves that of each cell.
  if (method === "POST" && pathname.startsWith("/prospects/opt-out/")) return { kind: "every" };
  if (IN_TURN.test(pathname)) return { kind: "in_turn", token: "" };
  const [, path = ""] = /^\/api\/v[12]\/(.*)$/.exec(pathname) ?? [];
  if (EVERY.has(`${method} ${path}`)) return { kind: "every" };
  if (path.startsWith("x402/") || pathname.startsWith("/api/x402/")) return { kind: "shared" };
  const invitation = /^invitations\/([^/]+)\/accept$/.exec(path)?.[1];
  if (invitation !== undefined) return { kind: "caller", of: { invitation } };
  if (path === SESSION && method === "POST") return { kind: "caller", of: "credential" };
  if (path === SESSION && method === "PATCH") return { kind: "caller", of: "choice" };
  return isNamed(headers) ? { kind: "caller", of: "headers" } : { kind: "shared" };
}

const isNamed = (headers: Headers): boolean =>
  headers.has("authorization") || /(?:^|;\s*)__Host-overture=/.test(headers.get("cookie") ?? "");
