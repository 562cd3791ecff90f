import { describe, expect, test } from "vitest";
import { publishingPost, publishPost } from "#src/domain/network/posts/publish.ts";
import { IMAGES, largePng } from "../../../support/images.ts";
import { POSTS } from "../../../support/posts.ts";
import {
  api,
  asked,
  atNetwork,
  create,
  imageRows,
  network,
  newPost,
  publish,
  publishUntilDone,
  usePosts,
} from "./setting.ts";

usePosts();

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

describe("a post", () => {
  test("is published with its picture, and what the network knows of it is shown", async () => {
    const { id, body, read } = await newPost({ image: new Blob([IMAGES.jpeg]) });
    expect(await publish(id)).toBe("published");
    const [there] = atNetwork(body.text);
    expect(there).toMatchObject({ image: { type: "image/jpeg", bytes: IMAGES.jpeg.length } });
    expect(await read()).toMatchObject({
      status: "published",
      unipile_post_id: there!.id,
      social_id: `urn:li:activity:${there!.id}`,
      share_url: expect.stringContaining(there!.id),
      author_name: expect.any(String),
      author_id: expect.any(String),
      published_at: expect.any(String),
      attachments: [expect.objectContaining({ type: "img", mimetype: "image/jpeg" })],
      last_error: null,
      retry_count: 0,
    });
    expect(await imageRows(id)).toBe(0);
    expect(await publish(id)).toBe("over");
    expect(atNetwork(body.text)).toHaveLength(1);
  });

  test("of 8 MiB arrives as it was sent", async () => {
    const image = largePng(8 * 1024 * 1024);
    const { id, body } = await newPost({ image: new Blob([image]) });
    expect(await publish(id)).toBe("published");
    expect(atNetwork(body.text)[0]).toMatchObject({ image: { bytes: image.length } });
  });

  test("whose callback comes twenty times at once is published once", async () => {
    const { id, body } = await newPost();
    const runs = await Promise.all(Array.from({ length: 20 }, () => publish(id)));
    expect(runs.filter((run) => run === "published")).toHaveLength(1);
    expect(atNetwork(body.text)).toHaveLength(1);
  });

  test("that is scheduled waits for its time, and is asked for again on the way", async () => {
    const scheduled_at = new Date(Date.now() + 20 * DAY * 1000).toISOString();
    const { id, body, read } = await newPost({ scheduled_at });
    expect(await publish(id)).toBe("not_due");
    // The queue waits for a week at most.
    expect(hops(id).map((at) => Math.round((at - Date.now()) / 1000 / DAY))).toEqual([7, 7]);
    api.advance(20 * DAY - 60);
    expect(await publish(id)).toBe("not_due");
    expect(atNetwork(body.text)).toEqual([]);
    api.advance(60);
    expect(await publish(id)).toBe("published");
    expect(await read()).toMatchObject({ status: "published", scheduled_at });
  });

  test("that was deleted before is never published", async () => {
    const scheduled_at = new Date(Date.now() + HOUR * 1000).toISOString();
    const { id, tenant, body } = await newPost({ scheduled_at });
    await tenant.call("DELETE", `${POSTS}${id}`);
    api.advance(HOUR);
    expect(await publish(id)).toBe("over");
    expect(atNetwork(body.text)).toEqual([]);
  });

  test("that is deleted afterwards is gone from our records, and stays at the network", async () => {
    const { id, tenant, body } = await newPost();
    await publish(id);
    expect((await tenant.call("DELETE", `${POSTS}${id}`)).body).toEqual({ success: true });
    expect((await tenant.call("GET", `${POSTS}${id}`)).status).toBe(404);
    await api.settled();
    expect(atNetwork(body.text)).toHaveLength(1);
    const { rows } = await api.sql.query(
      "select status, text, attachments from social_posts where id = $1",
      [id],
    );
    expect(rows).toEqual([{ status: "deleted", text: null, attachments: [] }]);
  });

  test("that is deleted while it is published stays deleted, or is refused to be", async () => {
    for (let round = 0; round < 10; round++) {
      const { id, tenant, body } = await newPost();
      const [run, reply] = await Promise.all([publish(id), tenant.call("DELETE", `${POSTS}${id}`)]);
      const { rows } = await api.sql.query("select status from social_posts where id = $1", [id]);
      const seen = [reply.status, rows[0].status, atNetwork(body.text).length];
      // Before it began, while it was handed over, or after it was published.
      expect([
        [200, "deleted", 0],
        [409, "published", 1],
        [200, "deleted", 1],
      ]).toContainEqual(seen);
      if (seen[2] === 0) expect(["over", "overtaken"]).toContain(run);
    }
  });

  test("whose queue message was lost is found by the full check", async () => {
    const { id } = await newPost();
    const before = hops(id).length;
    await publishingPost.requeueLost(api.deps);
    expect(hops(id).length).toBe(before);
    api.advance(3 * MINUTE);
    await publishingPost.requeueLost(api.deps);
    expect(hops(id).length).toBe(before + 1);
  });
});

