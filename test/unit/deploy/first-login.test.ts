import * as path from "node:path";
import { jwtVerify } from "jose";
import { expect, test } from "vitest";
import { rootFolder } from "../../../scripts/command.ts";
import { nextSteps } from "../../../scripts/deploy/next-steps.ts";
import { runProgram } from "../../support/run-script.ts";

const JWT_SECRET = "a secret of forty characters and of no other";
const JWT_ISSUER = "https://overture.zz";
const PUBLIC_BASE_URL = JWT_ISSUER;
const JWT_AUDIENCE = "overture";

test("a first login token is for the audience that the deployment asks for", async () => {
  const script = path.join(rootFolder, "scripts/token.ts");
  const token = async (more: Record<string, string>) => {
    const env = { ...process.env, JWT_SECRET, JWT_ISSUER, ...more };
    const words = [script, "--email", "you@overture.zz"];
    const { output } = await runProgram(process.execPath, words, env);
    const key = new TextEncoder().encode(JWT_SECRET);
    return (await jwtVerify(output.trim(), key, { issuer: JWT_ISSUER })).payload;
  };
  expect(await token({ JWT_AUDIENCE })).toMatchObject({ aud: JWT_AUDIENCE });
  expect(await token({ JWT_AUDIENCE: "" })).not.toHaveProperty("aud");
});

test("what is left to do makes a key: of a workspace on the paid plan, by a token that is taken", () => {
  const said = nextSteps({ PUBLIC_BASE_URL, JWT_SECRET, JWT_ISSUER, JWT_AUDIENCE });
  expect(said).toContain("JWT_AUDIENCE=overture npm run token --");
  const places = [
    `curl ${PUBLIC_BASE_URL}/api/v1/workspace`,
    "npm run admin -- plan <its id> paid",
    `curl -X POST ${PUBLIC_BASE_URL}/api/v1/api-keys`,
  ].map((words) => said.indexOf(words));
  expect(places).not.toContain(-1);
  expect(places).toEqual(places.toSorted((one, other) => one - other));
  expect(said).not.toContain(JWT_SECRET);
});
