import { generateKeyPairSync } from "node:crypto";
import { type IdentityPart, startIdentity } from "../../scripts/stack/identity/identity.ts";
import { PUBLIC_BASE_URL, startApi, type TestApi } from "./api.ts";
import { FROM_OURS } from "./console-session.ts";

export const CLIENT = { id: "overture-console", secret: "a-secret-of-these-tests" };

/** The stack's identity provider, and the service that people sign in to through it. */
export async function startApiWithLogin(
  overrides: Record<string, string> = {},
): Promise<{ api: TestApi; identity: IdentityPart }> {
  const key = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({
    type: "pkcs8",
    format: "pem",
  }) as string;
  const identity = await startIdentity({ key, clients: [CLIENT] });
  const api = await startApi(
    {
      OIDC_ISSUER: identity.issuer,
      OIDC_CLIENT_ID: CLIENT.id,
      OIDC_CLIENT_SECRET: CLIENT.secret,
      ...overrides,
    },
    { sites: identity.sites },
  );
  return { api, identity };
}

/** A browser's cookies of our host, by name. */
export type Jar = Map<string, string>;

function keep(jar: Jar, response: Response): void {
  for (const line of response.headers.getSetCookie()) {
    const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
    if (/Max-Age=0/.test(line)) jar.delete(name!);
    else jar.set(name!, value!);
  }
}

const cookiesOf = (jar: Jar) => [...jar].map(([name, value]) => `${name}=${value}`).join("; ");

/** One person's browser on its way through a sign-in. */
export function browserOf(api: TestApi, jar: Jar = new Map()) {
  /** A navigation to our host. */
  async function visit(target: string, from = "none") {
    const url = new URL(target, PUBLIC_BASE_URL);
    const response = await api.request(url.pathname + url.search, {
      redirect: "manual",
      headers: { cookie: cookiesOf(jar), "sec-fetch-site": from, "sec-fetch-mode": "navigate" },
    });
    keep(jar, response);
    return { status: response.status, headers: response.headers, html: await response.text() };
  }
  return {
    jar,
    visit,
    /** To the provider's page; answers its address. */
    async begin(returnTo = "/console/") {
      const { headers } = await visit(
        `/api/v1/auth/login?return_to=${encodeURIComponent(returnTo)}`,
      );
      return headers.get("location") ?? "";
    },
    /** Answers the provider's page; answers where it sends the browser. */
    async choose(page: string, form: Record<string, string>) {
      const body = new URLSearchParams(form);
      const response = await fetch(page, { method: "POST", body, redirect: "manual" });
      return response.headers.get("location") ?? "";
    },
    /** A request of one of our own pages. */
    async ask(path: string, method = "GET", body?: unknown, more: Record<string, string> = {}) {
      const response = await api.request(path, {
        method,
        headers: {
          cookie: cookiesOf(jar),
          ...FROM_OURS,
          ...(body !== undefined && { "content-type": "application/json" }),
          ...more,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      keep(jar, response);
      // oxlint-disable-next-line typescript/no-explicit-any -- each test knows what it asked for
      const answer: any = await response.json();
      return { status: response.status, headers: response.headers, body: answer };
    },
  };
}

/** Signs somebody in by the provider's page. */
export async function signInAs(api: TestApi, form: Record<string, string>) {
  const browser = browserOf(api);
  const end = await browser.visit(await browser.choose(await browser.begin(), form));
  if (end.status !== 200) throw new Error(end.html);
  return browser;
}
