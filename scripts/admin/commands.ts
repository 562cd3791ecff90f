import { randomUUID } from "node:crypto";
import { commit, type Db } from "#db/base/client.ts";
import { grantStatement } from "#db/billing/credits.ts";
import {
  findWorkspaces,
  GRANTED_BY_OPERATOR,
  grantedBy,
  setPlan,
  type WorkspaceOverview,
} from "#db/access/operator.ts";
import { type Plan, PLANS } from "#db/schema/index.ts";
import { restoreWorkspace } from "#db/workspace/workspace-deletion.ts";
import { GRACE_DAYS } from "#src/domain/workspace/erase-workspaces.ts";
import { forgetMoved } from "./move/forget.ts";
import { type MoveOptions, moveTo } from "./move/command.ts";
import type { Wait } from "./move/move-workspace.ts";
import { showOptOuts, undoOptOut } from "./opt-outs.ts";
import { Refusal } from "./refusal.ts";
import { restored, type RestoredOptions } from "./restored.ts";

interface Order {
  db: Db;
  /** What follows the command's name. */
  words: string[];
  reference: string | undefined;
  restored: RestoredOptions;
  move: MoveOptions;
  now: Date;
  wait: Wait;
  env: Record<string, string | undefined>;
}

/** Answers what is printed. */
type Command = (order: Order) => Promise<string>;

export const COMMANDS: Record<string, Command> = {
  find: async ({ db, words: [email] }) => {
    if (email === undefined) throw new Refusal("find wants the email address of a user.");
    const found = await findWorkspaces(db, { email });
    if (found.length === 0) throw new Refusal(`No user has the address ${email}.`);
    return found.map(lineOf).join("\n");
  },
  show: async ({ db, words: [which] }) => pageOf(await only(db, which)),
  plan: async ({ db, words: [which, plan], now }) => {
    if (!isPlan(plan)) throw new Refusal(`plan wants a workspace and ${PLANS.join(" or ")}.`);
    const { id } = await inUse(db, which);
    if (!(await setPlan(db, id, plan, now))) throw new Refusal(deletedMeanwhile(id));
    return `${id} is on the ${plan} plan.`;
  },
  grant: async ({ db, words: [which, amount], reference }) => {
    const { id } = await inUse(db, which);
    return grant(db, id, creditsOf(amount), referenceOf(reference));
  },
  restore: async ({ db, words: [which], now }) => {
    const { id, deletedAt } = await only(db, which);
    if (deletedAt === null) throw new Refusal(`${id} is not deleted.`);
    if (!(await restoreWorkspace(db, id, now)))
      throw new Refusal(`${id} cannot be restored: its erasure has begun.`);
    return `${id} is restored. Its campaigns wait for a resume, its network accounts for a reconnect; its API keys stay revoked.`;
  },
  move: async ({ db, words: [which, cell], move, now, wait, env }) => {
    const { id } = await only(db, which);
    return moveTo({ db, id, cell, ...move, now, wait, env });
  },
  forget: async ({ db, words: [which], now, env }) =>
    forgetMoved(db, await only(db, which), now, env),
  restored: ({ db, words, restored: options, now }) => restored(db, words, options, now),
  "opt-outs": ({ db, words: [which] }) => showOptOuts(db, which),
  "undo-opt-out": ({ db, words: [which] }) => undoOptOut(db, which),
};

/** Through the ledger, once for a reference. */
async function grant(db: Db, id: string, amount: number, reference: string): Promise<string> {
  const ref = { type: GRANTED_BY_OPERATOR, id: reference };
  const order = { id: randomUUID(), workspaceId: id, amount, ref, now: new Date() };
  const before = await grantedBy(db, id, reference);
  if (before === null) await commit(db, [grantStatement(db, order)]);
  const granted = await grantedBy(db, id, reference);
  if (granted !== amount)
    throw new Refusal(
      `The reference ${reference} was used before, for ${said(granted ?? 0)}; nothing was granted.`,
    );
  const { available } = await only(db, id);
  const what = before === null ? `${said(amount)} granted` : "Granted before, nothing was moved";
  return `${what} (reference ${reference}): ${id} has ${said(available)} available.`;
}

