import * as z from "zod";
import { SHOWN_STATES, shownStatus } from "#src/domain/senders/account-status.ts";
import { type AccountRow, POST_STATUSES, type PostRow } from "#src/domain/network/posts/read.ts";
import { readImage } from "#src/domain/network/posts/image/read-image.ts";
import { instant, instantWithOffset, ownedFields, text, uuid } from "#src/http/fields.ts";
import { MIB } from "#src/http/body.ts";

const MAX_TEXT = 3000;
export const FORM_LIMIT = 10 * MIB;
export const IMAGE_LIMIT = 8 * MIB;

/** No character takes more than two of a string's units. */
const postText = text(2 * MAX_TEXT).refine(
  (value) => [...value].length <= MAX_TEXT,
  `must have at most ${MAX_TEXT} characters`,
);

/** The fields of a form, once its parts are read. */
export const PostForm = z.object({
  text: postText,
  connected_account_id: uuid.optional(),
  scheduled_at: instantWithOffset.optional(),
  image: z
    .instanceof(Uint8Array<ArrayBuffer>)
    .transform((bytes, context) => {
      const image = readImage(bytes);
      if (image !== null) return image;
      context.addIssue("must be a whole PNG, JPEG, GIF or WebP image");
      return z.NEVER;
    })
    .optional(),
});
export const PostChange = z
  .object({ text: postText, scheduled_at: instantWithOffset })
  .partial()
  .openapi("SocialPostChange", { example: { text: "We have moved to the harbour." } });
export const TEXT_FIELDS = ["text", "connected_account_id", "scheduled_at"] as const;

/** How the description shows the form. */
export const FORM_SCHEMA = {
  type: "object",
  required: ["text"],
  properties: {
    text: { type: "string", minLength: 1, maxLength: MAX_TEXT },
    connected_account_id: {
      type: "string",
      format: "uuid",
      description: "The workspace's default account when absent.",
    },
    scheduled_at: {
      type: "string",
      format: "date-time",
      description: "With an offset, at most a year ahead; absent or past: at once.",
    },
    image: {
      type: "string",
      format: "binary",
      description:
        "PNG, JPEG, GIF or WebP, at most 8 MiB. Its bytes decide, not its name or content type.",
    },
  },
};

export const Post = z
  .object({
    ...ownedFields,
    connected_account_id: uuid.nullable(),
    status: z.enum(POST_STATUSES),
    text: z.string().nullable(),
    unipile_post_id: z.string().nullable(),
    social_id: z.string().nullable(),
    share_url: z.string().nullable(),
    attachments: z.array(z.record(z.string(), z.unknown())),
    is_repost: z.boolean().default(false),
    author_name: z.string().nullable(),
    author_id: z.string().nullable(),
    published_at: instant.nullable(),
    scheduled_at: instant.nullable(),
    retry_count: z.int().default(0),
    last_error: z.string().nullable().openapi({
      description: "Why it waits, why it failed, or why it is not counted any more, in words.",
    }),
    impressions: z.int().default(0),
    reactions: z.int().default(0),
    comments: z.int().default(0),
    reposts: z.int().default(0),
    metrics_updated_at: instant.nullable(),
  })
  .openapi("SocialPost");

const Account = z
  .object({
    id: uuid,
    display_name: z.string(),
    profile_url: z.string(),
    status: z.enum(SHOWN_STATES),
    is_default: z.boolean(),
  })
  .openapi("ConnectedAccountOption");

export const PostList = z
  .object({
    items: z.array(Post),
    accounts: z.array(Account),
    next_after: z.string().nullable(),
    total_count: z.int().default(0),
  })
  .openapi("SocialPostList");

export const toPost = (row: PostRow): z.input<typeof Post> => ({
  id: row.id,
  user_id: row.userId,
  workspace_id: row.workspaceId,
  connected_account_id: row.connectedAccountId,
  status: row.status,
  text: row.text,
  unipile_post_id: row.providerPostId,
  social_id: row.socialId,
  share_url: row.shareUrl,
  attachments: row.attachments,
  is_repost: row.isRepost,
  author_name: row.authorName,
  author_id: row.authorId,
  published_at: row.publishedAt?.toISOString() ?? null,
  scheduled_at: row.scheduledAt?.toISOString() ?? null,
  retry_count: row.retryCount,
  last_error: row.lastError,
  impressions: row.impressions,
  reactions: row.reactions,
  comments: row.comments,
  reposts: row.reposts,
  metrics_updated_at: row.metricsUpdatedAt?.toISOString() ?? null,
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt.toISOString(),
});

export const toAccount = (account: AccountRow, now: Date): z.input<typeof Account> => ({
  id: account.id,
  display_name: account.displayName,
  profile_url: account.profileUrl,
  status: shownStatus(account, now),
  is_default: account.isDefault,
});
