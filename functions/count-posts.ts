import * as z from "zod";
import { countPosts as count } from "#src/domain/posts/count.ts";
import { COUNT_POSTS } from "#src/domain/posts/queue.ts";
import { callback } from "#src/http/callback.ts";

export const countPosts = callback({
  name: COUNT_POSTS,
  payload: z.object({ version: z.literal(1) }),
  run: (deps) => count(deps),
});
