import { expect, test } from "vitest";
import { gapsOf } from "#src/http/openapi/gaps.ts";
import { type Media, type Schema, shownExample } from "#src/http/openapi/model.ts";
import { faultOf, requestFaultOf } from "../support/json-schema.ts";
import { document } from "./operations.ts";

const { components } = document;
const { schemas } = components;
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));

type Judge = typeof requestFaultOf;

const faultsIn = (content: Record<string, Media> | undefined, judge: Judge): string[] =>
  Object.values(content ?? {}).flatMap((media) => {
    const example = shownExample(media, components);
    const fault = example === undefined ? null : judge(example, media.schema!, schemas);
    return fault === null ? [] : [`${fault} in ${JSON.stringify(example).slice(0, 200)}`];
  });

test("every body and every main answer has an example, every tag a description", () => {
  expect(gapsOf(document)).toEqual([]);
});

test.each(operations.map((operation) => [operation.operationId, operation] as const))(
  "%s: its examples fit their schemas",
  (_, { requestBody, responses }) => {
    const answers = Object.values(responses).flatMap(({ content }) => faultsIn(content, faultOf));
    expect([...faultsIn(requestBody?.content, requestFaultOf), ...answers]).toEqual([]);
  },
);

test("every answer says its headers: the request's id, what is left of a quota, when to come again", () => {
  for (const { responses, security } of operations)
    for (const [status, { headers = {} }] of Object.entries(responses)) {
      expect(Object.keys(headers)).toContain("X-Request-Id");
      if (security?.length !== 0) expect(Object.keys(headers)).toContain("RateLimit");
      if (status === "429") expect(Object.keys(headers)).toContain("Retry-After");
    }
});

test("a list of words has a name", () => {
  const unnamed: string[] = [];
  const look = (schema: Schema, at: string): void => {
    const isLong = (schema.enum ?? []).filter((word) => typeof word === "string").length > 1;
    if (isLong && at.includes(".")) unnamed.push(at);
    for (const [name, each] of Object.entries(schema.properties ?? {})) look(each, `${at}.${name}`);
    const others = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])];
    for (const each of schema.items === undefined ? others : [...others, schema.items])
      look(each, at);
  };
  for (const [name, schema] of Object.entries(schemas)) look(schema, name);
  expect(unnamed).toEqual([]);
});
