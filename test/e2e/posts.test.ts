import { beforeAll, expect, test } from "vitest";
import { IMAGES, largePng } from "../support/images.ts";
import { aimAtMissed, type KillPoints, targetsAmong } from "../support/kill-points.ts";
import { patience } from "../support/patience.ts";
import { CONNECT, formOf, newLogin, POSTS } from "../support/posts.ts";
import { eventually } from "../support/service.ts";
import { killableService, type SharedService } from "../support/shared-service.ts";

let service: SharedService;
let points: KillPoints;

beforeAll(async () => {
  ({ service, points } = await killableService(["database", "queue", "network"]));
  await service.api("POST", CONNECT, newLogin());
});

interface Post {
  id: string;
  status: string;
  text: string;
  retry_count: number;
  last_error: string | null;
  unipile_post_id: string;
  impressions: number;
  attachments: object[];
}

const create = async (text: string, image: Uint8Array<ArrayBuffer> = IMAGES.png) =>
  (await service.api("POST", POSTS, formOf({ text, image: new Blob([image]) }))) as Post;
const read = async (id: string) => (await service.api("GET", `${POSTS}${id}`)) as Post;
const atNetwork = (text: string) =>
  service.stack.network.posts().filter((each) => each.text === text);

test("a post on the running stack: published with its picture, and counted", async () => {
  const image = largePng(8 * 1024 * 1024);
  const { id, status } = await create("Hello from the stack", image);
  expect(status).toBe("publishing");
  await eventually("it is published", async () => (await read(id)).status === "published");
  const [there] = atNetwork("Hello from the stack");
  expect(there).toMatchObject({ image: { type: "image/png", bytes: image.length } });
  await service.advance(6 * 3_600);
  await eventually("it is counted", async () => (await read(id)).impressions > 0);
  const { items } = (await service.api("GET", POSTS)) as { items: Post[] };
  expect(items).toEqual([expect.objectContaining({ id, unipile_post_id: there!.id })]);
});

/** One post, with the Worker killed at that point; the points that were passed, up to the one that killed. */
async function onePost(
  text: string,
  target: number,
  isMeant?: (name: string) => boolean,
): Promise<{ id: string; passed: string[] }> {
  service.stack.qstash.pause();
  const { id } = await create(text);
  points.arm(target, isMeant);
  service.stack.qstash.resume();
  const isOver = async () =>
    points.struck() || (await service.sql.query(LEARNT, [id])).rowCount === 1;
  await eventually("all of the post is known, or the Worker dead", isOver);
  await service.stack.qstash.idle();
  const passed = points.passed();
  await service.untilUp();
  points.arm(0);
  return { id, passed };
}
/** The last that its callback writes. */
const LEARNT = "select 1 from social_posts where id = $1 and metrics_updated_at is not null";

test(
  "the Worker killed at each point of publishing: one post at the network, and ours says so",
  async () => {
    const wholes = [await onePost("Nobody is killed", 0), await onePost("Nobody again", 0)];
    const posts = wholes.map(({ id }) => id);
    // The shorter one: a tick that runs along passes points of its own.
    const count = Math.min(...wholes.map(({ passed }) => passed.length));
    const killedAt: string[] = [];
    const strike = async (target: number, isMeant?: (name: string) => boolean) => {
      const { id, passed } = await onePost(`Killed at ${posts.length}`, target, isMeant);
      if (passed.length === target) killedAt.push(passed.at(-1)!);
      posts.push(id);
    };
    for (const target of targetsAmong(count, 2)) await strike(target);
    const missed = await aimAtMissed(["database", "network"], killedAt, strike);
    console.log(`${count} points of a post, killed at ${killedAt.length}`);
    expect(missed, "never killed at").toEqual([]);
    // Claims run out, the network settles, and what it does not have is said again.
    for (let wait = 0; wait < 12; wait++) await service.advance(600);
    const ends = await Promise.all(posts.map(read));
    expect(ends.map(({ text, status, last_error }) => [text, status, last_error])).toEqual(
      ends.map(({ text }) => [text, "published", null]),
    );
    expect(ends.map(({ text }) => [text, atNetwork(text).length])).toEqual(
      ends.map(({ text }) => [text, 1]),
    );
    expect(ends.map(({ unipile_post_id: id }) => id)).toEqual(
      ends.map(({ text }) => atNetwork(text)[0]!.id),
    );
    const { rowCount } = await service.sql.query("select 1 from social_post_images");
    expect(rowCount).toBe(0);
  },
  patience(240_000),
);
