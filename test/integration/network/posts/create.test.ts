import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { HOSTILE } from "../../../conformance/hostile-values.ts";
import { IMAGES, largePng } from "../../../support/images.ts";
import type { Tenant } from "../../../support/api.ts";
import { formOf, POSTS } from "../../../support/posts.ts";
import { api, asked, connect, create, imageRows, newPost, publish, usePosts } from "./setting.ts";

usePosts();

const MIB = 1024 * 1024;
const HOUR_MS = 3_600_000;
const inFuture = (ms: number) => new Date(Date.now() + ms).toISOString();
const problems = ({ body }: { body: { details?: { loc: string[]; msg: string }[] } }) => [
  ...new Set((body.details ?? []).map(({ loc }) => loc.join("."))),
];

describe("a post that is scheduled", () => {
  const change = (tenant: Tenant, id: string, body: object) =>
    tenant.call("PATCH", `${POSTS}${id}`, body);

  test("changes its text and its time, and is published then", async () => {
    const { tenant, id, read } = await newPost({ scheduled_at: inFuture(HOUR_MS) });
    const at = inFuture(2 * HOUR_MS);
    const { status, body } = await change(tenant, id, { text: "Better news", scheduled_at: at });
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({ status: "scheduled", text: "Better news", scheduled_at: at }),
    ]);
    expect(asked.at(-1)).toMatchObject({ payload: { post_id: id }, notBefore: new Date(at) });
    api.advance(1.5 * 3_600);
    expect(await publish(id)).toBe("not_due");
    expect(await read()).toMatchObject({ status: "scheduled" });
    api.advance(3_600);
    await publish(id);
    expect(await read()).toMatchObject({ status: "published", text: "Better news" });
  });

  test("is published at once by a time that is past; afterwards nothing changes it", async () => {
    const { tenant, id } = await newPost({ scheduled_at: inFuture(HOUR_MS) });
    const past = await change(tenant, id, { scheduled_at: "2020-01-01T00:00:00Z" });
    expect(past.body).toMatchObject({ status: "publishing", scheduled_at: null });
    const late = await change(tenant, id, { text: "Too late" });
    expect([late.status, late.body.detail]).toEqual([409, "INVALID_STATE_TRANSITION"]);
    for (const body of [{ text: "" }, { scheduled_at: "tomorrow" }, { text: "x".repeat(3001) }])
      expect((await change(tenant, id, body)).status).toBe(422);
    const other = await api.tenant();
    expect((await change(other, id, { text: "Mine" })).status).toBe(404);
  });
});

describe("a post that is made", () => {
  test("is publishing, from the default account, with what the contract promises", async () => {
    const { account, tenant, body } = await newPost({ text: "Good news" });
    expect(body).toMatchObject({
      user_id: tenant.userId,
      workspace_id: tenant.workspaceId,
      connected_account_id: account.id,
      status: "publishing",
      text: "Good news",
      unipile_post_id: null,
      attachments: [],
      is_repost: false,
      scheduled_at: null,
      retry_count: 0,
      impressions: 0,
      last_error: null,
    });
  });

  test("is scheduled where that lies ahead, whatever its offset, and at once where it is past", async () => {
    const { tenant, body } = await newPost({ scheduled_at: inFuture(HOUR_MS) });
    expect(body).toMatchObject({ status: "scheduled" });
    const past = await create(tenant, { text: "a", scheduled_at: "2020-01-01T10:00:00+02:00" });
    expect(past.body).toMatchObject({ status: "publishing", scheduled_at: null });
    const at = new Date(Date.now() + HOUR_MS);
    const eastern = new Date(at.getTime() + 2 * HOUR_MS).toISOString().replace("Z", "+02:00");
    const offset = await create(tenant, { text: "a", scheduled_at: eastern });
    expect(offset.body.scheduled_at).toBe(at.toISOString());
  });

  test("keeps the picture by its bytes, whatever it is called", async () => {
    const lying = new File([IMAGES.gif], "report.pdf", { type: "application/pdf" });
    const { id, body } = await newPost({ image: lying });
    expect(body.attachments).toEqual([
      { type: "img", mimetype: "image/gif", file_size: IMAGES.gif.length },
    ]);
    expect(await imageRows(id)).toBe(1);
  });

  test("takes fields that a browser sends empty as absent", async () => {
    const image = new File([], "");
    const { body } = await newPost({ connected_account_id: "", scheduled_at: "", image });
    expect(body).toMatchObject({ status: "publishing", attachments: [] });
  });

  test("has 3,000 characters and not one more, each counted once", async () => {
    const tenant = await api.tenant();
    await connect(tenant);
    expect((await create(tenant, { text: "🙂".repeat(3000) })).status).toBe(201);
    for (const text of [
      "🙂".repeat(3001),
      "a".repeat(3001),
      "é".repeat(200_000),
      "",
      "  ",
      "a\u0000b",
    ]) {
      const reply = await create(tenant, { text });
      expect([reply.status, problems(reply)]).toEqual([422, ["body.text"]]);
    }
  });
});

