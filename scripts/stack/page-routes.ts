import * as fs from "node:fs";
import type { IncomingHttpHeaders } from "node:http";

export interface HttpRequest {
  /** Scheme and host by which the client reached us. */
  origin: string;
  headers: IncomingHttpHeaders;
  query: URLSearchParams;
  /** The parts of the path that the route's pattern captured. */
  captured: string[];
  body: string;
}

export interface Answer {
  status: number;
  type: string;
  body: string | Buffer;
  headers?: Record<string, string>;
}

/** Null cuts the connection instead of answering. */
export type Handler = (request: HttpRequest) => Answer | null | Promise<Answer | null>;

export interface Route {
  method: string;
  path: RegExp;
  handle: Handler;
}

export function route(method: string, path: string, handle: Handler): Route {
  return { method, path: new RegExp(`^${path}$`), handle };
}

export function json(value: unknown, status = 200): Answer {
  return { status, type: "application/json; charset=utf-8", body: JSON.stringify(value) };
}

export const notFound = (): Answer => json({ error: "not found" }, 404);

/** A file that the pages share (`page/`). */
export const sharedFile = (name: SharedFile): Route =>
  pageFile(`/${name}`, new URL(`./page/${name}`, import.meta.url));
type SharedFile = "base.css" | "panes.css" | "bubbles.css" | "dom.js" | "bubbles.js";

const FILE_TYPES: Record<string, string> = {
  html: "text/html; charset=utf-8",
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
};

/** A file of a page, which may load nothing but its own. */
export function pageFile(path: string, file: URL): Route {
  return route("GET", path, () => ({
    status: 200,
    type: FILE_TYPES[file.pathname.split(".").at(-1) ?? ""] ?? "application/octet-stream",
    body: fs.readFileSync(file),
    headers: {
      "Content-Security-Policy":
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
        "connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    },
  }));
}
