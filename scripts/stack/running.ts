import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import * as path from "node:path";
import { rootFolder } from "../command.ts";
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
  return description !== null && isStart(description.pid) ? description : null;
}

/** A number may belong to another program by now, so the command line is looked at. */
export function isStart(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  try {
    return fs.readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("start.ts");
  } catch {
    return execFileSync("ps", ["-o", "args=", "-p", String(pid)], { encoding: "utf8" }).includes(
      "start.ts",
    );
  }
}
