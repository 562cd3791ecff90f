import * as z from "zod";
import type { Deps } from "#src/deps.ts";
import { AppError } from "#src/errors.ts";
import { MINUTE_MS } from "#src/platform/durations.ts";
import { sha256Hex } from "#src/platform/encoding.ts";
import { readJson } from "#src/platform/json.ts";
import { describeError } from "#src/platform/log.ts";
import type { Oidc, SignedIn } from "#src/providers/identity/index.ts";
import { beginLoginSession, type Sealing } from "./sessions.ts";

/** Where people come back to, as it is registered with the identity provider. */
export const CALLBACK_PATH = "/api/v1/auth/callback";
export const CONSOLE = "/console/";

/** How long a person may take at the identity provider's. */
export const SIGN_IN_SECONDS = 600;

/** The vault's word for it: a session is no sign-in, nor the other way round. */
const CONTEXT = "sign-in";

const Sealed = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  returnTo: z.string(),
  /** Where they were before. */
  workspace: z.uuid().nullable(),
  until: z.number(),
});

function requireOidc({ oidc }: Deps): Oidc {
  if (oidc !== null) return oidc;
  throw new AppError(
    "unavailable",
    "LOGIN_NOT_CONFIGURED",
    "This deployment names no identity provider: paste an API key or a login token, or ask its operator to set OIDC_CLIENT_ID.",
  );
}

const redirectUri = ({ settings }: Deps) => settings.publicBaseUrl + CALLBACK_PATH;

/** A page of the console, as a path; the console's first page for all else. */
export function ownPage({ settings }: Deps, wanted: string | undefined): string {
  const url = URL.parse(wanted ?? CONSOLE, settings.publicBaseUrl);
  const isOurs =
    url?.origin === new URL(settings.publicBaseUrl).origin &&
    (url.pathname === "/console" || url.pathname.startsWith(CONSOLE));
  return isOurs ? url.pathname + url.search + url.hash : CONSOLE;
}

/** Begins a sign-in: where the person goes, and what their browser keeps meanwhile. */
export async function beginSignIn(
  deps: Deps,
  returnTo: string | undefined,
  workspace: string | undefined,
): Promise<{ kind: "url"; url: string; sealed: string } | { kind: "unavailable"; reason: string }> {
  const oidc = requireOidc(deps);
  const [state, nonce, verifier] = [deps.ids.secret(32), deps.ids.secret(32), deps.ids.secret(32)];
  const answer = await oidc.authorizeUrl({
    state,
    nonce,
    verifier,
    redirectUri: redirectUri(deps),
  });
  if (answer.kind === "unavailable") return answer;
  const until = deps.clock.now().getTime() + SIGN_IN_SECONDS * 1000;
  const kept = {
    ...{ state, nonce, verifier, returnTo: ownPage(deps, returnTo) },
    workspace: z.uuid().safeParse(workspace).data ?? null,
    until,
  };
  const sealed = await deps.sessionVault.seal(JSON.stringify(kept), CONTEXT);
  return { ...answer, sealed };
}

export type SignInEnd =
  | { kind: "signed_in"; begun: Sealing; returnTo: string }
  /** Of no sign-in of this browser, or of one that came back before. */
  | { kind: "unknown" }
  | { kind: "expired" }
  | Exclude<SignedIn, { kind: "known" }>;

/** Ends the sign-in of this browser, once. */
export async function endSignIn(
  deps: Deps,
  came: URLSearchParams,
  sealed: string | undefined,
): Promise<SignInEnd> {
  const oidc = requireOidc(deps);
  const signIn = await opened(deps, sealed);
  if (signIn === null || came.get("state") !== signIn.state) return { kind: "unknown" };
  if (signIn.until <= deps.clock.now().getTime()) return { kind: "expired" };
  if (!(await isFirst(deps, signIn.state))) return { kind: "unknown" };
  const answer = await oidc.redeem(came, { ...signIn, redirectUri: redirectUri(deps) });
  if (answer.kind !== "known") return answer;
  const begun = await beginLoginSession(deps, answer.claims, signIn.workspace);
  return { kind: "signed_in", begun, returnTo: signIn.returnTo };
}

async function opened({ sessionVault }: Deps, sealed: string | undefined) {
  const plain = await sessionVault.open(sealed ?? "", CONTEXT).catch(() => null);
  const parsed = Sealed.safeParse(plain === null ? null : readJson(plain));
  return parsed.success ? parsed.data : null;
}

/** A code is good once, and the browser's cookie is dropped; where both fail, this is the third. Without the cache it is let in. */
async function isFirst({ cache, log }: Deps, state: string): Promise<boolean> {
  try {
    const key = `sign-in:${await sha256Hex(state)}`;
    const [count] = await cache.count([{ key, ttlSeconds: SIGN_IN_SECONDS + MINUTE_MS / 1000 }]);
    return count === 1;
  } catch (error) {
    log.error("replays_unchecked", describeError(error));
    return true;
  }
}
