import { SignJWT } from "jose";
import { expect, test } from "vitest";
import { createJoseIdentity } from "#src/providers/identity/jose.ts";

const SECRET = "a secret of at least thirty-two characters";
const ISSUER = "https://login.test";
const RESOURCE = "https://overture.test/mcp";

const identityOf = (audience: string | undefined) =>
  createJoseIdentity(
    [{ issuer: ISSUER, audience, key: { kind: "hs256", secret: SECRET } }],
    () => new Date(),
  );

function tokenFor(audience: string | null): Promise<string> {
  const token = new SignJWT().setProtectedHeader({ alg: "HS256" }).setIssuer(ISSUER);
  if (audience !== null) token.setAudience(audience);
  return token.setSubject("ada").setExpirationTime("1h").sign(new TextEncoder().encode(SECRET));
}

test.each([
  ["made for the resource", RESOURCE, undefined, true],
  ["made for the resource, where the operator names an audience", RESOURCE, "overture", true],
  ["made for the operator's audience", "overture", "overture", true],
  ["made for another application", "https://other.test", undefined, false],
  [
    "made for another application, where the operator names an audience",
    "other",
    "overture",
    false,
  ],
  ["made for nobody in particular", null, undefined, false],
])("shown at a resource, a token %s is good or not", async (_, audience, named, isGood) => {
  const claims = await identityOf(named).verify(await tokenFor(audience), RESOURCE);
  expect(claims !== null).toBe(isGood);
});

test("a token that was made for the resource alone is none at the API of an operator who names an audience", async () => {
  expect(await identityOf("overture").verify(await tokenFor(RESOURCE))).toBeNull();
});
