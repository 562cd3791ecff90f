import {
  beginSignIn,
  CALLBACK_PATH,
  CONSOLE,
  endSignIn,
  SIGN_IN_SECONDS,
  type SignInEnd,
} from "#src/domain/access/sign-in.ts";
import { AppError } from "#src/errors.ts";
import type { App, AppContext } from "#src/http/context.ts";
import { page, QUIET } from "#src/http/page.ts";
import { countForm } from "#src/http/rate-limit.ts";
import {
  dropSignIn,
  isOwnPage,
  keepSession,
  keepSignIn,
  signInCookie,
} from "#src/http/session-cookie.ts";
import { escapeHtml } from "#src/mime/escape-html.ts";

export const LOGIN_PATH = "/api/v1/auth/login";

/** Pages for people, between the console and the identity provider. */
export function mountLogin(app: App): void {
  app.get(LOGIN_PATH, (c) => orRefusal(c, () => toProvider(c)));
  app.get(CALLBACK_PATH, (c) => orRefusal(c, () => fromProvider(c)));
}

async function toProvider(c: AppContext): Promise<Response> {
  await countForm(c);
  // Into which of their workspaces a person comes no other site says.
  const workspace = isOwnPage(c) ? c.req.query("workspace") : undefined;
  const begun = await beginSignIn(c.get("deps"), c.req.query("return_to"), workspace);
  if (begun.kind === "unavailable") return show(c, begun);
  keepSignIn(c, begun.sealed, SIGN_IN_SECONDS);
  for (const [name, value] of Object.entries(QUIET)) c.header(name, value);
  return c.redirect(begun.url, 302);
}

async function fromProvider(c: AppContext): Promise<Response> {
  await countForm(c);
  const came = new URL(c.req.url).searchParams;
  const end = await endSignIn(c.get("deps"), came, signInCookie(c));
  if (end.kind === "refused" || end.kind === "unavailable")
    c.get("deps").log.info("sign_in_failed", { ...end });
  dropSignIn(c);
  if (end.kind !== "signed_in") return show(c, end);
  keepSession(c, end.begun.sealed, end.begun.expiresAt);
  // A Strict cookie does not travel on the provider's redirect; it does from a page of ours.
  const onward = `<p><a href="${escapeHtml(end.returnTo)}">Go on to the console</a></p>`;
  return page(c, 200, "You are signed in", onward, end.returnTo);
}

/** What refuses a person is a page as well. */
async function orRefusal(c: AppContext, work: () => Promise<Response>): Promise<Response> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AppError) || error.kind === "rate_limited") throw error;
    const status = error.kind === "unavailable" ? 503 : 400;
    return page(c, status, "Nobody was signed in", words(error.message));
  }
}

const words = (text: string) =>
  `<p>${escapeHtml(text)}</p><p><a href="${CONSOLE}">Back to the console</a></p>`;

function show(c: AppContext, end: Exclude<SignInEnd, { kind: "signed_in" }>): Response {
  const [title, text] = saidOf(end);
  return page(c, end.kind === "unavailable" ? 503 : 400, title, words(text));
}

function saidOf(end: Exclude<SignInEnd, { kind: "signed_in" }>): [title: string, words: string] {
  switch (end.kind) {
    case "unknown":
      return [
        "This sign-in is not under way",
        "It was begun in another browser or window, or it came back before. Nobody was signed in. Begin again from the console.",
      ];
    case "expired":
      return [
        "That took too long",
        "A sign-in is good for ten minutes. Nobody was signed in. Begin again from the console.",
      ];
    case "denied":
      return [
        "You are not signed in",
        "You, or an administrator of your organisation, said no at the identity provider.",
      ];
    case "refused":
      return [
        "The sign-in was refused",
        `The identity provider's answer cannot be used: ${end.words}. Nobody was signed in. Begin again; if it happens again, tell the operator of this service.`,
      ];
    case "unavailable":
      return [
        "The identity provider does not answer",
        `${end.reason}. Nobody was signed in. Begin again in some minutes, or paste an API key in the console.`,
      ];
  }
}