const isPlan = (text: string | undefined): text is Plan =>
  (PLANS as readonly (string | undefined)[]).includes(text);

const MOST_CREDITS = 10_000_000;
function creditsOf(text = ""): number {
  const amount = /^[1-9]\d{0,7}$/.test(text) ? Number(text) : 0;
  if (amount === 0 || amount > MOST_CREDITS)
    throw new Refusal(
      `grant wants a workspace and a number of credits, 1 to ${MOST_CREDITS.toLocaleString("en-US")}.`,
    );
  return amount;
}

function referenceOf(text = ""): string {
  if (!/^[\w.:/-]{1,200}$/.test(text))
    throw new Refusal(
      "grant wants --reference, letters, digits and .:/_- (an invoice's number, say): the same one a second time grants nothing.",
    );
  return text;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The workspace of that id, or the only one of a user with that address. */
async function only(db: Db, which: string | undefined): Promise<WorkspaceOverview> {
  if (which === undefined) throw new Refusal("Say which workspace: its id, or its user's address.");
  const by = UUID.test(which) ? { id: which } : { email: which };
  const [found, ...others] = await findWorkspaces(db, by);
  if (found === undefined) throw new Refusal(`There is no workspace ${which}.`);
  if (others.length > 0)
    throw new Refusal(`${others.length + 1} users have the address ${which}: name one by its id.`);
  return found;
}

/** In the cell that it left, or is leaving, a change would be of its entry alone. */
async function inUse(db: Db, which: string | undefined): Promise<WorkspaceOverview> {
  const found = await only(db, which);
  if (found.deletedAt !== null) throw new Refusal(deletedMeanwhile(found.id));
  if (found.frozenAt !== null || found.cell !== null)
    throw new Refusal(`${found.id} is not in use in this database: ${stateOf(found)}.`);
  return found;
}

const deletedMeanwhile = (id: string) => `${id} is deleted: restore it first.`;
const said = (credits: number) => `${credits.toLocaleString("en-US")} credits`;
const lineOf = ({ id, name, email, plan, deletedAt }: WorkspaceOverview) =>
  [id, plan, email ?? "-", name, ...(deletedAt === null ? [] : ["deleted"])].join("  ");

function pageOf(workspace: WorkspaceOverview): string {
  const { id, name, userId, email, plan, available, held, owed, keys, campaigns } = workspace;
  const byStatus = campaigns.map(({ status, count }) => `${status} ${count}`).join(", ");
  return [
    `Workspace  ${id}  ${name}`,
    `User       ${userId}  ${email ?? "without an address"}`,
    `State      ${stateOf(workspace)}`,
    `Plan       ${plan}`,
    `Credits    ${available} available, ${held} held, ${owed} owed`,
    `API keys   ${keys}`,
    `Campaigns  ${byStatus || "none"}`,
  ].join("\n");
}

const DAY_MS = 86_400_000;

function stateOf({
  createdAt,
  deletedAt,
  isBeingErased,
  frozenAt,
  cell,
  isArriving,
}: WorkspaceOverview): string {
  if (frozenAt !== null)
    return `being moved, ${isArriving ? "from another cell" : `to ${cell}`}, since ${frozenAt.toISOString()}`;
  if (cell !== null) return `lives in ${cell}`;
  if (deletedAt === null) return `in use since ${dayOf(createdAt)}`;
  if (isBeingErased) return `deleted on ${dayOf(deletedAt)}, erased or being erased`;
  const end = new Date(deletedAt.getTime() + GRACE_DAYS * DAY_MS);
  return `deleted on ${dayOf(deletedAt)}, can be restored until ${dayOf(end)}`;
}

const dayOf = (at: Date) => at.toISOString().slice(0, 10);