describe("a form that is refused", () => {
  let tenant: Tenant;
  const refused = async (fields: Record<string, string | Blob>, more: object = {}) => {
    tenant ??= await api.tenant();
    const reply = await create(tenant, { text: "a", ...fields });
    return { ...reply, ...more };
  };

  test.each([
    ["an image that is none", { image: new Blob(["<svg/>"], { type: "image/png" }) }, "body.image"],
    ["an image that breaks off", { image: new Blob([IMAGES.png.subarray(0, 200)]) }, "body.image"],
    ["an empty file", { image: new File([], "a.png") }, "body.image"],
    ["a text in the place of the image", { image: "hello" }, "body.image"],
    ["an account that is no id", { connected_account_id: "mine" }, "body.connected_account_id"],
    ["a time without an offset", { scheduled_at: "2026-12-31T10:00:00" }, "body.scheduled_at"],
    ["a time that is none", { scheduled_at: "tomorrow" }, "body.scheduled_at"],
  ])("%s: 422, naming it", async (_what, fields, place) => {
    const reply = await refused(fields);
    expect([reply.status, problems(reply)]).toEqual([422, [place]]);
  });

  test("more than a year ahead: 422", async () => {
    expect((await refused({ scheduled_at: inFuture(367 * 24 * HOUR_MS) })).status).toBe(422);
  });

  test("a field that is there twice: 422", async () => {
    const form = formOf({ text: "a" });
    form.append("text", "b");
    const reply = await tenant.call("POST", POSTS, form);
    expect([reply.status, reply.body.detail]).toEqual([422, "VALIDATION_ERROR"]);
  });

  test("text that is not UTF-8: 400; no form at all: 400", async () => {
    const send = (body: Uint8Array) =>
      tenant.call("POST", POSTS, body, { "content-type": "multipart/form-data; boundary=b" });
    const part = (bytes: number[]) =>
      Uint8Array.from([
        ...Buffer.from('--b\r\nContent-Disposition: form-data; name="text"\r\n\r\n'),
        ...bytes,
        ...Buffer.from("\r\n--b--\r\n"),
      ]);
    expect((await send(part([0xff]))).status).toBe(400);
    expect((await send(Buffer.from("nothing of the kind"))).status).toBe(400);
    expect((await send(part([65]))).status).toBe(409);
  });

  test("any value in any field is answered below 500", async () => {
    const author = await api.tenant();
    await connect(author);
    const statuses = new Set<number>();
    for (const name of ["text", "connected_account_id", "scheduled_at", "image"])
      for (const value of HOSTILE) {
        const said = typeof value === "string" ? value : JSON.stringify(value);
        statuses.add((await create(author, { text: "a", [name]: said })).status);
      }
    expect([...statuses].toSorted()).toEqual([201, 422]);
  });

  test("JSON: 415", async () => {
    expect((await tenant.call("POST", POSTS, { text: "a" })).status).toBe(415);
  });

  test("an image over 8 MiB: 413, and it is not read to its end", async () => {
    expect((await refused({ image: new Blob([largePng(8 * MIB + 1)]) })).status).toBe(413);
    const head = '--b\r\nContent-Disposition: form-data; name="image"; filename="a"\r\n\r\n';
    let sent = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.enqueue(sent === 0 ? Buffer.from(head) : new Uint8Array(MIB));
        sent++;
      },
    });
    const response = await api.request(POSTS, {
      method: "POST",
      headers: {
        authorization: `Bearer ${tenant.key}`,
        "content-type": "multipart/form-data; boundary=b",
      },
      body: endless,
      duplex: "half",
    } as RequestInit);
    expect([response.status, sent < 15]).toEqual([413, true]);
  });
});

describe("whose account it is", () => {
  test("none: 409; another's or nobody's: 404; one that is not connected: 409; and nothing is kept", async () => {
    const [tenant, other] = [await api.tenant(), await api.tenant()];
    const post = async (fields = {}) => {
      const { status, body } = await create(tenant, { text: "a", ...fields });
      return [status, body.detail];
    };
    expect(await post()).toEqual([409, "NO_CONNECTED_ACCOUNT"]);
    const theirs = await connect(other);
    for (const id of [theirs.id, randomUUID()])
      expect((await post({ connected_account_id: id }))[0]).toBe(404);
    const mine = await connect(tenant);
    await api.sql.query("update connected_accounts set status = 'error' where id = $1", [mine.id]);
    for (const when of [{}, { scheduled_at: inFuture(HOUR_MS) }])
      expect(await post({ connected_account_id: mine.id, ...when })).toEqual([
        409,
        "ACCOUNT_NOT_CONNECTED",
      ]);
    expect((await tenant.call("GET", POSTS)).body.items).toEqual([]);
  });
});

