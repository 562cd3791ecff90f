import { setImmediate } from "node:timers/promises";
import { describe, expect, test, vi } from "vitest";
import { claimInboxes } from "#db/replies/inbox-reads.ts";
import { runMaintenance } from "#src/domain/jobs/maintenance.ts";
import { readDueInboxes } from "#src/domain/replies/inbound/inbox/read-due.ts";
import { createImapInbox } from "#src/providers/inbox/imap.ts";
import type { Dial } from "#src/providers/mail/index.ts";
import { createNodeDial } from "../../../../scripts/stack/node-dial.ts";
import { rawMail } from "../../../support/incoming.ts";
import { localhostPem } from "../../mail/raw-sink.ts";
import { imapSink } from "./imap-setting.ts";
import {
  connectInbox,
  provider,
  read,
  readNext,
  replyTo,
  rowOf,
  sending,
  sentOne,
  useReading,
} from "./reading-setting.ts";
import { inFull } from "../../../support/full.ts";
import { patience } from "../../../support/patience.ts";
import { statements } from "../../../support/statements.ts";

vi.setConfig({ testTimeout: patience(120_000) });

useReading();

/** A way to connect that counts what is said: each is a round trip, but for the goodbye. */
function counted(): { dial: Dial; writes: () => number } {
  let writes = 0;
  const dial: Dial = async (target, signal) => {
    const duplex = await createNodeDial()(target, signal);
    const counting = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        writes++;
        controller.enqueue(chunk);
      },
    });
    void counting.readable.pipeTo(duplex.writable).catch(() => {});
    return { ...duplex, readable: duplex.readable, writable: counting.writable };
  };
  return { dial, writes: () => writes };
}

async function readCounted() {
  const { dial, writes } = counted();
  const deps = { ...sending.api.deps, readInboxes: () => createImapInbox(dial) };
  const counts = await readDueInboxes(deps);
  return { counts, writes: writes() };
}

const OLD = inFull(500_000, 20_000);

describe(`a mailbox of ${OLD} messages`, () => {
  test("takes few round trips at first and later, however much is new", async () => {
    const { email, messageId, put, aliasId } = await sentOne();
    const old = new Date(Date.now() - 30 * 86_400_000);
    for (let count = 0; count < OLD; count++)
      provider.boxes.put(email, "Subject: x\r\n\r\nx", { at: old });
    put(replyTo(messageId, email));
    const first = await readCounted();
    expect(first.counts).toMatchObject({ headers: 1, taken: 1, failed: 0 });
    // Capabilities, login, folder, search, headers, the message, goodbye.
    expect(first.writes).toBe(7);

    await sending.api.sql.query("update inboxes set next_read_at = $1", [new Date()]);
    expect(await readCounted()).toMatchObject({ counts: { headers: 0 }, writes: 4 });

    const letter = rawMail({ from: "friend@friend.zz", to: email, body: "Hello" });
    for (let count = 0; count < 5_000; count++) put(letter);
    for (let count = 0; count < 20; count++) put(replyTo(messageId, email));
    await sending.api.sql.query("update inboxes set next_read_at = $1", [new Date()]);
    const looks: number[] = [];
    while (new Date((await rowOf(aliasId)).next_read_at) <= new Date())
      looks.push((await readCounted()).writes);
    expect(looks).toHaveLength(6);
    // With the connection and TLS 30 at most: under two seconds at 50 ms each.
    expect(Math.max(...looks)).toBeLessThanOrEqual(28);
  });
});

