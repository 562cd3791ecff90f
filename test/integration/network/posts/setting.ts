import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll } from "vitest";
import { publishPost, type PublishRun } from "#src/domain/network/posts/publish.ts";
import type { QueueMessage } from "#src/providers/queue/index.ts";
import { type NetworkPart, startNetwork } from "../../../../scripts/stack/network/network.ts";
import { type Reply, startApi, type Tenant, type TestApi } from "../../../support/api.ts";
import { connectTenant, type FormFields, formOf, POSTS } from "../../../support/posts.ts";

const API_KEY = "network-key-of-the-tests";

export let api: TestApi;
export let network: NetworkPart;
/** What the queue was asked for. */
export const asked: QueueMessage[] = [];

/** The API over a network of its own, for a file of tests. */
export function usePosts(): void {
  beforeAll(async () => {
    network = await startNetwork({ apiKey: API_KEY });
    api = await startApi({ UNIPILE_API_URL: network.url, UNIPILE_API_KEY: API_KEY });
    const { publish: ask } = api.deps.queue;
    api.deps.queue.publish = (message) => {
      asked.push(message);
      return ask(message);
    };
  });
  afterAll(() => Promise.all([api.close(), network.close()]));
  afterEach(() => {
    network.faults.clear();
    network.log.clear();
  });
}

export const connect = connectTenant;

export const create = (tenant: Tenant, fields: FormFields): Promise<Reply> =>
  tenant.call("POST", POSTS, formOf(fields));

/** A post of a tenant with an account of its own, as it was answered. */
export async function newPost(fields: FormFields = {}) {
  const tenant = await api.tenant();
  const account = await connect(tenant);
  const { status, text, body } = await create(tenant, { text: `Hello ${randomUUID()}`, ...fields });
  if (status !== 201) throw new Error(text);
  const read = async () => (await tenant.call("GET", `${POSTS}${body.id}`)).body;
  return { tenant, account, id: body.id as string, body, read };
}

export const publish = (id: string): Promise<PublishRun> => publishPost(api.deps, id);

/** Lets so many seconds pass and the queue call; ends when it has nothing more to do, or after so many calls. */
export async function publishUntilDone(
  id: string,
  seconds = 60,
  calls = 30,
): Promise<PublishRun[]> {
  const runs: PublishRun[] = [];
  while (runs.length < calls) {
    runs.push(await publish(id));
    if (["published", "failed", "over"].includes(runs.at(-1)!)) break;
    api.advance(seconds);
  }
  return runs;
}

/** What the network has with these words. */
export const atNetwork = (text: string) => network.posts().filter((each) => each.text === text);

export async function imageRows(id: string): Promise<number> {
  const { rows } = await api.sql.query("select 1 from social_post_images where post_id = $1", [id]);
  return rows.length;
}
