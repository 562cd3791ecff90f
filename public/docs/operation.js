import { codeBlock, el, pretty, prose } from "./dom.js";
import { curlOf } from "./curl.js";
import { fieldRow, lastOf, schemaView, table } from "./schema.js";
import { tryForm } from "./try.js";

/** What a reference to a named component stands for. */
const follow = (each, named) => (each.$ref === undefined ? each : named[lastOf(each.$ref)]);

/** The operations of the document, by tag, each with its references followed. */
export function operationsOf(document) {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const { components } = document;
      const [bodyType, body] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
      return {
        ...operation,
        id: operation.operationId,
        tag: operation.tags?.[0] ?? "Other",
        path,
        method,
        components,
        parameters: (operation.parameters ?? []).map((each) => follow(each, components.parameters)),
        answers: Object.entries(operation.responses).map(([status, each]) => ({
          status,
          ...follow(each, components.responses),
        })),
        bodyTypes: Object.keys(operation.requestBody?.content ?? {}),
        bodyType,
        body,
        example: body === undefined ? undefined : exampleOf(body, components),
      };
    }),
  );
}

export function exampleOf(media, { examples }) {
  const [ref] = Object.values(media.examples ?? {});
  return ref === undefined ? media.example : examples[lastOf(ref.$ref)]?.value;
}

/** A closed card; its inside is made when it is first opened, because there are many. */
export function operationCard(operation) {
  const inside = el("div", { class: "inside" });
  const card = el(
    "details",
    { class: "operation", id: operation.id },
    el(
      "summary",
      {},
      el("b", { class: `method ${operation.method}` }, operation.method),
      el("code", { class: "path" }, ...breakable(operation.path)),
      el("span", { class: "summary" }, prose(operation.summary ?? "")),
    ),
    inside,
  );
  card.addEventListener("toggle", () => {
    if (!card.open || inside.childElementCount > 0) return;
    inside.append(...insideOf(operation).filter((part) => part !== null));
  });
  return card;
}

/** A long path may break before each slash. */
const breakable = (path) =>
  path.split(/(?=\/)/).flatMap((part, index) => (index === 0 ? [part] : [el("wbr"), part]));

function insideOf(operation) {
  const { description = "", parameters, body, bodyTypes, answers, components } = operation;
  const { schemas } = components;
  return [
    ...description.split("\n\n").flatMap((part) => (part === "" ? [] : [el("p", {}, prose(part))])),
    access(operation),
    ...(parameters.length === 0
      ? []
      : [el("h3", {}, "Parameters"), table(parameters.map((each) => parameterRow(each, schemas)))]),
    ...(body?.schema === undefined
      ? []
      : [
          el("h3", {}, "Body ", el("small", {}, bodyTypes.join(" or "))),
          ...schemaView(body.schema, schemas),
        ]),
    el("h3", {}, "Request"),
    codeBlock(curlOf(operation, location.origin)),
    tryForm(operation),
    el("h3", {}, "Answers"),
    ...answers.map((answer) => answerView(answer, components)),
  ];
}

function access({ security }) {
  const scope = security?.find((one) => one.api_key !== undefined)?.api_key[0];
  const words =
    security === undefined
      ? null
      : security.length === 0
        ? "Open to anyone, without a credential."
        : scope === undefined
          ? "Needs a login token; an API key gets 403."
          : scope === "unscoped"
            ? "Needs a login token, or a key that was made without scopes."
            : `A key that was made with scopes needs ${scope}.`;
  return words === null ? null : el("p", { class: "access" }, words);
}

const parameterRow = ({ name, in: place, schema, required: isRequired, description }, schemas) =>
  fieldRow(
    {
      ...{ name, at: name, depth: 0, isRequired, place },
      field: description === undefined ? schema : { ...schema, description },
    },
    schemas,
  );

function answerView({ status, description = "", content = {} }, components) {
  const isGood = status.startsWith("2");
  const [type, media] = Object.entries(content)[0] ?? [];
  const line = [
    el("b", { class: `status ${isGood ? "good" : "bad"}` }, status),
    el("span", {}, prose(description)),
  ];
  const example = media === undefined ? undefined : exampleOf(media, components);
  const details = [
    ...(isGood && type === "application/json" ? schemaView(media.schema, components.schemas) : []),
    ...(example === undefined
      ? []
      : [codeBlock(typeof example === "string" ? example : pretty(example))]),
  ];
  return details.length === 0
    ? el("p", { class: "answer" }, ...line)
    : el("details", { class: "answer", open: isGood }, el("summary", {}, ...line), ...details);
}
