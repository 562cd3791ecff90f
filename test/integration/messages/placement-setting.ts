import { randomUUID } from "node:crypto";
import { beforeEach } from "vitest";
import { workOnSeed } from "#src/domain/messages/placement/run.ts";
import type { Deps } from "#src/deps.ts";
import {
  PASSWORD,
  provider,
  sending,
  tenant,
  useReading,
} from "../replies/inboxes/reading-setting.ts";

export { provider, sending, tenant };
export const PATH = "/api/v1/mailer/placement-tests";

export interface Box {
  id: string;
  email: string;
}

/** An alias that sends by the provider's relay, and is a seed where its inbox is connected. */
export async function alias(name: string, { inbox = true, by = tenant } = {}): Promise<Box> {
  const { host, port, security, username } = provider.smtp;
  const email = name.includes("@") ? name : `${name}@sender.zz`;
  const { body, text } = await by.call("POST", "/api/v1/mailer/aliases", {
    email,
    display_name: "Ann",
    transport: { kind: "smtp", host, port, security, username, password: PASSWORD },
    ...(inbox
      ? { inbox: { kind: "imap", host, port: provider.imap.port, password: PASSWORD } }
      : {}),
  });
  if (body.id === undefined) throw new Error(text);
  if (inbox) provider.boxes.open(email);
  return { id: body.id, email };
}

/** A seed at an operator of the stand-in's: `spams.zz`, `tabs.zz`, `focus.zz`, `drops.zz`, or an ordinary one. */
export const seed = (operator: string) => alias(`seed-${randomUUID().slice(0, 8)}@${operator}`);

export const text = { subject: "A question", body: "<p>Hello Ada</p>" };

export const begin = (senders: readonly Box[], seeds: readonly Box[], more: object = {}) =>
  tenant.call("POST", PATH, {
    alias_ids: senders.map(({ id }) => id),
    seed_alias_ids: seeds.map(({ id }) => id),
    ...text,
    ...more,
  });

/** The work of the queue's message for one seed. */
export const work = (testId: string, { id }: Box, deps: Deps = sending.api.deps) =>
  workOnSeed(deps, { testId, seedAliasId: id });

export const read = async (testId: string) => (await tenant.call("GET", `${PATH}/${testId}`)).body;

/** A test whose mails have gone out, with what was seen of each after so many seconds. */
export async function seen(
  senders: readonly Box[],
  seeds: readonly Box[],
  { after = [6], more = {} }: { after?: readonly number[]; more?: object } = {},
) {
  const { body } = await begin(senders, seeds, more);
  for (const each of seeds) await work(body.id, each);
  for (const seconds of after) {
    sending.api.advance(seconds);
    for (const each of seeds) await work(body.id, each);
  }
  return read(body.id);
}

/** Past the time for which a mail is looked for. */
export const TOO_LATE = [70, 900];

export const rows = async (sql: string, values: unknown[] = []) =>
  (await sending.api.sql.query(sql, values)).rows;
export const inboxOf = ({ email }: Box) => provider.boxes.folder(email, "INBOX")!.messages;
export const from = async () => alias("ann", { inbox: false });

/** What every file about placement tests begins with. */
export function usePlacement(): void {
  useReading();
  beforeEach(async () => void (await rows("delete from placement_tests")));
}
