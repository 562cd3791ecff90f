import { openApiDocument } from "#src/http/openapi/document.ts";
import { secondVersion } from "#src/http/openapi/version-2.ts";
import { everyOperation } from "#src/routes/index.ts";
import { whole, type Whole, type WholeDescription } from "./description.ts";
import type { Schema, Schemas } from "#src/http/openapi/model.ts";
import { faultOf } from "./json-schema.ts";

export interface ConformanceWatch {
  /** A line of the log: it says which answers had no limiter to tell of. */
  heard(line: string): void;
  /** Throws when the response is not one that the API's description allows. Leaves the response readable. */
  check(method: string, path: string, response: Response): Promise<void>;
}

/** What HTTP and browsers agree on, and no caller of the API reads. */
const OF_THE_TRANSPORT =
  /^(content-(type|length|encoding|security-policy)|cache-control|date|x-content-type-options|strict-transport-security|access-control-.*|vary|referrer-policy|x-robots-tag)$/;

interface Known {
  matches: RegExp;
  methods: Record<string, Whole>;
  components: WholeDescription["components"];
}

/** Building every route's schemas takes longer than most files' tests: once a process. */
let described: Promise<Known[]> | undefined;

/** The paths of both versions; `/conversations/counts` before `/conversations/{id}`, which matches it too. */
async function describe(): Promise<Known[]> {
  const operations = await everyOperation();
  return [openApiDocument(operations), secondVersion(operations)]
    .map(whole)
    .flatMap(({ components, paths }) =>
      Object.entries(paths)
        .toSorted(([one], [other]) => one.split("{").length - other.split("{").length)
        .map(([path, methods]) => ({
          matches: new RegExp(`^${path.replace(/[.]/g, "\\.").replace(/\{\w+\}/g, "[^/]+")}$`),
          methods,
          components,
        })),
    );
}

/** Of `/templates/render` and `/templates/{id}`, which match one path, the one that has the method. */
function operationOf(paths: Known[], method: string, path: string) {
  const known = paths.find(
    ({ matches, methods }) => matches.test(path) && method.toLowerCase() in methods,
  );
  return known && { operation: known.methods[method.toLowerCase()]!, components: known.components };
}

/** What is answered where `?fields=` asked for some of it. */
function anyOfFields(schema: Schema, schemas: Schemas): Schema {
  if (schema.$ref !== undefined)
    return anyOfFields(schemas[schema.$ref.split("/").at(-1)!]!, schemas);
  if (schema.allOf !== undefined)
    return { ...schema, allOf: schema.allOf.map((each) => anyOfFields(each, schemas)) };
  const { required: _, properties, ...rest } = schema;
  const items = properties?.["items"]?.items;
  if (properties === undefined || items === undefined)
    return { ...rest, ...(properties && { properties }) };
  return {
    ...rest,
    properties: {
      ...properties,
      items: { ...properties["items"], items: anyOfFields(items, schemas) },
    },
  };
}

/** Every response seen in any test is held against the description: status, media type, body, headers. */
export async function watchConformance(): Promise<ConformanceWatch> {
  const paths = await (described ??= describe());
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
      const found = operationOf(paths, method, path);
      // Callbacks, tracking, unknown paths, twins and other methods are no operations.
      if (found === undefined) return;
      const { operation } = found;
      const { schemas, headers: allHeaders } = found.components;
      const documented = operation.responses[response.status];
      if (documented === undefined) return fail("a status that its description does not have");
      const isLimited = operation.security?.length !== 0 && !withoutLimiter.has(requestId ?? "");
      for (const name of ["ratelimit", "ratelimit-policy"])
        if (isLimited && response.status !== 500 && !response.headers.has(name))
          fail(`without ${name}`);
      if (response.status === 429 && !/^[1-9]\d*$/.test(response.headers.get("retry-after") ?? ""))
        fail("without Retry-After of at least 1");
      const headers = documented.headers ?? {};
      for (const name of Object.keys(headers))
        if (allHeaders[name]!.required === true && !response.headers.has(name))
          fail(`without ${name}`);
      const told = Object.keys(headers).map((name) => name.toLowerCase());
      for (const name of response.headers.keys())
        if (!told.includes(name) && !OF_THE_TRANSPORT.test(name))
          fail(`with ${name}, which its description does not have`);
      const [type] = (response.headers.get("content-type") ?? "").split(";");
      if (documented.content === undefined && response.body === null) return;
      const media = documented.content?.[type!.trim()];
      if (media === undefined) return fail(`as ${type}, which its description does not have`);
      if (!/^application\/(problem\+)?json$/.test(type!) || media.schema === undefined) return;
      const schema = /[?&]fields=/.test(target) ? anyOfFields(media.schema, schemas) : media.schema;
      const fault = faultOf(await response.clone().json(), schema, schemas);
      if (fault !== null) fail(fault);
    },
  };
}
