import * as z from "zod";
import { changePost, createPost } from "#src/domain/network/posts/create.ts";
import { readCursor, writeCursor } from "#src/domain/network/posts/cursor.ts";
import { findPosts, removePost, requirePost } from "#src/domain/network/posts/read.ts";
import { requireContentType } from "#src/http/body.ts";
import { writeValidation } from "#src/http/errors.ts";
import { Deleted, done, uuid, wholeNumberOr } from "#src/http/fields.ts";
import { readFormFields } from "#src/http/form-fields.ts";
import { invalidBody } from "#src/http/json-body.ts";
import { type Mount, operation } from "#src/http/operation.ts";
import { versionOf } from "#src/http/version.ts";
import {
  FORM_LIMIT,
  FORM_SCHEMA,
  IMAGE_LIMIT,
  Post,
  PostChange,
  PostForm,
  PostList,
  TEXT_FIELDS,
  toAccount,
  toPost,
} from "./social-post-fields.ts";

const tag = "Social posts";
const PATH = "/api/v1/socialnet/posts/";
const ONE = "/api/v1/socialnet/posts/{post_id}";
const params = z.object({ post_id: uuid });
const FORM = {
  limitBytes: FORM_LIMIT,
  texts: TEXT_FIELDS,
  file: { name: "image", limitBytes: IMAGE_LIMIT },
};

export const socialPostRoutes: Mount[] = [
  operation({
    method: "post",
    path: PATH,
    id: "createSocialPost",
    scope: "posts:write",
    tag,
    summary: "Publish a post from a connected account, now or later",
    description:
      "Never published inline: `publishing` (queued) or `scheduled`. Limits of the network make it wait, an account that " +
      "is not connected for up to a day; other failures are tried three times more. `last_error` says in words what is in the way.",
    envelope: "legacy",
    rawBody: { "multipart/form-data": { schema: FORM_SCHEMA } },
    status: 201,
    response: Post,
    errors: [404, 409],
    handler: async ({ deps, principal, c }) => {
      requireContentType(c.req.header("content-type"), ["multipart/form-data"]);
      const form = PostForm.safeParse(await readFormFields(c, FORM));
      if (!form.success) return invalidBody(c, form.error);
      const { text, connected_account_id: accountId, scheduled_at: at, image } = form.data;
      const post = await createPost(deps, principal, {
        text,
        accountId,
        scheduledAt: at ?? null,
        image: image ?? null,
      });
      return toPost(post);
    },
  }),
  operation({
    method: "get",
    path: PATH,
    id: "listSocialPosts",
    scope: "network:read",
    tag,
    summary: "List posts, newest first, and the accounts that can publish",
    description:
      "Deleted posts are left out. Counters are read again hourly for 7 days, then daily to day 30.",
    envelope: "legacy",
    query: z.object({
      connected_account_id: uuid.optional(),
      after: z.string().max(200).optional().openapi({
        description: "`next_after` of the page before, with the same `connected_account_id`.",
      }),
      limit: wholeNumberOr(20, 1, 100),
    }),
    list: { after: "after", next: "next_after" },
    response: PostList,
    errors: [404],
    handler: async ({ deps, principal, query: { connected_account_id, after, limit }, c }) => {
      const scope = { workspaceId: principal.workspaceId, accountId: connected_account_id };
      const place = after === undefined ? undefined : await readCursor(scope, after);
      if (place === null)
        return writeValidation(c, [
          {
            loc: ["query", versionOf(c) === 2 ? "cursor" : "after"],
            msg: "Not a cursor that this list gave out.",
            type: "custom",
          },
        ]);
      const page = { after: place, limit };
      const { posts, total, accounts } = await findPosts(deps, principal, scope.accountId, page);
      const last = posts.length > limit ? posts[limit - 1] : undefined;
      return {
        items: posts.slice(0, limit).map(toPost),
        accounts: accounts.map((each) => toAccount(each, deps.clock.now())),
        next_after: last === undefined ? null : await writeCursor(scope, last),
        total_count: total,
      };
    },
  }),
  operation({
    method: "get",
    path: ONE,
    id: "getSocialPost",
    scope: "network:read",
    tag,
    summary: "Get a post with its counters",
    params,
    response: Post,
    handler: async ({ deps, principal, params: { post_id } }) =>
      toPost(await requirePost(deps, principal, post_id)),
  }),
  operation({
    method: "patch",
    path: ONE,
    id: "changeSocialPost",
    scope: "posts:write",
    tag,
    summary: "Change text or time of a post that is still scheduled",
    description: "A past time publishes it at once. Any other post is 409.",
    claims: "effect",
    params,
    body: PostChange,
    response: Post,
    errors: [409],
    handler: async ({ deps, principal, params: { post_id }, body }) => {
      const change = { text: body.text, scheduledAt: body.scheduled_at };
      return toPost(await changePost(deps, principal, post_id, change));
    },
  }),
  operation({
    method: "delete",
    path: ONE,
    id: "deleteSocialPost",
    scope: "posts:write",
    tag,
    summary: "Delete a post from our records",
    description:
      "One that is scheduled or still waits is then never published. One that is being handed over is 409: it may appear at " +
      "the network. Of a published one our record goes; the network's own copy stays, because the provider's API (version 1) " +
      "deletes no posts: delete it there.",
    claims: "effect",
    params,
    response: Deleted,
    errors: [409],
    handler: ({ deps, principal, params: { post_id } }) =>
      done(removePost(deps, principal, post_id)),
  }),
];
