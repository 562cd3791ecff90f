import * as z from "zod";
import { whole } from "./fields.ts";
import type { IssuerSettings } from "../providers/identity/jose.ts";
import type { OidcSettings } from "../providers/identity/oidc.ts";

const printable = (what: string) =>
  z.string().regex(/^[\x21-\x7e]{1,512}$/, `must be ${what} without spaces`);

export const loginVariables = {
  // As it stands: a slash at its end is part of an issuer's name.
  OIDC_ISSUER: z.url({ protocol: /^https?$/ }).optional(),
  OIDC_CLIENT_ID: printable("an id").optional(),
  OIDC_CLIENT_SECRET: printable("a secret").optional(),
  OIDC_SCOPES: z
    .string()
    .max(1000)
    .regex(/(^| )openid( |$)/, "must have openid among its scopes")
    .default("openid email profile"),
  /** The longest that a session of the console lasts. */
  SESSION_HOURS: whole(12, 1, 720),
};
type Variables = z.output<z.ZodObject<typeof loginVariables>> & {
  JWT_ISSUER: string;
  JWT_AUDIENCE?: string | undefined;
  JWT_SECRET?: string | undefined;
  JWT_JWKS_URL?: string | undefined;
};

export const issuerCheck = {
  path: ["JWT_SECRET"],
  message: "set exactly one of JWT_SECRET and JWT_JWKS_URL",
  holds: (env: Partial<Variables>) =>
    (env.JWT_SECRET === undefined) !== (env.JWT_JWKS_URL === undefined),
};

const isUrl = (text: string) => /^https?:$/.test(URL.parse(text)?.protocol ?? "");

export const loginChecks = [
  {
    path: ["OIDC_ISSUER"],
    message: "is needed for OIDC_CLIENT_ID, where JWT_ISSUER is no URL",
    holds: (env: Partial<Variables>) =>
      env.OIDC_CLIENT_ID === undefined ||
      env.OIDC_ISSUER !== undefined ||
      isUrl(env.JWT_ISSUER ?? ""),
  },
  {
    path: ["OIDC_CLIENT_ID"],
    message: "is needed for OIDC_ISSUER and OIDC_CLIENT_SECRET",
    holds: (env: Partial<Variables>) =>
      env.OIDC_CLIENT_ID !== undefined ||
      (env.OIDC_ISSUER === undefined && env.OIDC_CLIENT_SECRET === undefined),
  },
];

export interface LoginConfig {
  /** Whose login tokens are accepted. */
  issuers: IssuerSettings[];
  /** Where people sign in to the console; null where they paste a key or a token. */
  oidc: OidcSettings | null;
  sessionHours: number;
}

export const readLogin = (env: Variables): LoginConfig => ({
  issuers: [
    {
      issuer: env.JWT_ISSUER,
      audience: env.JWT_AUDIENCE,
      key:
        env.JWT_SECRET === undefined
          ? { kind: "jwks", url: env.JWT_JWKS_URL! }
          : { kind: "hs256", secret: env.JWT_SECRET },
    },
  ],
  oidc:
    env.OIDC_CLIENT_ID === undefined
      ? null
      : {
          issuer: env.OIDC_ISSUER ?? env.JWT_ISSUER,
          clientId: env.OIDC_CLIENT_ID,
          clientSecret: env.OIDC_CLIENT_SECRET ?? null,
          scopes: env.OIDC_SCOPES,
        },
  sessionHours: env.SESSION_HOURS,
});