/** When the queue was asked to call for a post, so far. */
const hops = (id: string): number[] =>
  asked
    .filter(({ payload }) => JSON.stringify(payload).includes(id))
    .map(({ notBefore }) => notBefore!.getTime());

describe("an answer that was lost", () => {
  test("is looked up: one post, found", async () => {
    const { id, body, read } = await newPost({ image: new Blob([IMAGES.png]) });
    network.faults.order("lost_answer", 1);
    expect(await publish(id)).toBe("waits");
    expect(await read()).toMatchObject({ status: "publishing", retry_count: 0 });
    expect(await imageRows(id)).toBe(1);
    expect((await publishUntilDone(id)).at(-1)).toBe("published");
    expect(await read()).toMatchObject({
      status: "published",
      unipile_post_id: atNetwork(body.text)[0]!.id,
      last_error: null,
    });
    expect([atNetwork(body.text).length, await imageRows(id)]).toEqual([1, 0]);
  });

  test.each(["timeout", "provider_error", "lying", "nonsense"] as const)(
    "of one that was not done (%s): it is said again only when the network has settled",
    async (fault) => {
      const { id, body, read } = await newPost();
      network.faults.order(fault, 1);
      expect(await publish(id)).toBe("waits");
      const runs = await publishUntilDone(id);
      expect(runs.at(-1)).toBe("published");
      expect(runs.filter((run) => run === "waits").length).toBeGreaterThan(2);
      expect(atNetwork(body.text)).toHaveLength(1);
      expect(await read()).toMatchObject({ status: "published", retry_count: 1 });
    },
  );

  test("while the network cannot be asked: nothing is said again", async () => {
    const { id, body, read } = await newPost();
    network.faults.order("lost_answer", 1);
    await publish(id);
    network.faults.order("down", 10_000);
    api.advance(20 * MINUTE);
    expect(await publishUntilDone(id, 20 * MINUTE, 10)).not.toContain("published");
    expect(await read()).toMatchObject({ last_error: expect.stringContaining("not known") });
    network.faults.clear();
    expect((await publishUntilDone(id, 20 * MINUTE)).at(-1)).toBe("published");
    expect(atNetwork(body.text)).toHaveLength(1);
  });

  test("while the deployment has no network: it is looked up once it has one again, and not deleted meanwhile", async () => {
    const { id, tenant, body } = await newPost();
    network.faults.order("lost_answer", 1);
    expect(await publish(id)).toBe("waits");
    expect(atNetwork(body.text)).toHaveLength(1);
    api.advance(MINUTE);
    expect(await publishPost({ ...api.deps, network: null }, id)).toBe("waits");
    const refused = await tenant.call("DELETE", `${POSTS}${id}`);
    expect(refused.status).toBe(409);
    api.advance(HOUR);
    expect(await publish(id)).toBe("published");
    expect(atNetwork(body.text)).toHaveLength(1);
  });

  test("of two posts with the same words: each is published once", async () => {
    const { id, tenant, body } = await newPost();
    network.faults.order("lost_answer", 2);
    const other = (await create(tenant, { text: body.text })).body.id;
    for (let round = 0; round < 20; round++) {
      await Promise.all([publish(id), publish(other)]);
      // Until the fate of the one is known, the other does not begin.
      if (round === 0) expect(atNetwork(body.text)).toHaveLength(1);
      api.advance(2 * MINUTE);
    }
    const { items } = (await tenant.call("GET", POSTS)).body;
    const ids = items.map((each: { unipile_post_id: string }) => each.unipile_post_id);
    expect(new Set(ids)).toEqual(new Set(atNetwork(body.text).map((each) => each.id)));
    expect([ids.length, atNetwork(body.text).length]).toEqual([2, 2]);
  });

  test("of two posts that differ in their link alone: each is published once", async () => {
    const { id, tenant, body } = await newPost({ text: "Read this: https://one.zz/a" });
    network.faults.order("lost_answer", 2);
    const text = "Read  this: https://two.zz/b";
    const other = (await create(tenant, { text })).body.id;
    for (let round = 0; round < 20; round++) {
      await Promise.all([publish(id), publish(other)]);
      if (round === 0) expect(atNetwork(body.text).length + atNetwork(text).length).toBe(1);
      api.advance(2 * MINUTE);
    }
    expect([atNetwork(body.text).length, atNetwork(text).length]).toEqual([1, 1]);
  });

  test("of one that was not done is not found in an earlier post with the same words", async () => {
    const { id, tenant, body } = await newPost();
    await publish(id);
    const other = (await create(tenant, { text: body.text })).body.id;
    network.faults.order("timeout", 1);
    expect((await publishUntilDone(other)).at(-1)).toBe("published");
    expect(atNetwork(body.text)).toHaveLength(2);
  });

  test("without the post's id: it is published, and its id found in the list", async () => {
    const { id, body, read } = await newPost();
    network.faults.order("post_id_missing", 1);
    expect(await publish(id)).toBe("published");
    expect(await read()).toMatchObject({ unipile_post_id: atNetwork(body.text)[0]!.id });
  });
});

