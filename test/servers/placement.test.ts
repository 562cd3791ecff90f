/** Placement tests into mailboxes of Debian's Dovecot that Sieve scripts file into: told apart, and left as they were. */
import * as fs from "node:fs";
import * as path from "node:path";
import { ImapFlow } from "imapflow";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestService, type TestService } from "../support/service.ts";
import { type Login, submit } from "./owner.ts";
import { canFile, DOMAINS, type Servers, startServers } from "./setting.ts";

const login = (name: string, domain: string): Login => ({ user: `${name}@${domain}`, pass: "s3c" });
const ANN = login("ann", DOMAINS.senders);
const ZOE = login("zoe", DOMAINS.senders);
const SEEDS = {
  inbox: login("inbox", DOMAINS.leads),
  spam: login("spam", DOMAINS.leads),
  folder: login("folder", DOMAINS.leads),
  starred: login("starred", DOMAINS.leads),
};
const fromAnn = (then: string) => `require ["fileinto", "imap4flags"];
if address :is "from" "${ANN.user}" { ${then} }`;
const SIEVE = {
  [SEEDS.spam.user]: fromAnn('fileinto "Junk";'),
  [SEEDS.folder.user]: fromAnn('fileinto "Lists/Partners & co";'),
  [SEEDS.starred.user]: fromAnn(
    'addflag "\\\\Flagged"; addflag "$Mine"; fileinto "Junk"; keep; stop;',
  ),
};
const PATH = "/api/v1/mailer/placement-tests";
const ids = new Map<string, string>();
let servers: Servers;
let service: TestService;

describe.runIf(canFile)("a placement test at Dovecot", () => {
  beforeAll(async () => {
    const all = [ANN, ZOE, ...Object.values(SEEDS)];
    const passwords = Object.fromEntries(all.map(({ user, pass }) => [user, pass]));
    servers = await startServers(passwords, [], { sieve: SIEVE });
    service = await startTestService({ authorities: [servers.ca] });
  }, 120_000);
  afterAll(async () => {
    await service?.close();
    await servers?.close();
  });

  async function alias({ user, pass }: Login): Promise<string> {
    const { id } = (await service.api("POST", "/api/v1/mailer/aliases", {
      email: user,
      display_name: "Ann",
      transport: { kind: "smtp", ...servers.postfix.smtp, username: user, password: pass },
      inbox: { kind: "imap", ...servers.dovecot.imap, username: user, password: pass },
    })) as { id: string };
    ids.set(user, id);
    return id;
  }

  /** Every file of a mailbox: its folder, and in its name whether it is new and how it is marked. */
  const filesOf = ({ user }: Login) =>
    (fs.existsSync(servers.dovecot.maildir(user))
      ? fs.readdirSync(servers.dovecot.maildir(user), { recursive: true })
      : []
    )
      .map(String)
      .filter((name) => /(^|\/)(new|cur)\//.test(name))
      .toSorted();

  async function inFolder<T>(auth: Login, folder: string, act: (client: ImapFlow) => Promise<T>) {
    const tls = { ca: servers.ca };
    const client = new ImapFlow({
      ...servers.dovecot.imap,
      secure: true,
      tls,
      auth,
      logger: false,
    });
    await client.connect();
    try {
      await client.mailboxOpen(folder);
      return await act(client);
    } finally {
      await client.logout();
    }
  }
  const flagsIn = (auth: Login, folder: string) =>
    inFolder(auth, folder, async (client) =>
      (await client.fetchAll("1:*", { flags: true })).map(({ flags }) =>
        [...(flags ?? [])].filter((flag) => flag !== "\\Recent").toSorted(),
      ),
    );

  test("tells the inbox from Junk and from a folder of its owner's, and touches no flag and no other mail", async () => {
    const seeds = Object.values(SEEDS);
    for (const { user } of seeds)
      await submit(servers, ZOE, { from: ZOE.user, to: user, subject: "Private", text: "Private" });
    await expect
      .poll(() => seeds.map((seed) => filesOf(seed).length), { timeout: 20_000 })
      .toEqual([1, 1, 1, 1]);
    // One has been read, so that both kinds are there.
    await inFolder(SEEDS.spam, "INBOX", (client) => client.messageFlagsAdd("1", ["\\Seen"]));
    const [sender, ...seedIds] = [await alias(ANN), ...(await Promise.all(seeds.map(alias)))];
    const { id } = (await service.api("POST", PATH, {
      alias_ids: [sender],
      seed_alias_ids: seedIds,
      subject: "A question",
      body: "<p>Hello Ada</p>",
    })) as { id: string };
    const now = () =>
      service.api("GET", `${PATH}/${id}`) as Promise<{
        status: string;
        results: { seed_email: string; place: string; folder: string; copies: number }[];
      }>;
    await expect
      .poll(() => seeds.map((seed) => filesOf(seed).length), { timeout: 20_000 })
      .toEqual([2, 2, 2, 3]);
    const before = seeds.map(filesOf);
    for (const seconds of [10, 70, 70]) await service.advance(seconds);
    await expect.poll(async () => (await now()).status, { timeout: 20_000 }).toBe("done");
    const { results } = await now();
    const seen = Object.fromEntries(
      results.map(({ seed_email: seed, place, folder, copies }) => [seed, [place, folder, copies]]),
    );
    expect(seen).toEqual({
      [SEEDS.inbox.user]: ["inbox", "INBOX", 1],
      [SEEDS.spam.user]: ["spam", "Junk", 1],
      [SEEDS.folder.user]: ["other", "Lists/Partners & co", 1],
      // Of two copies that came at once the worse place counts.
      [SEEDS.starred.user]: ["spam", "Junk", 2],
    });
    expect(seeds.map(filesOf)).toEqual(before);
    expect(await flagsIn(SEEDS.starred, "Junk")).toEqual([["$Mine", "\\Flagged"]]);
    expect(await flagsIn(SEEDS.spam, "INBOX")).toEqual([["\\Seen"]]);
    expect(await flagsIn(SEEDS.spam, "Junk")).toEqual([[]]);
  }, 120_000);

  test("where asked, deletes its own mail alone", async () => {
    const before = filesOf(SEEDS.spam);
    const { id } = (await service.api("POST", PATH, {
      alias_ids: [ids.get(ANN.user)],
      seed_alias_ids: [ids.get(SEEDS.spam.user)],
      subject: "Another question",
      body: "<p>Hello Ada</p>",
      delete_after: true,
    })) as { id: string };
    await expect
      .poll(() => filesOf(SEEDS.spam).length, { timeout: 20_000 })
      .toBe(before.length + 1);
    await service.advance(10);
    const results = async () =>
      ((await service.api("GET", `${PATH}/${id}`)) as { results: object[] }).results;
    await expect
      .poll(results, { timeout: 20_000 })
      .toMatchObject([{ place: "spam", deleted: true }]);
    expect(
      filesOf(SEEDS.spam)
        .map((name) => path.basename(name))
        .toSorted(),
    ).toEqual(before.map((name) => path.basename(name)).toSorted());
  }, 120_000);
});
