import { describe, expect, test } from "vitest";
import { rawMail } from "../../support/incoming.ts";
import {
  alias,
  begin,
  type Box,
  from,
  inboxOf,
  PATH,
  provider,
  read,
  rows,
  seed,
  seen,
  sending,
  tenant,
  TOO_LATE,
  usePlacement,
  work,
} from "./placement-setting.ts";

usePlacement();

/** A mail under the Message-ID of the test's own. */
async function copy(id: string, sender: Box, where: Box, more: object = {}): Promise<string> {
  const [{ message_id: messageId }] = await rows(
    "select message_id from placement_mails where test_id = $1",
    [id],
  );
  const headers = [`X-Id: <${messageId}>`];
  const raw = rawMail({ from: sender.email, to: where.email, headers, body: "Hi", ...more });
  return raw.replace(/^Message-ID:.*\r\n/m, "").replace(/^X-Id:/m, "Message-ID:");
}

describe("where a mail lands", () => {
  test("inbox, spam, a category, a folder of its own and nowhere are told apart, each from all senders", async () => {
    const senders = [await from(), await alias("bob", { inbox: false })];
    const seeds = [
      await seed("plain.zz"),
      await seed("spams.zz"),
      await seed("tabs.zz"),
      await seed("focus.zz"),
      await seed("drops.zz"),
    ];
    const early = await seen(senders, seeds);
    expect([early.status, early.counts]).toEqual([
      "running",
      { inbox: 6, spam: 2, other: 0, missing: 0, bounced: 0, unknown: 0, open: 2 },
    ]);
    for (const seconds of TOO_LATE) {
      sending.api.advance(seconds);
      for (const each of seeds) await work(early.id, each);
    }
    const late = await read(early.id);
    expect([late.status, late.counts.missing]).toEqual(["done", 2]);
    const of = (seed: Box) =>
      late.results
        .filter((each: { seed_alias_id: string }) => each.seed_alias_id === seed.id)
        .map((each: Record<string, unknown>) => [
          ...[each["status"], each["place"], each["category"], each["folder"]],
          ...[each["copies"], each["deleted"]],
        ]);
    const twice = (...row: unknown[]) => [row, row];
    expect(seeds.map(of)).toEqual([
      twice("found", "inbox", null, "INBOX", 1, null),
      twice("found", "spam", null, "Junk", 1, null),
      twice("found", "inbox", "primary", "INBOX", 1, null),
      twice("found", "inbox", null, "INBOX", 1, null),
      twice("missing", null, null, null, 0, null),
    ]);
    const auth = late.results.map(
      ({ authentication }: { authentication: object }) => authentication,
    );
    expect(auth).toContainEqual({ by: "mx.spams.zz", spf: "none", dkim: "none", dmarc: "none" });
    expect(auth).toContainEqual({ by: null, spf: "none", dkim: "none", dmarc: "bestguesspass" });
    expect(auth).toContainEqual(null);
    for (const each of late.results)
      if (each.status === "found") expect(each.seconds).toBeLessThanOrEqual(6);
    expect((await tenant.call("GET", PATH)).body.items).toMatchObject([
      { id: early.id, counts: late.counts },
    ]);
  });

  test("a folder that the owner's rule files into is looked into after a minute", async () => {
    const [sender, where] = [await from(), await seed("drops.zz")];
    const { id } = (await seen([sender], [where])) as { id: string };
    provider.boxes.put(where.email, await copy(id, sender, where), { folder: "Newsletters" });
    sending.api.advance(11);
    await work(id, where);
    expect((await read(id)).counts.open).toBe(1);
    sending.api.advance(50);
    await work(id, where);
    expect((await read(id)).results).toMatchObject([
      { status: "found", place: "other", folder: "Newsletters" },
    ]);
  });

  test("what arrives late is answered within 60 s of its arrival, whenever in the 15 minutes that is", async () => {
    const { noted, deps } = await import("../../support/noted-queue.ts").then(
      ({ withNotedQueue }) => withNotedQueue(sending.api),
    );
    const [sender, where] = [await from(), await seed("drops.zz")];
    const { id } = (await begin([sender], [where])).body;
    const asked = () => noted.at(-1)!.notBefore!.getTime();
    await work(id, where, deps);
    const gaps: number[] = [];
    for (let at = sending.api.deps.clock.now().getTime(); ; at = asked()) {
      sending.api.advance(Math.max(0, at - sending.api.deps.clock.now().getTime()) / 1000 + 1);
      const before = noted.length;
      await work(id, where, deps);
      if (noted.length === before) break;
      gaps.push(asked() - sending.api.deps.clock.now().getTime());
      expect(gaps.length).toBeLessThan(60);
    }
    expect(Math.max(...gaps)).toBeLessThanOrEqual(30_000);
    expect((await read(id)).results[0].status).toBe("missing");
  });
});

