import { createHash } from "node:crypto";
import * as fs from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import * as path from "node:path";
import { gzipSync } from "node:zlib";

export interface Assets {
  /** host:port, for workerd's ASSETS binding. */
  address: string;
  /** Every path that is answered with a file or with a redirect to one. */
  paths: string[];
  close(): Promise<void>;
}

const contentTypes: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".md": "text/markdown; charset=utf-8",
  ".txt": "text/plain; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/vnd.microsoft.icon",
  ".woff2": "font/woff2",
  ".map": "application/json",
};

/** Cloudflare compresses what is text, and no image or font, which is compressed as it is. */
const isText = (type: string): boolean =>
  type.startsWith("text/") || type === "application/json" || type === "image/svg+xml";

/** Cloudflare's own settings, which it does not serve. */
const SETTINGS = ["/_headers", "/_redirects"];

/**
 * Serves a folder as Cloudflare's static assets do (html_handling "auto-trailing-slash"): content type, ETag,
 * `x.html` at /x, `x/index.html` at /x/, and 404 otherwise; text is compressed for who takes gzip. A file that is
 * new since the start is found when it is asked for.
 */
export async function startAssets(folder: string): Promise<Assets> {
  const files = listFiles(folder);
  const server = createServer((request, response) => {
    // The console may be built anew meanwhile.
    if (!files.has(pathOf(request)))
      for (const [at, file] of listFiles(folder)) files.set(at, file);
    answer(files, request, response);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    paths: [...files.keys()],
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Files by path; a path that leads to another one has that as its text. */
type Files = Map<string, { file: string } | { location: string }>;

function listFiles(folder: string): Files {
  const files: Files = new Map();
  for (const entry of fs.readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    const at = `/${path.relative(folder, file).split(path.sep).join("/")}`;
    if (!entry.isFile() || SETTINGS.includes(at)) continue;
    if (!at.endsWith(".html")) {
      files.set(at, { file });
      continue;
    }
    const isIndex = at.endsWith("/index.html");
    const clean = isIndex ? at.slice(0, -"index.html".length) : at.slice(0, -".html".length);
    files.set(clean, { file });
    files.set(at, { location: clean });
    if (isIndex && clean !== "/") files.set(clean.slice(0, -1), { location: clean });
  }
  return files;
}

const pathOf = ({ url = "/" }: IncomingMessage): string =>
  URL.parse(url, "http://assets")?.pathname ?? "";

function answer(files: Files, request: IncomingMessage, response: ServerResponse): void {
  if (request.method !== "GET" && request.method !== "HEAD")
    return void response.writeHead(405).end();
  const found = files.get(pathOf(request));
  if (found === undefined) return void response.writeHead(404).end();
  if ("location" in found) return void response.writeHead(307, { location: found.location }).end();
  const content = fs.readFileSync(found.file);
  const tag = `"${createHash("sha256").update(content).digest("hex").slice(0, 32)}"`;
  const type = contentTypes[path.extname(found.file)] ?? "application/octet-stream";
  const isCompressed = isText(type) && takesGzip(request.headers["accept-encoding"]);
  const headers = {
    // Compressed it is the same by meaning alone (RFC 9110 section 8.8.1).
    etag: isCompressed ? `W/${tag}` : tag,
    "content-type": type,
    "cache-control": "public, max-age=0, must-revalidate",
    ...(isText(type) ? { vary: "accept-encoding" } : {}),
  };
  if (request.headers["if-none-match"]?.replace(/^W\//, "") === tag)
    return void response.writeHead(304, headers).end();
  const body = isCompressed ? gzipped(tag, content) : content;
  response.writeHead(200, {
    ...headers,
    ...(isCompressed ? { "content-encoding": "gzip" } : {}),
    "content-length": body.length,
  });
  response.end(request.method === "HEAD" ? undefined : body);
}

/** RFC 9110 section 12.5.3. */
function takesGzip(accepted: string | string[] = ""): boolean {
  const weights = new Map(
    String(accepted)
      .toLowerCase()
      .split(",")
      .map((each) => {
        const [coding = "", weight = ""] = each.split(";").map((part) => part.trim());
        return [coding, weight.startsWith("q=") ? Number(weight.slice(2)) : 1];
      }),
  );
  return (weights.get("gzip") ?? weights.get("*") ?? 0) > 0;
}

const compressed = new Map<string, Buffer>();

function gzipped(tag: string, content: Buffer): Buffer {
  const known = compressed.get(tag) ?? gzipSync(content);
  compressed.set(tag, known);
  return known;
}
