import type { Context, Hono } from "hono";
import type { Deps, Principal } from "#src/deps.ts";
import type { Conditional, UsedKey } from "#src/domain/access/idempotency.ts";
import type { Session } from "#src/domain/access/sessions.ts";
import type { LoginClaims } from "#src/providers/identity/index.ts";
import type { Counted } from "./rate-limit.ts";

/** The callers admitted: all, a workspace by key or login, a logged-in user (an API key gets 403), or a wallet that pays for the call. */
export type Access = "public" | "workspace" | "jwt" | "wallet";

/** Which of the specification's error bodies an operation speaks. */
export type Envelope = "coded" | "legacy";

export interface AppEnv {
  Bindings: Record<string, unknown>;
  Variables: {
    /** Always there: without a configuration no request gets past `observe`. */
    deps: Deps;
    requestId: string;
    clientAddress: string;
    /** Set once an operation is matched; unknown paths speak legacy. */
    envelope: Envelope | undefined;
    /** Of a request that is worked on while its key is checked: whose the key was a moment ago. */
    principal: Principal | undefined;
    /** Whose the key is, where `principal` is only remembered; rejects as the request is refused. */
    checked: Promise<Principal> | undefined;
    /** What the login token said, when that is how the caller came in. */
    login: LoginClaims | undefined;
    /** Of a caller who came in by the console's cookie. */
    session: Session | undefined;
    /** Where the limiter was asked before the caller was known. */
    counted: { workspaceId: string; counted: Counted } | undefined;
    /** Of a paid call: when its answer is due, so that the money can still be moved. */
    deadline: Date | undefined;
    /** Of a request with an `Idempotency-Key`: what was asked about the key while the credential was checked. */
    usedKey: Promise<UsedKey | undefined> | undefined;
    /** And what uses the key; of one with `If-Match` too, what holds it to the record. */
    claiming: Conditional | undefined;
    logFields: Record<string, unknown>;
  };
}

export type AppContext = Context<AppEnv>;

export interface AppOptions {
  /** For what is answered even without a configuration. */
  now(): Date;
  /** Builds what handlers use, from the bindings of the request. Throws when the configuration is wrong. */
  makeDeps(
    env: Record<string, unknown>,
    context: { waitUntil(work: Promise<unknown>): void },
  ): Deps;
}

export type App = Hono<AppEnv>;
