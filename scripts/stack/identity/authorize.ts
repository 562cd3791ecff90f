import type { Granted, Shelves } from "./codes.ts";
import { choicePage, faultPage } from "./page.ts";
import { KNOWN, type Person, personOf } from "./people.ts";
import type { Client } from "./token.ts";

export type Page =
  | { kind: "html"; status: number; html: string }
  | { kind: "redirect"; location: string };

/** The page where a person says who they are, and what their answer leads to. */
export function createAuthorizePage({
  clients,
  shelves,
}: {
  clients: readonly Client[];
  shelves: Shelves;
}) {
  /** What is wrong with a request that may lead nowhere; null for nothing. */
  function faultOf(query: URLSearchParams): string | null {
    const redirect = URL.parse(query.get("redirect_uri") ?? "");
    if (!clients.some(({ id }) => id === query.get("client_id")))
      return "The client_id is not known here.";
    if (redirect === null || !/^(localhost|127\.\d+\.\d+\.\d+|.*\.test)$/.test(redirect.hostname))
      return "The redirect_uri is not on this machine.";
    if (query.get("response_type") !== "code") return "Only response_type=code is spoken here.";
    if (!(query.get("scope") ?? "").split(" ").includes("openid")) return "The scope lacks openid.";
    const hasChallenge = /^[\w-]{43}$/.test(query.get("code_challenge") ?? "");
    return hasChallenge && query.get("code_challenge_method") === "S256"
      ? null
      : "A code_challenge by S256 is needed.";
  }

  function back(query: URLSearchParams, parameters: Record<string, string>): Page {
    const location = new URL(query.get("redirect_uri")!);
    const state = query.get("state");
    for (const [name, value] of Object.entries(parameters)) location.searchParams.set(name, value);
    if (state !== null) location.searchParams.set("state", state);
    return { kind: "redirect", location: location.href };
  }

  function signIn(query: URLSearchParams, person: Person): Page {
    const granted: Granted = {
      person,
      clientId: query.get("client_id")!,
      redirectUri: query.get("redirect_uri")!,
      nonce: query.get("nonce"),
      challenge: query.get("code_challenge")!,
    };
    return back(query, { code: shelves.codes.put(granted) });
  }

  /** `browser` is the cookie of one that opened a one-time link just now. */
  function ask(query: URLSearchParams, browser: string | undefined): Page {
    const fault = faultOf(query);
    if (fault !== null) return { kind: "html", status: 400, html: faultPage(fault) };
    const person = browser === undefined ? undefined : shelves.browsers.take(browser);
    if (person !== undefined) return signIn(query, person);
    return { kind: "html", status: 200, html: choicePage(query.get("client_id")!) };
  }

  function answer(query: URLSearchParams, form: URLSearchParams): Page {
    if (faultOf(query) !== null) return ask(query, undefined);
    const chosen = form.get("person");
    if (chosen === "nobody") return back(query, { error: "access_denied" });
    const person =
      KNOWN.find(({ subject }) => subject === chosen) ??
      personOf(form.get("new") ?? "", form.get("unverified") !== "yes");
    if (person !== null) return signIn(query, person);
    return { kind: "html", status: 400, html: faultPage("Name somebody; go back and try again.") };
  }

  return { ask, answer };
}
