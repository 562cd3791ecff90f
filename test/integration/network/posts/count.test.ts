import { beforeEach, describe, expect, test } from "vitest";
import { countPosts } from "#src/domain/network/posts/count.ts";
import { COUNT_POSTS } from "#src/domain/network/posts/queue.ts";
import { fullCheck } from "#src/domain/jobs/maintenance.ts";
import { POSTS } from "../../../support/posts.ts";
import { letTimeStandStill } from "../../../support/still-time.ts";
import { api, asked, atNetwork, create, network, newPost, publish, usePosts } from "./setting.ts";

usePosts();
beforeEach(() => api.sql.query("delete from social_posts"));

const HOUR = 3_600;
const DAY = 24 * HOUR;
const count = () => countPosts(api.deps);
const published = async (fields = {}) => {
  const post = await newPost(fields);
  await publish(post.id);
  return post;
};
const countersOf = ({ impressions, reactions, comments, reposts }: Record<string, number>) => ({
  impressions,
  reactions,
  comments,
  reposts,
});
/** Reads of posts that the network was asked for since the log was cleared. */
const reads = () =>
  network.log.entries().filter(({ summary }) => /GET .*\/posts/.test(summary)).length;

describe("a published post", () => {
  test("is counted when its hour has come, and its counters grow", async () => {
    const { read, body } = await published();
    const before = await read();
    expect(await count()).toEqual({ counted: 0 });
    // The network's counters grow while they are looked at.
    letTimeStandStill();
    api.advance(HOUR);
    expect(await count()).toEqual({ counted: 1 });
    const after = await read();
    expect(after.impressions).toBeGreaterThan(before.impressions);
    expect(after.metrics_updated_at > before.metrics_updated_at).toBe(true);
    expect(after.published_at).toBe(before.published_at);
    const there = atNetwork(body.text)[0]!;
    expect(countersOf(after)).toEqual({
      impressions: there.impressions_counter,
      reactions: there.reaction_counter,
      comments: there.comment_counter,
      reposts: there.repost_counter,
    });
    api.advance(20 * DAY);
    await count();
    expect((await read()).reactions).toBeGreaterThan(after.reactions);
  });

  test("keeps a counter that an answer leaves out", async () => {
    const { read } = await published();
    api.advance(5 * HOUR);
    await count();
    const before = await read();
    network.faults.order("counter_missing", 1);
    api.advance(5 * DAY);
    await count();
    const after = await read();
    expect(after.impressions).toBe(before.impressions);
    expect(before.impressions).toBeGreaterThan(0);
    expect(after.reactions).toBeGreaterThan(before.reactions);
  });

  test("is not counted any more once it is a month old", async () => {
    const { id } = await published();
    api.advance(30 * DAY);
    await count();
    const { rows } = await api.sql.query("select due_at from social_posts where id = $1", [id]);
    expect(rows).toEqual([{ due_at: null }]);
  });

  test("that the network does not show any more says so, and is left alone", async () => {
    const { read, body } = await published();
    api.advance(2 * HOUR);
    await count();
    const { impressions } = await read();
    network.control.removePost(atNetwork(body.text)[0]!.id);
    api.advance(HOUR);
    await count();
    expect(await read()).toMatchObject({
      status: "published",
      impressions,
      last_error: expect.stringContaining("not counted"),
    });
    network.log.clear();
    api.advance(HOUR);
    await count();
    expect(reads()).toBe(0);
  });

  test("whose id was never told is found, and its counters with it", async () => {
    const { id, body, read } = await newPost();
    network.faults.order("post_id_missing", 1);
    await publish(id);
    await api.sql.query(
      "update social_posts set provider_post_id = null, social_id = null where id = $1",
      [id],
    );
    api.advance(HOUR);
    await count();
    expect(await read()).toMatchObject({ unipile_post_id: atNetwork(body.text)[0]!.id });
  });

  test("that was deleted from our records is not asked for", async () => {
    const { id, tenant } = await published();
    await tenant.call("DELETE", `${POSTS}${id}`);
    network.log.clear();
    api.advance(HOUR);
    expect(await count()).toEqual({ counted: 0 });
    expect(reads()).toBe(0);
  });
});

describe("counting", () => {
  test("of one account goes no further after it was refused, and comes again an hour later", async () => {
    const { tenant } = await published();
    for (const text of ["a", "b", "c"]) await publish((await create(tenant, { text })).body.id);
    api.advance(HOUR);
    network.log.clear();
    network.faults.order("rate_limited", 10);
    expect(await count()).toEqual({ counted: 4 });
    expect(reads()).toBe(1);
    network.faults.clear();
    expect(await count()).toEqual({ counted: 0 });
    api.advance(HOUR);
    network.log.clear();
    expect(await count()).toEqual({ counted: 4 });
    expect(reads()).toBe(4);
  });

  test("at once by many reads each post once", async () => {
    const { tenant } = await published();
    for (const text of ["a", "b", "c"]) await publish((await create(tenant, { text })).body.id);
    api.advance(HOUR);
    network.log.clear();
    const runs = await Promise.all(Array.from({ length: 5 }, count));
    expect(runs.reduce((sum, { counted }) => sum + counted, 0)).toBe(4);
    expect(reads()).toBe(4);
  });

  test("goes on in a further call where one is not enough", async () => {
    const { tenant, id } = await published();
    await api.sql.query(
      `insert into social_posts select gen_random_uuid(), workspace_id, user_id, created_at, updated_at, connected_account_id,
         status, text, provider_post_id, social_id, share_url, attachments, is_repost, author_name, author_id, published_at,
         scheduled_at, retry_count, last_error, impressions, reactions, comments, reposts, metrics_updated_at, due_at, begun_at,
         lease_until, worker_token from social_posts, generate_series(1, 120) where id = $1`,
      [id],
    );
    api.advance(HOUR);
    expect(await count()).toEqual({ counted: 100 });
    expect(asked.at(-1)).toMatchObject({ callback: COUNT_POSTS });
    expect(asked.at(-1)!.notBefore!.getTime()).toBeLessThanOrEqual(Date.now());
    expect(await count()).toEqual({ counted: 21 });
    expect((await tenant.call("GET", POSTS)).body.total_count).toBe(121);
  });

  test("asks for the next by itself, once for all that falls due together", async () => {
    const calls = () => asked.filter(({ callback }) => callback === COUNT_POSTS);
    const before = calls().length;
    const { tenant } = await published();
    await publish((await create(tenant, { text: "a" })).body.id);
    const ids = calls()
      .slice(before)
      .map(({ deduplicationId }) => deduplicationId);
    expect([ids.length, new Set(ids).size]).toEqual([2, 1]);
    api.advance(HOUR + 300);
    await count();
    const wait = calls().at(-1)!.notBefore!.getTime() - Date.now();
    // The next whole hour of its life, and the five minutes in which it is counted with others.
    expect(wait / 60_000).toBeGreaterThan(54);
    expect(wait / 60_000).toBeLessThanOrEqual(60);
  });

  test("is asked for by the full check where its message was lost, and else not", async () => {
    const calls = () => asked.filter(({ callback }) => callback === COUNT_POSTS).length;
    await published();
    api.advance(HOUR);
    const before = calls();
    await fullCheck(api.deps);
    expect(calls()).toBe(before);
    api.advance(11 * 60);
    await fullCheck(api.deps);
    expect(calls()).toBe(before + 1);
  });
});
