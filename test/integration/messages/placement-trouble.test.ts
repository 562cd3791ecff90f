import { describe, expect, test } from "vitest";
import {
  begin,
  from,
  inboxOf,
  provider,
  read,
  seed,
  seen,
  sending,
  tenant,
  TOO_LATE,
  usePlacement,
  work,
} from "./placement-setting.ts";

usePlacement();

describe("a seed in trouble", () => {
  test.each([
    ["refuses the login", "imap_auth_refused", "unreadable", /refused the login/],
    ["passes for a moment", "imap_unavailable", "looking", null],
    ["cuts the line", "imap_cut_in_literal", "looking", null],
    ["has lost its inbox", "imap_folder_gone", "unreadable", /cannot be opened/],
  ] as const)("that %s says nothing of the mail", async (_, fault, status, note) => {
    const where = await seed("plain.zz");
    const { id } = (await begin([await from()], [where])).body;
    await work(id, where);
    provider.faults.order(fault, 1);
    sending.api.advance(6);
    await work(id, where);
    const [result] = (await read(id)).results;
    expect([result.status, result.place]).toEqual([status, null]);
    if (note !== null) expect(result.note).toMatch(note);
    if (status === "unreadable") return;
    sending.api.advance(15);
    await work(id, where);
    expect((await read(id)).results).toMatchObject([{ status: "found", place: "inbox" }]);
  });

  test("one whose inbox was taken away is unreadable, and never missing", async () => {
    const where = await seed("plain.zz");
    const { id } = (await begin([await from()], [where])).body;
    await work(id, where);
    await tenant.call("PATCH", `/api/v1/mailer/aliases/${where.id}`, { inbox: null });
    sending.api.advance(1_000);
    await work(id, where);
    expect((await read(id)).results).toMatchObject([{ status: "unreadable", place: null }]);
  });

  test("one without a folder for spam is missing with that said", async () => {
    const where = await seed("plain.zz");
    await sending.api.sql.query(
      "update mail_aliases set email = 'other@elsewhere.zz' where id = $1",
      [where.id],
    );
    await sending.api.sql.query(
      "update inboxes set username = 'other@elsewhere.zz' where alias_id = $1",
      [where.id],
    );
    const { results } = await seen([await from()], [where], { after: [6, ...TOO_LATE] });
    expect(results).toMatchObject([{ status: "missing" }]);
    expect(results[0].note).toContain("no folder for spam");
  });

  test("a worker that died between send and look, or while it sent, sends nothing twice", async () => {
    const where = await seed("plain.zz");
    const { id } = (await begin([await from()], [where])).body;
    const dying = {
      ...sending.api.deps,
      openMail: () => {
        const transport = sending.api.deps.openMail();
        return {
          ...transport,
          send: async (...args: Parameters<typeof transport.send>) => {
            await transport.send(...args);
            return new Promise<never>(() => {});
          },
        };
      },
    };
    void work(id, where, dying);
    await expect.poll(() => inboxOf(where).length, { timeout: 10_000 }).toBe(1);
    await work(id, where);
    expect((await read(id)).results).toMatchObject([{ status: "waiting" }]);
    sending.api.advance(11 * 60 + 1);
    const lost = await import("#src/domain/jobs/queue.ts");
    expect(await lost.JOBS["placement"]!.requeueLost(sending.api.deps)).toBe(0);
    await work(id, where);
    expect(inboxOf(where)).toHaveLength(1);
    expect((await read(id)).results).toMatchObject([
      { status: "found", place: "inbox", sent_at: null, seconds: null },
    ]);
  });
});

test("after the database was restored from a backup, what waited is looked for and not sent again", async () => {
  const [sender, where] = [await from(), await seed("plain.zz")];
  const { id } = (await begin([sender], [where])).body;
  const now = sending.api.deps.clock.now();
  const { markRestoredJobs } = await import("#db/engine/restored-jobs.ts");
  await markRestoredJobs(sending.api.deps.db, { since: now, now });
  await work(id, where);
  sending.api.advance(901);
  await work(id, where);
  expect(inboxOf(where)).toHaveLength(0);
  expect((await read(id)).results).toMatchObject([{ status: "unknown" }]);
});
