import type { Variants } from "./variants.ts";

/** The part of JSON Schema 2020-12 that this API's description uses. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  example?: unknown;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  /** Gone from the description that is shown (`variants.ts`). */
  "x-variants"?: Variants;
}

export type Schemas = Record<string, Schema>;

export interface Ref {
  $ref: string;
}

export interface Media {
  schema?: Schema;
  example?: unknown;
  examples?: Record<string, Ref>;
}

export interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema: Schema;
}

export interface Header {
  description: string;
  required?: boolean;
  schema: Schema;
}

export interface Content {
  description?: string;
  headers?: Record<string, Ref>;
  content?: Record<string, Media>;
}

export interface Described {
  operationId: string;
  summary?: string;
  description?: string;
  tags?: string[];
  security?: Record<string, string[]>[];
  parameters?: (Parameter | Ref)[];
  requestBody?: Content;
  responses: Record<string, Content | Ref>;
  /** Fields of its answer that a repetition is not told (http/idempotency.ts). */
  "x-shown-once"?: readonly string[];
}

export interface Components {
  schemas: Schemas;
  responses: Record<string, Content>;
  parameters: Record<string, Parameter>;
  headers: Record<string, Header>;
  examples: Record<string, { value: unknown }>;
  securitySchemes: Record<string, unknown>;
}

/** OpenAPI 3.1, as far as it is used here. */
export interface Description {
  openapi: string;
  info: { title: string; version: string; description?: string };
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Described>>;
  components: Components;
}

export const everyOperation = ({ paths }: Description): Described[] =>
  Object.values(paths).flatMap((methods) => Object.values(methods));

export const nameOf = ({ $ref }: Ref): string => $ref.split("/").at(-1)!;

/** `paused_reason` is PausedReason. */
export const pascal = (text: string): string =>
  text.replace(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** The example that the description shows of a body or an answer. */
export const shownExample = (media: Media, { examples }: Components): unknown => {
  const [ref] = Object.values(media.examples ?? {});
  return ref === undefined ? media.example : examples[nameOf(ref)]?.value;
};
