import { getPath } from "hono/utils/url";
import type { AppContext } from "./context.ts";

/** 1: the specification's bytes. 2: problem details, cursors on every list, and what builds on them (docs/design/http.md). */
export type Version = 1 | 2;

const V2 = /^\/api\/v2(?=\/|$)/;

/** As the router reads it: percent signs decoded, and version 2 at the paths of version 1, whose operations serve both. */
export const servedPath = (request: Request): string => getPath(request).replace(V2, "/api/v1");

export const versionOf = (c: AppContext): Version => (V2.test(getPath(c.req.raw)) ? 2 : 1);