describe("what counts as ours", () => {
  test("a mail by another author under our Message-ID is none of ours", async () => {
    const [sender, where] = [await from(), await seed("drops.zz")];
    const { id } = (await seen([sender], [where])) as { id: string };
    provider.boxes.put(where.email, await copy(id, sender, where, { from: "mallory@evil.zz" }));
    sending.api.advance(11);
    await work(id, where);
    expect((await read(id)).results).toMatchObject([{ status: "looking", place: null }]);
  });

  test("of two copies the first that came counts, and both are told; of two at once the one in spam", async () => {
    const [sender, where, twin] = [await from(), await seed("drops.zz"), await seed("drops.zz")];
    for (const [box, first, second, place] of [
      [where, "Junk", "INBOX", "spam"],
      [where, "INBOX", "Junk", "inbox"],
      [twin, "INBOX", "Junk", "spam"],
    ] as const) {
      const { id } = (await seen([sender], [box])) as { id: string };
      const at = sending.api.deps.clock.now();
      const later = box === twin ? at : new Date(at.getTime() + 2_000);
      const raw = await copy(id, sender, box);
      provider.boxes.put(box.email, raw, { folder: first, at });
      provider.boxes.put(box.email, raw, { folder: second, at: later });
      sending.api.advance(11);
      await work(id, box);
      expect((await read(id)).results).toMatchObject([{ status: "found", place, copies: 2 }]);
    }
  });

  test.each([
    ["before it was sent", -3_600_000],
    ["in a year", 365 * 86_400_000],
  ])("a server that says it came %s is not believed", async (_, off) => {
    const [sender, where] = [await from(), await seed("drops.zz")];
    const { id } = (await seen([sender], [where])) as { id: string };
    const at = new Date(sending.api.deps.clock.now().getTime() + off);
    provider.boxes.put(where.email, await copy(id, sender, where), { at });
    sending.api.advance(11);
    await work(id, where);
    const [{ seconds, sent_at: sentAt, arrived_at: arrivedAt }] = (await read(id)).results;
    expect(seconds).toBeGreaterThanOrEqual(0);
    expect(seconds).toBeLessThan(60);
    expect(arrivedAt >= sentAt).toBe(true);
  });
});

describe("what is touched", () => {
  test("nothing: folders are examined, and no command changes anything", async () => {
    const seeds = [await seed("spams.zz"), await seed("tabs.zz")];
    await seen([await from()], seeds, { after: [6, ...TOO_LATE] });
    const said = provider.log
      .entries()
      .map(({ summary }) => summary)
      .filter((each) => each.includes("IMAP"));
    expect(said.some((each) => each.includes("EXAMINE Junk"))).toBe(true);
    expect(said.filter((each) => each.includes("SELECT"))).toEqual([]);
  });

  test("where asked, the test's own mail is deleted, and nothing beside it", async () => {
    const [plain, spam, tabs] = [
      await seed("plain.zz"),
      await seed("spams.zz"),
      await seed("tabs.zz"),
    ];
    for (const each of [plain, spam, tabs])
      provider.boxes.put(each.email, rawMail({ from: "x@y.zz", to: each.email, body: "Private" }));
    const { results } = await seen([await from()], [plain, spam, tabs], {
      more: { delete_after: true },
    });
    expect(results.map(({ deleted }: { deleted: boolean }) => deleted)).toEqual([true, true, true]);
    expect([plain, spam, tabs].map((each) => inboxOf(each).length)).toEqual([1, 1, 1]);
    expect(provider.boxes.folder(spam.email, "Junk")!.messages).toHaveLength(0);
    // As Gmail deletes.
    expect(provider.boxes.folder(tabs.email, "[Gmail]/Trash")!.messages).toHaveLength(1);
  });
});
