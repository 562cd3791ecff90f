/** `npm run token -- --email a@b.c`: a login JWT for development, signed as the local stack's identity provider does. */
import { parseArgs } from "node:util";
import { SignJWT } from "jose";
import * as path from "node:path";
import { personNamed } from "./stack/identity/people.ts";
import { loginToken } from "./stack/identity/signing.ts";
import { localFolder } from "./stack/running.ts";
import { readJson, type StackSecrets } from "./stack/secrets.ts";

const HELP = `npm run token -- [options]

  --subject ID     the login's id with its issuer ("developer"); a new one makes a new workspace
  --email ADDRESS
  --name NAME
  --expires TIME   "1h", "30 days" (12h)

It is signed with JWT_SECRET (for JWT_ISSUER and JWT_AUDIENCE), or else with the key of the local stack's identity provider.
`;

const { values } = parseArgs({
  options: {
    subject: { type: "string", default: "developer" },
    email: { type: "string" },
    name: { type: "string" },
    expires: { type: "string", default: "12h" },
    help: { type: "boolean", default: false },
  },
});

/** For a deployment that has a secret in the place of an identity provider's keys. */
const signedBySecret = (secret: string): Promise<string> =>
  new SignJWT({
    ...(process.env["JWT_AUDIENCE"] && { aud: process.env["JWT_AUDIENCE"] }),
    ...(values.email !== undefined && { email: values.email }),
    ...(values.name !== undefined && { name: values.name }),
  })
    .setProtectedHeader({ alg: "HS256" })
    .setIssuer(process.env["JWT_ISSUER"] ?? "")
    .setSubject(values.subject)
    .setIssuedAt()
    .setExpirationTime(values.expires)
    .sign(new TextEncoder().encode(secret));

const secret = process.env["JWT_SECRET"];
const key = readJson<Partial<StackSecrets>>(path.join(localFolder, "secrets.json"))?.identityKey;
if (values.help) console.log(HELP);
else if (secret !== undefined) console.log(await signedBySecret(secret));
else if (key !== undefined) {
  const { subject, email, name = subject } = values;
  const person = personNamed(subject, name);
  const named = email === undefined ? person : { ...person, email };
  console.log(await loginToken(key, named, values.expires));
} else {
  console.error("There is no key yet: run npm start once, or set JWT_SECRET and JWT_ISSUER.");
  process.exit(1);
}