describe("what is in the way", () => {
  test("a provider that is down: three tries more, then failed, in words, and the picture goes", async () => {
    const { id, read } = await newPost({ image: new Blob([IMAGES.png]) });
    network.faults.order("unavailable", 100);
    expect(await publishUntilDone(id, 2 * HOUR)).toEqual(["waits", "waits", "waits", "failed"]);
    expect(await read()).toMatchObject({
      status: "failed",
      retry_count: 3,
      last_error: expect.stringMatching(/not available\.$/),
    });
    expect(await imageRows(id)).toBe(0);
    expect(await publish(id)).toBe("over");
  });

  test("a limit: it waits and counts no try", async () => {
    const { id, read } = await newPost();
    network.faults.order("rate_limited", 10);
    const runs = await publishUntilDone(id, 5 * MINUTE);
    expect(runs).toEqual([...Array.from({ length: 10 }, () => "waits"), "published"]);
    expect(await read()).toMatchObject({ status: "published", retry_count: 0 });
  });

  test("an account that is disconnected: it waits for a day, and goes out when it is back", async () => {
    const { id, account, read } = await newPost();
    await api.sql.query(
      "update connected_accounts set status = 'disconnected', status_since = $2 where id = $1",
      [account.id, new Date()],
    );
    expect(await publish(id)).toBe("waits");
    expect(await read()).toMatchObject({ last_error: expect.stringContaining("not connected") });
    api.advance(23 * HOUR);
    expect(await publish(id)).toBe("waits");
    await api.sql.query("update connected_accounts set status = 'connected' where id = $1", [
      account.id,
    ]);
    api.advance(15 * MINUTE);
    expect(await publish(id)).toBe("published");
  });

  test("a session that turns out to be gone: the account is to be looked at, and a day later it has failed", async () => {
    const { id, account, read } = await newPost();
    network.faults.order("session_lost", 1);
    expect(await publish(id)).toBe("waits");
    const { rows } = await api.sql.query(
      "select next_sync_at <= $2 as due from connected_accounts where id = $1",
      [account.id, new Date()],
    );
    expect(rows).toEqual([{ due: true }]);
    api.advance(DAY);
    expect(await publish(id)).toBe("failed");
    expect(await read()).toMatchObject({ status: "failed", last_error: expect.any(String) });
  });

  test("our own key: it waits, and says nothing of the key", async () => {
    const { id, read } = await newPost();
    network.faults.order("key_refused", 1);
    expect(await publish(id)).toBe("waits");
    expect((await read()).last_error).not.toMatch(/key/i);
    expect((await publishUntilDone(id, 15 * MINUTE)).at(-1)).toBe("published");
  });

  test("an account that is gone, or a deployment without a network", async () => {
    const gone = await newPost();
    await gone.tenant.call("DELETE", `/api/v1/connected-accounts/${gone.account.id}`);
    expect(await publish(gone.id)).toBe("failed");
    const { id } = await newPost();
    expect(await publishPost({ ...api.deps, network: null }, id)).toBe("waits");
  });
});
