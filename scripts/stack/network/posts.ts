import { act } from "./acts.ts";
import { between, digest, fraction, newId, type State } from "./books.ts";
import { NetworkRefusal } from "./errors.ts";
import { readPicture } from "./images.ts";
import type { Account, ImageFacts, Post } from "./model.ts";
import { idOf, nameOf } from "./people.ts";
import type { Shape } from "./sdk-shapes.ts";

const LONGEST_TEXT = 3000;
const HOUR_MS = 3_600_000;

export function publish(state: State, account: Account, text: string, image: Buffer | null): Post {
  if (text === "") throw new NetworkRefusal("missing_parameters", "The parameter text is missing.");
  if ([...text].length > LONGEST_TEXT)
    throw new NetworkRefusal("too_many_characters", `The text is longer than ${LONGEST_TEXT}.`);
  const facts = image === null ? null : keepImage(state, image);
  act(state, account, { kind: "post", person: null, text });
  const at = Date.now();
  const post = { id: activityId(state, account, at), owner: account.owner, text, at, image: facts };
  state.books.posts.put(post.id, post);
  state.changed();
  return post;
}

/** 19 digits, growing with time as the network's do. */
function activityId({ books }: State, { owner }: Account, at: number): string {
  const noise = digest("post", owner, String(books.acts.size)).readUInt32BE(0) % 1_000_000;
  return `7${String(at).padStart(12, "0").slice(-12)}${String(noise).padStart(6, "0")}`;
}

function keepImage({ books }: State, bytes: Buffer): ImageFacts {
  const picture = readPicture(bytes);
  if (picture === null)
    throw new NetworkRefusal("unsupported_media_type", "The attachment is no image.");
  const id = newId();
  books.images.put(id, bytes.toString("base64"));
  return { id, bytes: bytes.length, ...picture };
}

/** What people did with it until now: ever more, and ever more slowly; the same for the same post. */
export function countersOf({ id, at }: Post) {
  const seen = 1 - Math.exp(-Math.max(0, Date.now() - at) / HOUR_MS / 30);
  const impressions = Math.floor(between(200, 4000, id, "impressions") * seen);
  const share = (most: number, what: string) =>
    Math.floor(impressions * most * (0.3 + 0.7 * fraction(id, what)));
  return {
    impressions_counter: impressions,
    reaction_counter: share(0.05, "reactions"),
    comment_counter: share(0.012, "comments"),
    repost_counter: share(0.005, "reposts"),
  };
}

export const socialIdOf = ({ id }: Post) => `urn:li:activity:${id}`;

export function postView(state: State, post: Post): object {
  const view = wholeView(state, post);
  if (!state.faults.take("counter_missing")) return view;
  const { impressions_counter: _, ...rest } = view;
  return rest;
}

/** `date` is relative and of no use, as the network's is. */
function wholeView(state: State, post: Post) {
  const { id, owner, text, at } = post;
  return {
    object: "Post",
    provider: "LINKEDIN",
    id,
    social_id: socialIdOf(post),
    share_url: `https://www.linkedin.com/posts/${owner}_activity-${id}`,
    text,
    date: `${Math.floor((Date.now() - at) / HOUR_MS)}h`,
    parsed_datetime: new Date(at).toISOString(),
    ...countersOf(post),
    author: {
      public_identifier: owner,
      id: idOf(owner),
      name: nameOf(owner),
      is_company: false,
    },
    permissions: { can_react: true, can_share: true, can_post_comments: true },
    is_repost: false,
    attachments: attachmentsOf(state, post),
  } satisfies Shape<"post">;
}

function attachmentsOf(state: State, { image }: Post): Shape<"post">["attachments"] {
  if (image === null) return [];
  const { id, type: mimetype, bytes, width, height } = image;
  const url = `${state.url()}/media/${id}`;
  const size = { width, height };
  return [
    { type: "img", id, unavailable: false, mimetype, url, file_size: bytes, size, sticker: false },
  ];
}
