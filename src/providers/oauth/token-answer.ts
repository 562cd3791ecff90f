import { decodeJwt } from "jose";
import * as oauth from "oauth4webapi";
import * as z from "zod";
import { HostNotFound, HostRefused } from "#src/providers/net/index.ts";
import type { OauthApp, OauthTokens, TokenAnswer } from "./index.ts";

/** The request got no answer: refused, lost, too late. */
export class NotAnswered extends Error {
  override readonly name = "NotAnswered";
}

/** RFC 6749 appendix A.12 and A.17: printable characters. Microsoft's tokens take some 3 kB. */
const token = z.string().regex(/^[\x20-\x7e]{1,16384}$/);
const Answer = z.object({
  access_token: token,
  /** RFC 6749 only recommends it; a provider that leaves it out is asked again when the token is refused. */
  expires_in: z.number().positive().default(3600),
  refresh_token: token.optional(),
});
const IdToken = z.object({ id_token: z.string().max(16_384) });
const Claims = z.object({
  email: z.string().max(320).optional().catch(undefined),
  preferred_username: z.string().max(320).optional().catch(undefined),
});
/** No provider's lives longer, and no date may leave what a Date can hold. */
const LONGEST_SECONDS = 86_400;

/** The tokens of an answer that is one; throws the library's errors, and ZodError. */
export async function tokensOf(response: Response, app: OauthApp): Promise<OauthTokens> {
  const server = {
    issuer: (await issuerOf(response.clone())) ?? new URL(app.tokenUrl).origin,
    token_endpoint: app.tokenUrl,
    id_token_signing_alg_values_supported: ["RS256", "PS256", "ES256", "ES384", "EdDSA", "Ed25519"],
  };
  const client = { client_id: app.clientId };
  const body = await oauth.processGenericTokenEndpointResponse(server, client, response);
  const { access_token, expires_in, refresh_token } = Answer.parse(body);
  const claims = Claims.parse(oauth.getValidatedIdTokenClaims(body) ?? {});
  return {
    accessToken: access_token,
    lifetime: Math.min(expires_in, LONGEST_SECONDS),
    ...(refresh_token === undefined ? {} : { refreshToken: refresh_token }),
    identities: [claims.email, claims.preferred_username].flatMap((each) =>
      each?.includes("@") ? [each.toLowerCase()] : [],
    ),
  };
}

/**
 * Who calls itself the issuer of the id token. It came from the token endpoint over TLS, which OpenID
 * Connect takes in the place of a signature (Core, 3.1.3.7), and at Microsoft it differs by tenant; the
 * library holds it to audience and time.
 */
async function issuerOf(answer: Response): Promise<string | undefined> {
  try {
    return decodeJwt(IdToken.parse(await answer.json()).id_token).iss;
  } catch {
    return undefined;
  }
}

/** Anything but tokens, as the domain reads it. */
export function tokenFault(error: unknown, host: string, secrets: string[]): TokenAnswer {
  if (error instanceof HostRefused || error instanceof HostNotFound)
    return { kind: "forbidden", reason: error.message };
  if (error instanceof oauth.ResponseBodyError && !isOutage(error)) {
    const words = error.error_description ?? "";
    return {
      kind: "refused",
      error: plain(error.error, 60),
      words: plain(without(words, secrets), 300),
    };
  }
  if (error instanceof NotAnswered) return { kind: "unavailable", reason: error.message };
  return { kind: "unavailable", reason: `${host} answered with what is no token` };
}

/** Codes of an endpoint that has trouble of its own, whatever its status (RFC 6749 section 4.1.2.1). */
const isOutage = ({ status, error }: oauth.ResponseBodyError): boolean =>
  status >= 500 || status === 429 || ["temporarily_unavailable", "server_error"].includes(error);

const without = (text: string, secrets: string[]) =>
  secrets.reduce(
    (left, secret) => (secret === "" ? left : left.replaceAll(secret, "[secret]")),
    text,
  );

/** One line of printable text. */
const plain = (text: string, limit: number) =>
  text
    .replace(/[\p{Cc}\s]+/gu, " ")
    .trim()
    .slice(0, limit);