describe("a message that cannot be read", () => {
  const tries = async (count: number) => {
    const outcomes: unknown[] = [];
    for (let round = 0; round < count; round++) {
      const { failed, taken } = (await readNext()) as { failed: number; taken: number };
      outcomes.push([failed, taken]);
    }
    return outcomes;
  };

  test("stops neither what came before it nor, after five tries, what comes behind it", async () => {
    const { aliasId, messageId, email } = await sentOne();
    const lines: string[] = [];
    sending.api.onLog((line) => lines.push(line));
    const header = `From: lead1@example.zz\r\nIn-Reply-To: <${messageId}>\r\n\r\n`;
    const literal = (text: string) => `{${text.length}}\r\n${text}`;
    const bodies = new Map([
      [1, replyTo(messageId, email)],
      [3, replyTo(messageId, email)],
    ]);
    const asked = (rest: string) =>
      [1, 2, 3].filter((uid) => {
        const [from, to = from] = rest.split(" ")[0]!.split(":").map(Number);
        return uid >= from! && uid <= to!;
      });
    const sink = await imapSink({
      "UID SEARCH": (rest) => {
        const first = Number(/UID (\d+)/.exec(rest)?.[1] ?? 1);
        const uids = [1, 2, 3].filter((uid) => uid >= first);
        return [`* SEARCH ${uids.join(" ")}`, "TAG OK done"];
      },
      "UID FETCH": (rest) => [
        ...asked(rest).map((uid) => {
          if (rest.includes("HEADER"))
            return `* ${uid} FETCH (UID ${uid} BODY[HEADER.FIELDS (X)] ${literal(header)})`;
          const body = bodies.get(uid);
          return body === undefined
            ? "* 2 FETCH (UID 2 BODY[] {4294967295}"
            : `* ${uid} FETCH (UID ${uid} BODY[] ${literal(body)})`;
        }),
        "TAG OK done",
      ],
    });
    const open = createImapInbox(createNodeDial({ ca: localhostPem }));
    const deps = { ...sending.api.deps, readInboxes: () => open };
    const look = async () => {
      await sending.api.sql.query("update inboxes set next_read_at = $1", [new Date()]);
      const { failed, taken } = (await readDueInboxes(deps)) as { failed: number; taken: number };
      return [failed, taken];
    };
    await connectInbox(aliasId, { port: sink.port });
    // What is there at the first look is read from its end.
    expect(await look()).toEqual([1, 1]);
    expect(await rowOf(aliasId)).toMatchObject({ backlog_before: "3", stuck: 0, backlog_stuck: 1 });
    for (let round = 0; round < 4; round++) expect(await look()).toEqual([1, 0]);
    expect(await rowOf(aliasId)).toMatchObject({
      backlog_before: "3",
      backlog_stuck: 5,
      failures: 5,
    });
    expect(await look()).toEqual([0, 1]);
    const done = { last_uid: "3", backlog_before: null, backlog_stuck: 0, failures: 0 };
    expect(await rowOf(aliasId)).toMatchObject(done);
    const [left] = lines.filter((line) => line.includes("inbox_message_left_out"));
    expect(JSON.parse(left!)).toMatchObject({ alias_id: aliasId, uid: 2 });
  });

  test("and is gone by then leaves nothing out", async () => {
    const { aliasId, messageId, email, put, lead } = await sentOne();
    await read();
    const lines: string[] = [];
    sending.api.onLog((line) => lines.push(line));
    await sending.api.sql.query("update inboxes set stuck = 5 where alias_id = $1", [aliasId]);
    expect(await readNext()).toMatchObject({ headers: 0, failed: 0 });
    expect(lines.join()).not.toContain("inbox_message_left_out");
    put(replyTo(messageId, email));
    expect(await readNext()).toMatchObject({ taken: 1 });
    expect((await lead()).status).toBe("replied");
  });

  test("because the line is cut while it comes is tried again, and taken then", async () => {
    const { messageId, email, put, lead } = await sentOne();
    put(replyTo(messageId, email));
    provider.faults.order("imap_cut_in_literal", 1);
    expect(await tries(2)).toEqual([
      [1, 0],
      [0, 1],
    ]);
    expect((await lead()).status).toBe("replied");
  });

  test("of many megabytes is read by its beginning", async () => {
    const { messageId, email, put, lead } = await sentOne(2);
    const attachment = "A".repeat(76).concat("\r\n").repeat(inFull(650_000, 65_000));
    const body = `--b\r\nContent-Type: text/plain\r\n\r\nPlease remove me from your list.\r\n--b\r\nContent-Type: application/pdf\r\nContent-Transfer-Encoding: base64\r\n\r\n${attachment}--b--\r\n`;
    put(replyTo(messageId, email, { contentType: "multipart/mixed; boundary=b", body }));
    expect(await read()).toMatchObject({ fetched: 1, taken: 1, failed: 0 });
    expect(["unsubscribed", "replied"]).toContain((await lead(0)).status);
  });
});

describe("several inboxes", () => {
  test("are read over one connection after the other", async () => {
    await sentOne();
    await sentOne();
    const events: string[] = [];
    const open = createImapInbox(createNodeDial());
    const readInboxes = () => async (account: Parameters<typeof open>[0]) => {
      events.push("opens");
      const inbox = await open(account);
      const close = async () => {
        await inbox.close();
        // A reader that does not wait for the goodbye is at the next inbox by then.
        for (let turn = 0; turn < 1_000; turn++) await setImmediate();
        events.push("is closed");
      };
      return { ...inbox, close };
    };
    expect(await readDueInboxes({ ...sending.api.deps, readInboxes })).toMatchObject({
      inboxes: 2,
      failed: 0,
    });
    expect(events).toEqual(["opens", "is closed", "opens", "is closed"]);
  });

  test("are claimed beside one that another is just taking, without waiting for it", async () => {
    const [taken, free] = [(await sentOne()).aliasId, (await sentOne()).aliasId];
    const { db, clock } = sending.api.deps;
    const now = clock.now();
    const holder = await sending.api.sql.connect();
    try {
      await holder.query("begin");
      await holder.query("select from inboxes where alias_id = $1 for update", [taken]);
      const leaseUntil = new Date(now.getTime() + 60_000);
      const { claims } = await claimInboxes(db, { now, leaseUntil, limit: 5 });
      expect(claims.map(({ aliasId }) => aliasId)).toEqual([free]);
    } finally {
      await holder.query("rollback");
      holder.release();
    }
  });
});

describe("who asks for a round", () => {
  /** Batches of messages that the queue was given; of single ones there are others' too. */
  const asked = () =>
    sending.api.qstash.log.entries().filter(({ summary }) => summary.includes("batch")).length;

  test("the heartbeat, for the inboxes that are due, and without any inbox not even the database is asked", async () => {
    const { deps, qstash } = sending.api;
    qstash.log.clear();
    await deps.cache.set("engine:full_check", "1", 840);
    await deps.cache.set("engine:alive", String(Date.now()), 3600);
    await deps.cache.delete("inboxes:none");
    await runMaintenance(deps);
    const statementsSince = await statements(sending.api);
    await runMaintenance(deps);
    expect(statementsSince()).toBe(0);
    expect(asked()).toBe(0);

    // The first inbox lifts the note.
    await sentOne();
    qstash.log.clear();
    await runMaintenance(deps);
    expect(asked()).toBe(1);
    await read();
    await deps.cache.set("engine:alive", String(Date.now()), 3600);
    const later = asked();
    await runMaintenance(deps);
    expect(asked()).toBe(later);
  });
});
