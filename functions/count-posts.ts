import * as z from "zod";
import { countPosts as count } from "#src/domain/network/posts/count.ts";
import { COUNT_POSTS } from "#src/domain/network/posts/queue.ts";
import { callback } from "#src/http/callback.ts";

export const countPosts = callback({
  name: COUNT_POSTS,
  payload: z.object({ version: z.literal(1) }),
  run: (deps) => count(deps),
});
