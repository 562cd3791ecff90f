import { z } from "zod";
import type { ChatBody } from "./request.ts";

const schemaShape = z.looseObject({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  enum: z.array(z.unknown()).optional(),
});

/** The schema that the answer is to follow: from the format, or from the words after "JSON schema:"; null where none is told. */
export function schemaOf({ response_format: format, messages }: ChatBody): unknown {
  if (format?.type === "json_schema") return format.json_schema.schema;
  const words = messages.map(({ content }) => content).join("\n");
  const [, told] = /JSON schema:\s*(\{[^\n]*\})/i.exec(words) ?? [];
  try {
    return told === undefined ? null : JSON.parse(told);
  } catch {
    return null;
  }
}

/** What of the value the schema asks for, and something of the right type for what the value has not. */
export function fitSchema(schema: unknown, value: unknown): unknown {
  const { type, properties, enum: allowed } = schemaShape.parse(schema ?? {});
  if (allowed !== undefined) return allowed.includes(value) ? value : allowed[0];
  const wanted = Array.isArray(type) ? type[0] : type;
  if (wanted === "object" && properties !== undefined) {
    const fields = (isObject(value) ? value : {}) as Record<string, unknown>;
    return Object.fromEntries(
      Object.entries(properties).map(([key, each]) => [key, fitSchema(each, fields[key])]),
    );
  }
  return wanted === undefined || isOf(wanted, value) ? value : (EMPTY[wanted] ?? null);
}

const EMPTY: Record<string, unknown> = {
  string: "",
  number: 0,
  integer: 0,
  boolean: false,
  array: [],
  object: {},
};

const isObject = (value: unknown) =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isOf = (type: string, value: unknown): boolean => {
  if (type === "array") return Array.isArray(value);
  if (type === "object") return isObject(value);
  return type === "integer" ? Number.isInteger(value) : typeof value === type;
};
