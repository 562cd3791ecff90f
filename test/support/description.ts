import {
  type Content,
  type Described,
  type Description,
  nameOf,
  type Parameter,
  type Ref,
} from "#src/http/openapi/model.ts";

/** An operation with what it refers to in its place; schemas stay references. */
export interface Whole extends Described {
  parameters: Parameter[];
  responses: Record<string, Content>;
}

export interface WholeDescription extends Description {
  paths: Record<string, Record<string, Whole>>;
}

const follow = <T extends object>(each: T | Ref, named: Record<string, T>): T =>
  "$ref" in each ? named[nameOf(each)]! : each;

/** The description as one reads it: answers and parameters where they are used. */
export function whole(description: Description): WholeDescription {
  const { parameters, responses } = description.components;
  const operation = (described: Described): Whole => ({
    ...described,
    parameters: (described.parameters ?? []).map((each) => follow(each, parameters)),
    responses: mapped(described.responses, (each) => follow(each, responses)),
  });
  return {
    ...description,
    paths: mapped(description.paths, (methods) => mapped(methods, operation)),
  };
}

const mapped = <T, U>(values: Record<string, T>, change: (value: T) => U): Record<string, U> =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, change(value)]));
