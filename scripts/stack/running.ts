import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import * as path from "node:path";
import { rootFolder } from "../command.ts";
import { readText } from "./postgres-folders.ts";
import { readJson, writePrivately } from "./secrets.ts";

/** What `.local/stack.json` says of a running stack, so that any tool can find it. */
export interface StackDescription {
  base_url: string;
  docs_url: string;
  mailbox_url: string;
  /** Stripe's stand-in: its payments, and its API below /v1. */
  payments_url: string;
  /** WhatsApp: the telephones' inbox. */
  messaging_url: string;
  /** What webhooks bring: a page, and an address for each name below /hooks. */
  receiver_url: string;
  /** The professional network: its page, and Unipile's API below /api/v1. */
  network_url: string;
  /** The console; `sign_in_url` opens it signed in as the owner of the demo workspace, once. */
  console_url: string;
  sign_in_url: string;
  /** Where people sign in. */
  identity_url: string;
  /** Where people consent that an app may use their mailbox. */
  oauth_url: string;
  control_url: string;
  /** Zones at /zones, and the Worker's resolvers. */
  dns_url: string;
  database_url: string;
  /** Of the second cell, `big`; null where there is one cell. */
  big_database_url: string | null;
  pid: number;
  /** As the system says it (`processStart`). */
  pid_started: string | null;
  /** The demo workspace, and one on the free plan. */
  jwt: string;
  api_key: string;
  free_jwt: string;
  /** Null where no calls are sold. */
  chain: {
    rpc_url: string;
    facilitator_url: string;
    chain_id: number;
    token: string;
    merchant: string;
    buyer: { address: string; private_key: string };
  } | null;
  smtp: { host: string; port: number; security: string; username: string; password: string };
  /** Senders' own mailboxes, each by its address and the password of `smtp`. */
  imap: { host: string; port: number; security: string };
}

/** What this checkout's stack keeps; tests of the stack itself set another place. */
export const localFolder = process.env["OVERTURE_LOCAL"] ?? path.join(rootFolder, ".local");
const descriptionFile = path.join(localFolder, "stack.json");

export function writeDescription(description: StackDescription): void {
  writePrivately(descriptionFile, description);
}

export function removeDescription(): void {
  fs.rmSync(descriptionFile, { force: true });
}

/** The stack of this checkout that is running now, or null. A file that a killed one left behind does not count. */
export function findRunning(): StackDescription | null {
  const description = readJson<StackDescription>(descriptionFile);
  return description !== null && isRunning(description) ? description : null;
}

/** A number may belong to another process by now, another checkout's start too, but that began at another time. */
export function isRunning({ pid, pid_started: started }: StackDescription): boolean {
  const found = processStart(pid);
  return found !== null && found === started;
}

/** When the process began, in whatever notation the system has; null where there is none, or only its unread exit. */
export function processStart(pid: number): string | null {
  const stat = readText(`/proc/${pid}/stat`);
  if (stat === null) return processStartByPs(pid);
  // proc_pid_stat(5): the state is field 3, the start field 22; the name before them may hold spaces and brackets.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields[0] === "Z" ? null : (fields[19] ?? null);
}

function processStartByPs(pid: number): string | null {
  try {
    const line = execFileSync("ps", ["-o", "state=,lstart=", "-p", String(pid)], {
      encoding: "utf8",
      env: { ...process.env, LC_ALL: "C", TZ: "UTC" },
      stdio: ["ignore", "pipe", "ignore"],
    });
    const [, state, started] = /^\s*(\S+)\s+(.+?)\s*$/.exec(line) ?? [];
    return state === undefined || state.startsWith("Z") ? null : (started ?? null);
  } catch {
    return null;
  }
}
