import * as z from "zod";
import { publishPost as publish } from "#src/domain/network/posts/publish.ts";
import { PUBLISH_POST } from "#src/domain/network/posts/queue.ts";
import { callback } from "#src/http/callback.ts";

export const publishPost = callback({
  name: PUBLISH_POST,
  payload: z.object({ post_id: z.uuid(), version: z.literal(1) }),
  run: (deps, { post_id }) => publish(deps, post_id),
});
