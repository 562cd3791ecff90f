import { NetworkRefusal } from "./errors.ts";
import { newestFirst, page } from "./lists.ts";
import { type Asked, formText, operation } from "./operation.ts";
import { findPerson } from "./people.ts";
import { asking, listedAccount } from "./people-operations.ts";
import { postView, publish, socialIdOf } from "./posts.ts";
import { requireSession } from "./sessions.ts";

/** The one image; the bytes decide what it is. */
async function imageOf({ form }: Asked): Promise<Buffer | null> {
  const files = form?.getAll("attachments").filter((each) => typeof each !== "string") ?? [];
  const [file, ...others] = files;
  if (others.length > 0)
    throw new NetworkRefusal("missing_feature", "Several attachments are not spoken here.");
  return file === undefined ? null : Buffer.from(await file.arrayBuffer());
}

async function create(asked: Asked): Promise<object> {
  const image = await imageOf(asked);
  const accountId = formText(asked, "account_id");
  if (accountId === "")
    throw new NetworkRefusal("missing_parameters", "The parameter account_id is missing.");
  const account = requireSession(asked.state, accountId);
  const { id } = publish(asked.state, account, formText(asked, "text"), image);
  const postId = asked.state.faults.take("post_id_missing") ? {} : { post_id: id };
  return { status: 201, body: { object: "PostCreated", ...postId } };
}

function list(asked: Asked): object {
  listedAccount(asked);
  const person = findPerson(asked.parts[0] ?? "");
  if (person === null)
    throw new NetworkRefusal("resource_not_found", "The requested user was not found.");
  const posts = asked.state.books.posts.values().filter(({ owner }) => owner === person.slug);
  return page(
    "PostList",
    newestFirst(posts, (each) => each.at),
    {
      query: asked.query,
      view: (post) => postView(asked.state, post),
      most: 100,
      filters: ["account_id"],
    },
  );
}

function one(asked: Asked): object {
  asking(asked);
  const wanted = asked.parts[0] ?? "";
  const post = asked.state.books.posts
    .values()
    .find((each) => each.id === wanted || socialIdOf(each) === wanted);
  if (post === undefined) throw new NetworkRefusal("resource_not_found", "Post not found.");
  return postView(asked.state, post);
}

export const postOperations = [
  operation("POST", "posts", create),
  operation("GET", "posts/:", one),
  operation("GET", "users/:/posts", list),
];
