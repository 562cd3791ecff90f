import { z } from "zod";
import { isExample } from "./address.ts";
import { answerOf, type Check, type Context } from "./context.ts";
import { fail, ok, type Said, warn } from "./finding.ts";
import { whereToFind } from "./where.ts";

const Keys = z.object({ keys: z.array(z.object({ kty: z.string() })).min(1) });
const Discovery = z.object({ issuer: z.string(), jwks_uri: z.string() });

export const login: Check = {
  part: "login",
  async run(context) {
    const [settings] = context.config.issuers;
    if (settings === undefined) return [];
    const { issuer, audience, key } = settings;
    if (isExample(URL.parse(issuer)?.hostname ?? issuer))
      return [fail("JWT_ISSUER is still the example", whereToFind("JWT_ISSUER"))];
    const said = key.kind === "jwks" ? await keysOf(context, issuer, key.url) : [ok(OWN_SECRET)];
    const all = [...said, ...(await signInOf(context))];
    return audience === undefined ? [...all, NO_AUDIENCE] : all;
  },
};

const OWN_SECRET =
  "tokens are signed with JWT_SECRET; a first one: JWT_SECRET=... JWT_ISSUER=... npm run token -- --email you@example.com";
const NO_AUDIENCE = warn(
  "JWT_AUDIENCE is not set: a token that the issuer made for another application logs in here too",
  whereToFind("JWT_AUDIENCE"),
);

const discoveryOf = (issuer: string) =>
  `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;

/** Where people sign in to the console. */
async function signInOf({ ask, config: { oidc } }: Context): Promise<Said[]> {
  if (oidc === null) return [];
  const found = await ask(discoveryOf(oidc.issuer));
  const { success, data } = Discovery.safeParse(found.json);
  if (!success)
    return [
      fail(
        `${oidc.issuer} ${answerOf(found)}${found.status === 200 ? ", not as an OpenID provider" : ""}: nobody can sign in to the console`,
        whereToFind("OIDC_CLIENT_ID"),
      ),
    ];
  return data.issuer === oidc.issuer || data.issuer === `${oidc.issuer}/`
    ? [ok(`people sign in to the console at ${data.issuer}`)]
    : [
        fail(
          `the console's identity provider is ${oidc.issuer}, and calls itself ${data.issuer}`,
          "Set OIDC_ISSUER to its own name, letter by letter.",
        ),
      ];
}

async function keysOf({ ask }: Context, issuer: string, url: string): Promise<Said[]> {
  const reply = await ask(url);
  if (reply.status !== 200 || !Keys.safeParse(reply.json).success)
    return [
      fail(
        `JWT_JWKS_URL ${answerOf(reply)}${reply.status === 200 ? ", without keys" : ""}: nobody can log in`,
        whereToFind("JWT_JWKS_URL"),
      ),
    ];
  const found = await ask(discoveryOf(issuer));
  const { success, data } = Discovery.safeParse(found.json);
  if (!success) return [ok("the issuer's keys can be read")];
  if (data.issuer !== issuer)
    return [
      fail(
        `JWT_ISSUER is ${issuer}, and its tokens say ${data.issuer}`,
        "Take it over letter by letter, with the slash at its end or without it.",
      ),
    ];
  return data.jwks_uri === url
    ? [ok("the issuer's keys can be read, and its name is its own")]
    : [warn(`JWT_JWKS_URL is not the issuer's own, which is ${data.jwks_uri}`, "Is it meant?")];
}
