import { expect, test } from "vitest";
import { readConfig } from "#src/config.ts";
import { ENVIRONMENT } from "../../support/environment.ts";

const MODEL = { MODEL_BASE_URL: "https://models.example.com/v1/", MODEL_NAME: "writer-2" };
const modelOf = (more: object) => readConfig({ ...ENVIRONMENT, ...more }).model;

test("without an address and a name there is no model, and one needs the other", () => {
  expect(modelOf({})).toBeNull();
  expect(modelOf({ MODEL_API_KEY: "key", MODEL_MAX_TOKENS: "900" })).toBeNull();
  for (const name of ["MODEL_BASE_URL", "MODEL_NAME"] as const)
    expect(() => modelOf({ [name]: MODEL[name] })).toThrow(/set it together with/);
});

test("two variables are a model, with the defaults that most endpoints take", () => {
  expect(modelOf(MODEL)).toEqual({
    baseUrl: "https://models.example.com/v1",
    name: "writer-2",
    key: null,
    jsonMode: "json_schema",
    tokensField: "max_tokens",
    parameters: { temperature: 0.3, maxTokens: 2_000 },
    prices: null,
  });
});

test("parameters may be left to the endpoint, and prices are known together", () => {
  expect(
    modelOf({ ...MODEL, MODEL_TEMPERATURE: "default", MODEL_MAX_TOKENS: "6000" })?.parameters,
  ).toEqual({ temperature: null, maxTokens: 6_000 });
  expect(modelOf({ ...MODEL, MODEL_TEMPERATURE: "0" })?.parameters.temperature).toBe(0);
  expect(modelOf({ ...MODEL, MODEL_INPUT_PRICE: "2.5", MODEL_OUTPUT_PRICE: "10" })?.prices).toEqual(
    { input: 2.5, cached: 2.5, output: 10 },
  );
  expect(() => modelOf({ ...MODEL, MODEL_INPUT_PRICE: "2" })).toThrow(/MODEL_OUTPUT_PRICE/);
});

test.each([
  ["MODEL_BASE_URL", "ftp://models.example.com"],
  ["MODEL_JSON_MODE", "xml"],
  ["MODEL_TOKENS_FIELD", "tokens"],
  ["MODEL_TEMPERATURE", "hot"],
  ["MODEL_TEMPERATURE", "3"],
  ["MODEL_MAX_TOKENS", "10"],
  ["MODEL_INPUT_PRICE", "-1"],
])("%s=%s is a fault that names it", (name, value) => {
  expect(() => modelOf({ ...MODEL, [name]: value })).toThrow(new RegExp(name));
});
