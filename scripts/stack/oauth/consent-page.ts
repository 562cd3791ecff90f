import { escapeHtml } from "../../../src/mime/escape-html.ts";
import type { Client } from "./token-endpoint.ts";
import type { Grants, ProviderName } from "./grants.ts";

export type Page =
  | { kind: "html"; status: number; html: string }
  | { kind: "redirect"; location: string };

const TITLES: Record<ProviderName, string> = {
  google: "Sign in with Google",
  microsoft: "Sign in to your Microsoft account",
  other: "Sign in to your mailbox",
};

/** The page on which a person picks a mailbox and allows or denies, and what their answer leads to. */
export function createConsentPage({
  grants,
  clients,
}: {
  grants: Grants;
  clients: readonly Client[];
}) {
  /** What is wrong with a request, which then leads nowhere; null for nothing. */
  function faultOf(query: URLSearchParams): string | null {
    const redirect = URL.parse(query.get("redirect_uri") ?? "");
    if (!clients.some(({ id }) => id === query.get("client_id")))
      return "invalid_client: The OAuth client was not found.";
    const isHere = redirect !== null && /^(localhost|127\.|.*\.test$)/.test(redirect.hostname);
    if (redirect === null || (redirect.protocol !== "https:" && !isHere))
      return "redirect_uri_mismatch";
    if (query.get("response_type") !== "code") return "unsupported_response_type";
    if (query.has("code_challenge") && query.get("code_challenge_method") !== "S256")
      return "invalid_request: code_challenge_method has to be S256.";
    return (query.get("scope") ?? "") === "" ? "invalid_scope" : null;
  }

  function ask(provider: ProviderName, query: URLSearchParams): Page {
    const fault = faultOf(query);
    if (fault !== null)
      return {
        kind: "html",
        status: 400,
        html: layout("Access blocked", `<p>${escapeHtml(fault)}</p>`),
      };
    const scopes = (query.get("scope") ?? "")
      .split(" ")
      .map((one) => `<li>${escapeHtml(one)}</li>`);
    const hint = escapeHtml(query.get("login_hint") ?? "");
    const form = `<p>The app <b>${escapeHtml(query.get("client_id") ?? "")}</b> wants to use your mailbox:</p><ul>${scopes.join("")}</ul>
<form method="post"><label>Mailbox <input name="email" type="email" required value="${hint}"></label>
<button name="answer" value="allow">Allow</button> <button name="answer" value="deny" formnovalidate>Deny</button></form>
<p>This is a page of the local stack: whatever mailbox you name is yours.</p>`;
    return { kind: "html", status: 200, html: layout(TITLES[provider], form) };
  }

  function answer(provider: ProviderName, query: URLSearchParams, form: URLSearchParams): Page {
    if (faultOf(query) !== null) return ask(provider, query);
    const redirectUri = query.get("redirect_uri")!;
    const location = new URL(redirectUri);
    const state = query.get("state");
    if (state !== null) location.searchParams.set("state", state);
    if (form.get("answer") !== "allow") {
      location.searchParams.set("error", "access_denied");
      return { kind: "redirect", location: location.href };
    }
    const email = (form.get("email") ?? "").trim().toLowerCase();
    const clientId = query.get("client_id")!;
    const scopes = (query.get("scope") ?? "").split(" ");
    const code = grants.addCode({
      provider,
      clientId,
      email,
      scopes,
      redirectUri,
      challenge: query.get("code_challenge"),
      isOffline: isOffline(provider, query, scopes, grants.hasConsent(clientId, email)),
    });
    location.searchParams.set("code", code);
    return { kind: "redirect", location: location.href };
  }

  return { ask, answer };
}

/** When a refresh token comes along: Google and Microsoft each want to be asked in their way. */
function isOffline(
  provider: ProviderName,
  query: URLSearchParams,
  scopes: string[],
  isKnown: boolean,
): boolean {
  if (provider === "google")
    return (
      query.get("access_type") === "offline" && (!isKnown || query.get("prompt") === "consent")
    );
  return provider === "other" || scopes.includes("offline_access");
}

const layout = (title: string, content: string) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:32rem;margin:10vh auto;padding:0 1rem}input,button{font:inherit;padding:.4rem .8rem}</style></head>
<body><h1>${title}</h1>${content}</body></html>`;