describe("the list", () => {
  async function listed(tenant: Tenant, query = "") {
    const { status, body } = await tenant.call("GET", `${POSTS}?${query}`);
    return { status, body, texts: body.items?.map((each: { text: string }) => each.text) };
  }

  test("goes on where it was, newest first, whatever is written or deleted between", async () => {
    const tenant = await api.tenant();
    await connect(tenant);
    const ids: string[] = [];
    for (const text of ["1", "2", "3", "4", "5"])
      ids.push((await create(tenant, { text })).body.id);
    const first = await listed(tenant, "limit=2");
    expect([first.texts, first.body.total_count]).toEqual([["5", "4"], 5]);
    await create(tenant, { text: "6" });
    await tenant.call("DELETE", `${POSTS}${ids[3]}`);
    const second = await listed(tenant, `limit=2&after=${first.body.next_after}`);
    expect([second.texts, second.body.total_count]).toEqual([["3", "2"], 5]);
    const third = await listed(tenant, `limit=2&after=${second.body.next_after}`);
    expect([third.texts, third.body.next_after]).toEqual([["1"], null]);
  });

  test("is in pages like every list in version 2", async () => {
    const tenant = await api.tenant();
    await connect(tenant);
    for (const text of ["1", "2", "3"]) await create(tenant, { text });
    const at = POSTS.replace("/v1/", "/v2/");
    const first = (await tenant.call("GET", `${at}?limit=2`)).body;
    expect(first).toMatchObject({ has_more: true, total_count: 3, accounts: [{}] });
    expect(Object.keys(first)).not.toContain("next_after");
    const last = (await tenant.call("GET", `${at}?limit=2&cursor=${first.next_cursor}`)).body;
    expect([...first.items, ...last.items].map(({ text }) => text)).toEqual(["3", "2", "1"]);
    expect([last.next_cursor, last.has_more]).toEqual([null, false]);
    const forged = await tenant.call("GET", `${at}?cursor=x`);
    expect([forged.status, forged.body.errors[0].parameter]).toEqual([422, "cursor"]);
  });

  test("has the accounts that there are, and of one of them alone what is asked for", async () => {
    const tenant = await api.tenant();
    const accounts = [await connect(tenant), await connect(tenant)];
    await create(tenant, { text: "of the first" });
    await create(tenant, { text: "of the second", connected_account_id: accounts[1]!.id });
    await api.sql.query("update connected_accounts set rate_limited_until = $2 where id = $1", [
      accounts[1]!.id,
      inFuture(HOUR_MS),
    ]);
    const second = await listed(tenant, `connected_account_id=${accounts[1]!.id}`);
    expect([second.texts, second.body.total_count]).toEqual([["of the second"], 1]);
    expect(second.body.accounts).toEqual([
      expect.objectContaining({ id: accounts[0]!.id, status: "connected", is_default: true }),
      expect.objectContaining({ id: accounts[1]!.id, status: "rate_limited", is_default: false }),
    ]);
    expect((await listed(tenant, `connected_account_id=${randomUUID()}`)).status).toBe(404);
    await api.sql.query("delete from connected_accounts where id = $1", [accounts[1]!.id]);
    expect((await listed(tenant, `connected_account_id=${accounts[1]!.id}`)).texts).toHaveLength(1);
  });

  test("takes no cursor of another list, of another workspace or of nobody: 422", async () => {
    const [tenant, other] = [await api.tenant(), await api.tenant()];
    const accounts = [await connect(tenant), await connect(tenant)];
    for (const text of ["1", "2"]) await create(tenant, { text });
    const { next_after: cursor } = (await listed(tenant, "limit=1")).body;
    const turned = [...(cursor as string)].toReversed().join("");
    const asked = [
      [tenant, cursor, 200],
      [tenant, turned, 422],
      [tenant, `${cursor}&connected_account_id=${accounts[0]!.id}`, 422],
      [other, cursor, 422],
      [tenant, "", 422],
      [tenant, "a".repeat(201), 422],
    ] as const;
    const statuses: number[] = [];
    for (const [who, after] of asked)
      statuses.push((await listed(who, `limit=1&after=${after}`)).status);
    expect(statuses).toEqual(asked.map(([, , status]) => status));
  });
});

describe("deleting", () => {
  test("a scheduled post: it is gone, with its words and its picture", async () => {
    const image = new Blob([IMAGES.png]);
    const { tenant, id } = await newPost({ scheduled_at: inFuture(HOUR_MS), image });
    const at = `${POSTS}${id}`;
    expect((await tenant.call("DELETE", at)).body).toEqual({ success: true });
    expect((await tenant.call("DELETE", at)).status).toBe(404);
    expect((await tenant.call("GET", at)).status).toBe(404);
    const { rows } = await api.sql.query(
      "select status, text, due_at from social_posts where id = $1",
      [id],
    );
    expect([rows, await imageRows(id)]).toEqual([
      [{ status: "deleted", text: null, due_at: null }],
      0,
    ]);
  });

  test("one that is being handed over: 409, for the network may have it", async () => {
    const { tenant, id } = await newPost();
    await api.sql.query("update social_posts set begun_at = $2 where id = $1", [id, new Date()]);
    const { status, body } = await tenant.call("DELETE", `${POSTS}${id}`);
    expect([status, body.detail]).toEqual([409, "INVALID_STATE_TRANSITION"]);
  });
});
