import type * as z from "zod";
import type { Deps, Principal } from "#src/deps.ts";
import { hasRole, neededRole } from "#src/domain/access/roles.ts";
import { isAllowed, type Scope } from "#src/domain/access/scopes.ts";
import type { PaidCall } from "#src/domain/billing/wallet/prices.ts";
import type { Api } from "./api.ts";
import type { Elicited } from "./confirm.ts";
import type { Bought } from "./payment.ts";

/** What a tool works with during one call. */
export interface Asker {
  deps: Deps;
  /** Null for a wallet that comes without a credential. */
  principal: Principal | null;
  api: Api;
  /** The client can ask its person a question by itself. */
  canElicit: boolean;
  /** What the person answered there. */
  elicited: Elicited | undefined;
  /** What came as a payment for the call. */
  payment: unknown;
}

/** What a tool answers: an object of our own making, whose foreign text is fenced before it leaves (`fence.ts`). */
export type Answer = Record<string, unknown>;

export interface Hints {
  /** It changes nothing. */
  reads?: true;
  /** It sends, or cannot be taken back. */
  destroys?: true;
  /** It reaches people or hosts outside. */
  reachesOut?: true;
}

export interface Tool<S extends z.ZodObject = z.ZodObject> {
  name: string;
  title: string;
  description: string;
  input: S;
  /** It is listed for a caller with one of them; each operation behind it checks its own. */
  scopes: readonly Scope[];
  hints: Hints;
  /** What a wallet may pay for in the place of a credential. */
  sells?: PaidCall;
  run(asker: Asker, given: z.output<S>): Promise<Answer | Bought>;
}

/** Keeps the types of a tool's arguments together. */
export const tool = <S extends z.ZodObject>(made: Tool<S>): Tool => made as unknown as Tool;

/** Whether the caller may use the tool: by their scopes and role, or as a wallet that can pay for it. */
export function isOpenTo(
  { scopes, sells }: Tool,
  { deps, principal }: Pick<Asker, "deps" | "principal">,
): boolean {
  if (sells !== undefined && isSold(deps)) return true;
  return principal !== null && scopes.some((scope) => mayUse(principal, scope));
}

/** Whether wallets can buy calls of this deployment. */
export const isSold = ({ settings, facilitator }: Deps): boolean =>
  settings.wallet !== null && facilitator !== null;

export const mayUse = (principal: Principal, scope: Scope): boolean =>
  isAllowed(principal, scope) && hasRole(principal, neededRole("", scope) ?? "owner");
