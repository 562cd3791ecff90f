/** `npm run token -- --email a@b.c`: a login JWT for development, signed with the local stack's secret. */
import { parseArgs } from "node:util";
import { SignJWT } from "jose";
import * as path from "node:path";
import { localFolder } from "./stack/running.ts";
import { readJson, type StackSecrets } from "./stack/secrets.ts";
import { JWT_ISSUER } from "./stack/stack.ts";

const HELP = `npm run token -- [options]

  --subject ID     the login's id with its issuer ("developer"); a new one makes a new workspace
  --email ADDRESS
  --name NAME
  --expires TIME   "1h", "30 days" (12h)

The secret is JWT_SECRET (with JWT_ISSUER), or else the local stack's.
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

const secret =
  process.env["JWT_SECRET"] ??
  readJson<StackSecrets>(path.join(localFolder, "secrets.json"))?.jwtSecret;
if (values.help) console.log(HELP);
else if (secret === undefined) {
  console.error("There is no secret yet: run npm start once, or set JWT_SECRET and JWT_ISSUER.");
  process.exit(1);
} else {
  const { email, name } = values;
  const token = await new SignJWT({
    ...(email === undefined ? {} : { email }),
    ...(name === undefined ? {} : { name }),
  })
    .setProtectedHeader({ alg: "HS256" })
    .setIssuer(process.env["JWT_ISSUER"] ?? JWT_ISSUER)
    .setSubject(values.subject)
    .setIssuedAt()
    .setExpirationTime(values.expires)
    .sign(new TextEncoder().encode(secret));
  console.log(token);
}
