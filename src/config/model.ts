import * as z from "zod";
import type { ChatModelSettings } from "../providers/model/chat-completions.ts";
import { together, url, whole } from "./fields.ts";

/** US dollars for a million tokens. */
const price = z.coerce.number().min(0).max(10_000).optional();

export const modelVariables = {
  MODEL_BASE_URL: url.optional(),
  MODEL_NAME: z.string().min(1).max(200).optional(),
  MODEL_API_KEY: z.string().min(1).optional(),
  MODEL_JSON_MODE: z.enum(["json_schema", "json_object", "prompt"]).default("json_schema"),
  MODEL_TOKENS_FIELD: z.enum(["max_tokens", "max_completion_tokens"]).default("max_tokens"),
  MODEL_MAX_TOKENS: whole(2_000, 200, 32_000),
  MODEL_TEMPERATURE: z.union([z.literal("default"), z.coerce.number().min(0).max(2)]).default(0.3),
  MODEL_INPUT_PRICE: price,
  MODEL_CACHED_PRICE: price,
  MODEL_OUTPUT_PRICE: price,
};
const variables = z.object(modelVariables);
type Variables = z.output<typeof variables>;

export const modelChecks = [
  together("MODEL_BASE_URL", "MODEL_NAME"),
  together("MODEL_INPUT_PRICE", "MODEL_OUTPUT_PRICE"),
];

export interface ModelConfig {
  /** Null where the deployment has no language model. */
  model: ChatModelSettings | null;
}

export const readModel = (env: Variables): ModelConfig => ({
  model:
    env.MODEL_BASE_URL === undefined
      ? null
      : {
          baseUrl: env.MODEL_BASE_URL,
          name: env.MODEL_NAME!,
          key: env.MODEL_API_KEY ?? null,
          jsonMode: env.MODEL_JSON_MODE,
          tokensField: env.MODEL_TOKENS_FIELD,
          parameters: {
            temperature: env.MODEL_TEMPERATURE === "default" ? null : env.MODEL_TEMPERATURE,
            maxTokens: env.MODEL_MAX_TOKENS,
          },
          prices: pricesOf(env),
        },
});

const pricesOf = ({ MODEL_INPUT_PRICE, MODEL_CACHED_PRICE, MODEL_OUTPUT_PRICE }: Variables) =>
  MODEL_INPUT_PRICE === undefined
    ? null
    : {
        input: MODEL_INPUT_PRICE,
        cached: MODEL_CACHED_PRICE ?? MODEL_INPUT_PRICE,
        output: MODEL_OUTPUT_PRICE!,
      };
