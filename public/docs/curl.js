import { pretty } from "./dom.js";

/** What a shell takes as it stands; a quote within is closed, escaped and opened again. */
const quoted = (text) => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** The operation as a command, a line for each part of it. */
export function curlOf({ method, path, security, bodyType, example }, base) {
  const verb = method === "get" ? "" : `-X ${method.toUpperCase()} `;
  const takesKey = security === undefined || security.some((one) => one.api_key !== undefined);
  const credential = takesKey ? "KEY" : security.length > 0 ? "JWT" : null;
  const parts = [
    `curl ${verb}${quoted(base + path)}`,
    ...(credential === null ? [] : [`-H "Authorization: Bearer $${credential}"`]),
    ...bodyOf(bodyType, example),
  ];
  return parts.join(" \\\n  ");
}

function bodyOf(bodyType, example) {
  if (bodyType === undefined) return [];
  if (bodyType === "multipart/form-data") return ["-F file=@leads.csv"];
  const isJson = bodyType === "application/json";
  const text = isJson ? pretty(example) : String(example);
  return [`-H 'Content-Type: ${bodyType}'`, `-d ${quoted(text)}`];
}
