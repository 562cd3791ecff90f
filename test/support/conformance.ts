import type { App } from "#src/http/context.ts";
import { openApiDocument } from "#src/http/openapi.ts";
import { faultOf, type JsonSchema } from "./json-schema.ts";

export interface ConformanceWatch {
  /** A line of the log: it says which answers had no limiter to tell of. */
  heard(line: string): void;
  /** Throws when the response is not one that the API's description allows. Leaves the response readable. */
  check(method: string, path: string, response: Response): Promise<void>;
}

interface Answers {
  security?: unknown[];
  responses: Record<string, { content?: Record<string, { schema?: JsonSchema }> }>;
}

interface Known {
  matches: RegExp;
  methods: Record<string, Answers>;
}

/** Every response seen in any test is held against the description: status, media type, body, headers. */
export function watchConformance(app: App): ConformanceWatch {
  const document = openApiDocument(app) as unknown as {
    paths: Record<string, Record<string, Answers>>;
    components?: { schemas?: Record<string, JsonSchema> };
  };
  const schemas = document.components?.schemas ?? {};
  const paths: Known[] = Object.entries(document.paths).map(([path, methods]) => ({
    matches: new RegExp(`^${path.replace(/[.]/g, "\\.").replace(/\{\w+\}/g, "[^/]+")}$`),
    methods,
  }));

  const withoutLimiter = new Set<string>();

  return {
    heard(line) {
      const { event, request_id: id } = JSON.parse(line) as { event: string; request_id?: string };
      if (event === "rate_limiter_unavailable" && id !== undefined) withoutLimiter.add(id);
    },
    async check(method, target, response) {
      const path = target.split("?", 1)[0]!;
      const fail = (what: string): never => {
        throw new Error(`${method} ${path} answered ${response.status}: ${what}`);
      };
      const requestId = response.headers.get("x-request-id");
      if (requestId === null) fail("without X-Request-Id");
      const operation = paths.find(({ matches }) => matches.test(path))?.methods[
        method.toLowerCase()
      ];
      // Callbacks, tracking, unknown paths, twins and other methods are no operations.
      if (operation === undefined) return;
      const documented = operation.responses[response.status];
      if (documented === undefined) return fail("a status that its description does not have");
      const isLimited = operation.security?.length !== 0 && !withoutLimiter.has(requestId ?? "");
      for (const name of ["ratelimit", "ratelimit-policy"])
        if (isLimited && response.status !== 500 && !response.headers.has(name))
          fail(`without ${name}`);
      if (response.status === 429 && !/^[1-9]\d*$/.test(response.headers.get("retry-after") ?? ""))
        fail("without Retry-After of at least 1");
      const [type] = (response.headers.get("content-type") ?? "").split(";");
      const media = documented.content?.[type!.trim()];
      if (media === undefined) return fail(`as ${type}, which its description does not have`);
      if (type !== "application/json" || media.schema === undefined) return;
      const fault = faultOf(await response.clone().json(), media.schema, schemas);
      if (fault !== null) fail(fault);
    },
  };
}
