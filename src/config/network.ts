import * as z from "zod";
import { secret, together, url } from "./fields.ts";

export const networkVariables = {
  // People copy it with or without the path that the vendor's examples have.
  UNIPILE_API_URL: url.transform((value) => value.replace(/\/api(\/v1)?$/, "")).optional(),
  UNIPILE_API_KEY: z
    .string()
    .regex(/^[\x21-\x7e]{1,1024}$/, "must be a key without spaces")
    .optional(),
  UNIPILE_WEBHOOK_SECRET: secret
    .regex(/^[\x21-\x7e]+$/, "must be printable and without spaces: it travels in a header")
    .optional(),
};
const variables = z.object(networkVariables);
type Variables = z.output<typeof variables>;

export const networkChecks = [
  together("UNIPILE_API_URL", "UNIPILE_API_KEY"),
  {
    path: ["UNIPILE_WEBHOOK_SECRET"],
    message: "is of no use without UNIPILE_API_URL",
    holds: (env: Variables) =>
      env.UNIPILE_WEBHOOK_SECRET === undefined || env.UNIPILE_API_URL !== undefined,
  },
];

export interface NetworkConfig {
  /** Who keeps the sessions of a professional network; null where no accounts can be connected. */
  network: {
    /** Without a path. */
    baseUrl: string;
    apiKey: string;
    /** What webhooks prove themselves by; null where none are taken. */
    webhookSecret: string | null;
  } | null;
}

export function readNetwork(env: Variables): NetworkConfig {
  if (env.UNIPILE_API_URL === undefined || env.UNIPILE_API_KEY === undefined)
    return { network: null };
  return {
    network: {
      baseUrl: env.UNIPILE_API_URL,
      apiKey: env.UNIPILE_API_KEY,
      webhookSecret: env.UNIPILE_WEBHOOK_SECRET ?? null,
    },
  };
}
