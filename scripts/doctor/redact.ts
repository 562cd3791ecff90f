import { isSecret } from "../deploy/secrets.ts";

/** Shorter ones are no secrets, and would take ordinary words out of sentences. */
const SHORTEST = 6;

/** Takes every secret of the environment out of a text, whole or as a part of a URL, also where a vendor quoted it. */
export function createRedaction(env: Record<string, string>): (text: string) => string {
  const secrets = Object.entries(env)
    .filter(([name]) => isSecret(name))
    .flatMap(([, value]) => [value, encodeURIComponent(value), ...partsOf(value)])
    .filter((value) => value.length >= SHORTEST)
    .toSorted((one, other) => other.length - one.length);
  return (text) => secrets.reduce((left, secret) => left.replaceAll(secret, "[secret]"), text);
}

function partsOf(value: string): string[] {
  if (!URL.canParse(value)) return [];
  const { password } = new URL(value);
  return [password, safelyDecoded(password)];
}

function safelyDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
