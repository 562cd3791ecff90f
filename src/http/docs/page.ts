import { escapeHtml } from "#src/mime/escape-html.ts";
import {
  type Components,
  type Content,
  type Described,
  type Description,
  type Media,
  nameOf,
  type Parameter,
  type Ref,
  type Schema,
  type Schemas,
  shownExample,
} from "../openapi/model.ts";
import { fieldRows, resolve, typeOf } from "./schema-table.ts";
import { STYLE } from "./style.ts";

/**
 * The API's description as one page, rendered from the document itself: no
 * script of others, no request to anywhere. The only script filters the list.
 */
export function docsPage(document: Description, baseUrl: string): string {
  const groups = new Map<string, string[]>();
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const tag = operation.tags?.[0] ?? "Other";
      groups.set(tag, [
        ...(groups.get(tag) ?? []),
        operationBlock(method, path, operation, document.components, baseUrl),
      ]);
    }
  }
  const { title, version, description = "" } = document.info;
  const anchor = (tag: string) => escapeHtml(tag.toLowerCase().replaceAll(" ", "-"));
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} API ${escapeHtml(version)}</title><style>${STYLE}</style></head>
<body>
<nav aria-label="Resources"><h1>${escapeHtml(title)} <small>${escapeHtml(version)}</small></h1>
<label>Find <input id="find" type="search" placeholder="path, field or word" autocomplete="off"></label>
<ul>${[...groups.keys()].map((tag) => `<li><a href="#${anchor(tag)}">${escapeHtml(tag)}</a></li>`).join("")}</ul>
<p><a href="/openapi.json">openapi.json</a></p></nav>
<main><p>${escapeHtml(description)}</p>
<p>Send <code>Authorization: Bearer &lt;API key or login JWT&gt;</code>. Errors: match on the status first; the body is <code>{detail, message}</code>, <code>{detail}</code>, or for a request that does not fit its schema <code>{error, details[], path, message}</code>.</p>
${[...groups].map(([tag, blocks]) => `<section><h2 id="${anchor(tag)}">${escapeHtml(tag)}</h2>${blocks.join("")}</section>`).join("\n")}
<p id="none" hidden>Nothing here has that word.</p></main>
<script src="/docs/find.js"></script>
</body></html>`;
}

function operationBlock(
  method: string,
  path: string,
  operation: Described,
  components: Components,
  baseUrl: string,
): string {
  const { schemas } = components;
  const { summary = "", description = "", requestBody, responses } = operation;
  const parameters = (operation.parameters ?? []).map((each) =>
    follow(each, components.parameters),
  );
  const [bodyType, body] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  const parts = [
    description === "" ? "" : `<p>${escapeHtml(description)}</p>`,
    whoMayCall(operation),
    parameters.length === 0
      ? ""
      : `<h3>Parameters</h3>${table(parameters.map((parameter) => parameterRow(parameter, schemas)).join(""))}`,
    body?.schema === undefined
      ? ""
      : `<h3>Body <small>${escapeHtml(bodyType!)}</small></h3>${schemaBlock(body.schema, schemas)}`,
    `<h3>Example</h3><pre>${escapeHtml(curl(method, path, operation, bodyType, body, components, baseUrl))}</pre>`,
    `<h3>Answers</h3>${Object.entries(responses)
      .map(([status, each]) => answer(status, follow(each, components.responses), schemas))
      .join("")}`,
  ];
  return `<details class="operation" id="${escapeHtml(operation.operationId)}"><summary><b class="${method}">${method.toUpperCase()}</b> <code>${escapeHtml(path)}</code> <span>${escapeHtml(summary)}</span></summary>${parts.join("")}</details>`;
}

/** What a reference stands for. */
const follow = <T extends object>(each: T | Ref, named: Record<string, T>): T =>
  "$ref" in each ? named[nameOf(each)]! : each;

function whoMayCall({ security }: Described): string {
  if (security === undefined) return "";
  return security.length === 0
    ? "<p>Open to anyone, without a credential.</p>"
    : "<p>Needs a login token; an API key gets 403.</p>";
}

function parameterRow(parameter: Parameter, schemas: Schemas): string {
  const { name, schema, required = false, description } = parameter;
  const asObject: Schema = {
    properties: { [name]: description === undefined ? schema : { ...schema, description } },
    required: required ? [name] : [],
  };
  return fieldRows(asObject, schemas).replace(
    "</code></td>",
    `</code> <small>${escapeHtml(parameter.in)}</small></td>`,
  );
}

function answer(
  status: string,
  { description = "", content = {} }: Content,
  schemas: Schemas,
): string {
  const [type, media] = Object.entries(content)[0] ?? [];
  const success = status.startsWith("2");
  const shape =
    media?.schema === undefined
      ? ""
      : success && type === "application/json"
        ? schemaBlock(media.schema, schemas)
        : "";
  return `<p><b class="${success ? "ok" : "error"}">${status}</b> ${escapeHtml(description)}</p>${shape}`;
}

function schemaBlock(schema: Schema, schemas: Schemas): string {
  const found = resolve(schema, schemas);
  if (found.type === "array" && found.items !== undefined)
    return `<p>An array of:</p>${schemaBlock(found.items, schemas)}`;
  const rows = fieldRows(found, schemas);
  return rows === "" ? `<p>${escapeHtml(typeOf(found, schemas))}</p>` : table(rows);
}

const table = (rows: string) =>
  `<div class="scroll"><table><thead><tr><th>Field</th><th>Type</th><th></th><th>Notes</th></tr></thead><tbody>${rows}</tbody></table></div>`;

function curl(
  method: string,
  path: string,
  { security }: Described,
  bodyType: string | undefined,
  body: Media | undefined,
  components: Components,
  baseUrl: string,
): string {
  const parts = [
    `curl ${method === "get" ? "" : `-X ${method.toUpperCase()} `}'${baseUrl}${path}'`,
  ];
  const credential = security === undefined ? "KEY" : security.length > 0 ? "JWT" : null;
  if (credential !== null) parts.push(`-H "Authorization: Bearer $${credential}"`);
  if (bodyType === "multipart/form-data") parts.push("-F file=@leads.csv");
  else if (body !== undefined)
    parts.push(
      "-H 'Content-Type: application/json'",
      `-d '${JSON.stringify(shownExample(body, components))}'`,
    );
  return parts.join(" \\\n  ");
}
