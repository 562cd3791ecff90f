import { isSecret } from "./secrets.ts";

/** Over the pooler a session's lock is not kept, and migrations need one. */
export function directUrl(databaseUrl: string): string {
  return databaseUrl.replace(/-pooler(?=\.[^@/]*neon\.tech)/, "");
}

/**
 * The values that are no secrets, as arguments; the others go by a file that `wrangler` reads. `vars` are those of
 * wrangler.toml, which it deploys too: what the deployment has emptied is sent as empty, and so counts as none.
 */
export function deployArguments(
  env: Record<string, string>,
  secretsFile: string,
  vars: Record<string, string>,
): string[] {
  const given = Object.entries(env).filter(([name]) => !isSecret(name));
  const emptied = Object.keys(vars).filter((name) => env[name] === undefined);
  return [
    "deploy",
    ...[...given, ...emptied.map((name) => [name, ""])].flatMap(([name, value]) => [
      "--var",
      `${name}:${value}`,
    ]),
    "--secrets-file",
    secretsFile,
  ];
}

export const secretsOf = (env: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(env).filter(([name]) => isSecret(name)));

/** As a person would type it. */
export const shown = (words: readonly string[]): string =>
  words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word))).join(" ");
