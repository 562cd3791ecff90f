import { z } from "zod";
import type { State } from "./books.ts";
import { NetworkRefusal } from "./errors.ts";
import { tellStatus } from "./events.ts";
import { checkpointOf, isSolution, logIn } from "./logins.ts";
import type { Account } from "./model.ts";
import { type Answer, type Asked, bodyOf, operation } from "./operation.ts";
import { idOf, nameOf } from "./people.ts";
import type { Shape } from "./sdk-shapes.ts";
import { abandon, begin, countWrongCode, findAccount, passed, poll } from "./sessions.ts";

const SLOW_MS = 2000;

const proxy = z.object({
  protocol: z.enum(["http", "https", "socks5"]).optional(),
  host: z.string().min(1),
  port: z.number(),
  username: z.string().optional(),
  password: z.string().optional(),
});

const credentials = z
  .object({
    provider: z.string(),
    username: z
      .string()
      .max(320)
      .regex(/^(?:[^\s@]+@[^\s@]+|\+?[\d ().-]{5,20})$/),
    password: z.string().min(1).max(1000),
    country: z
      .string()
      .regex(/^[A-Za-z]{2}$/)
      .optional(),
    ip: z.string().optional(),
    proxy: proxy.optional(),
  })
  .refine((given) => given.proxy === undefined || given.country === undefined);

const solution = z.object({
  provider: z.string(),
  account_id: z.string().min(1),
  code: z.string().max(10_000),
});

/** Logs in; of `known` again, who must be the same. */
function connect(asked: Asked, known?: Account): Answer {
  const given = bodyOf(asked, credentials);
  requireLinkedin(given.provider);
  const login = logIn(given);
  if (known !== undefined && known.owner !== login.owner)
    throw new NetworkRefusal("wrong_account", "These credentials are of another account.");
  const account = begin(asked.state, login, known);
  const word = known === undefined ? "AccountCreated" : "AccountReconnected";
  return { ...standing(account, word), ...(login.isSlow ? { delayMs: SLOW_MS } : {}) };
}

function requireLinkedin(provider: string): void {
  if (provider !== "LINKEDIN")
    throw new NetworkRefusal("missing_feature", "Only LINKEDIN is spoken here.");
}

type Done = "AccountCreated" | "AccountReconnected";

/** Connected, or the challenge that is in the way. */
function standing({ id, challenges: [challenge] }: Account, object: Done): Answer {
  if (challenge === undefined) return { status: 201, body: { object, account_id: id } };
  const checkpoint = checkpointOf(challenge);
  return { status: 202, body: { object: "Checkpoint", account_id: id, checkpoint } };
}

/** The account whose challenge is open. */
function challenged(state: State, id: string): Account & { open: Account["challenges"][number] } {
  const account = findAccount(state, id);
  const [open] = account.challenges;
  if (open === undefined)
    throw new NetworkRefusal("checkpoint_error", "No checkpoint is open for this account.");
  return { ...account, open };
}

function solve(asked: Asked): Answer {
  const { state } = asked;
  const { provider, account_id: id, code } = bodyOf(asked, solution);
  requireLinkedin(provider);
  const { open, ...account } = challenged(state, id);
  const word = account.isNew ? "AccountCreated" : "AccountReconnected";
  if (open === "IN_APP") return standing(poll(state, account), word);
  if (isSolution(open, code)) return standing(passed(state, account), word);
  countWrongCode(state, account);
  throw new NetworkRefusal("invalid_checkpoint_solution", "The checkpoint resolution has failed.");
}

export function accountView(account: Account): object {
  const { id, owner, status, createdAt, isPremium } = account;
  const premiumFeatures: "premium"[] = isPremium ? ["premium"] : [];
  return {
    object: "Account",
    type: "LINKEDIN",
    id,
    name: nameOf(owner),
    created_at: new Date(createdAt).toISOString(),
    connection_params: {
      im: {
        id: idOf(owner),
        username: nameOf(owner),
        publicIdentifier: owner,
        premiumId: null,
        premiumContractId: null,
        premiumFeatures,
      },
    },
    groups: [],
    sources: [{ id: `${id}_MESSAGING`, status }],
  } satisfies Shape<"account">;
}

function remove({ state, parts: [id = ""] }: Asked): object {
  const account = findAccount(state, id);
  abandon(state, { ...account, isNew: true });
  if (!account.isNew) tellStatus(state, account, "DELETED");
  return { object: "AccountDeleted" };
}

export const accountOperations = [
  operation("POST", "accounts", (asked) => connect(asked)),
  operation("POST", "accounts/checkpoint", solve),
  operation("GET", "accounts/:", ({ state, parts: [id = ""] }) =>
    accountView(poll(state, findAccount(state, id))),
  ),
  operation("POST", "accounts/:", (asked) =>
    connect(asked, findAccount(asked.state, asked.parts[0] ?? "")),
  ),
  operation("DELETE", "accounts/:", remove),
];
