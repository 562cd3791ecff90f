import * as z from "zod";
import type { NetworkPosts, PostImage, PublishedPost } from "../index.ts";
import { orAccountGone, whenMissing } from "./missing.ts";
import { askPage, type Unipile } from "./pages.ts";
import {
  count,
  id,
  instant,
  optionalId,
  optionalName,
  optionalUrl,
  text,
  webAddress,
  yes,
} from "./values.ts";

const PAGE = 20;

const size = z.object({ width: z.number(), height: z.number() });
const attachment = z.object({
  id,
  type: text.optional().catch(undefined),
  url: webAddress.optional().catch(undefined),
  mimetype: text.optional().catch(undefined),
  file_name: text.optional().catch(undefined),
  file_size: z.number().optional().catch(undefined),
  size: size.optional().catch(undefined),
  unavailable: z.boolean().optional().catch(undefined),
});

const post = z
  .object({
    id,
    social_id: optionalId,
    share_url: optionalUrl,
    text: text.catch(""),
    parsed_datetime: instant,
    is_repost: yes.optional(),
    author: z
      .object({ id: optionalId, public_identifier: optionalId, name: optionalName })
      .catch({ id: null, public_identifier: null, name: null }),
    attachments: z.array(attachment.nullable().catch(null)).catch([]),
    impressions_counter: count,
    reaction_counter: count,
    comment_counter: count,
    repost_counter: count,
  })
  .transform((each): PublishedPost => ({
    id: each.id,
    socialId: each.social_id,
    shareUrl: each.share_url,
    text: each.text,
    publishedAt: each.parsed_datetime,
    isRepost: each.is_repost === true,
    author: { id: each.author.id ?? each.author.public_identifier, name: each.author.name },
    attachments: each.attachments.filter((one) => one !== null),
    impressions: each.impressions_counter,
    reactions: each.reaction_counter,
    comments: each.comment_counter,
    reposts: each.repost_counter,
  }));

const published = z
  .object({ object: z.literal("PostCreated"), post_id: optionalId })
  .transform(({ post_id }) => ({ postId: post_id }));

export function createPosts(unipile: Unipile): NetworkPosts {
  const { ask } = unipile;
  return {
    async publish(accountId, words, image) {
      const body = formOf(accountId, words, image);
      const path = ["posts"];
      return orAccountGone(
        await ask({ purpose: "act", method: "POST", path, body, shape: published }),
      );
    },

    list: async (accountId, personId, cursor) =>
      orAccountGone(
        await askPage(unipile, {
          path: ["users", personId, "posts"],
          of: accountId,
          query: { account_id: accountId },
          limit: PAGE,
          cursor,
          item: post,
        }),
      ),

    async get(accountId, postId) {
      const answer = await ask({
        purpose: "read",
        method: "GET",
        path: ["posts", postId],
        query: { account_id: accountId },
        shape: post.nullable(),
      });
      return whenMissing(ask, accountId, answer, () => ({ ok: true, value: null }));
    },
  };
}

function formOf(accountId: string, words: string, image: PostImage | null): FormData {
  const form = new FormData();
  form.set("account_id", accountId);
  form.set("text", words);
  if (image !== null)
    form.set("attachments", new Blob([image.bytes], { type: image.contentType }), image.filename);
  return form;
}
