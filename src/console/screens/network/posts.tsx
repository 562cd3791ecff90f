import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { poll } from "../../api/poll.ts";
import { usePages } from "../../api/pages.ts";
import type { SocialPost } from "../../api/schema.ts";
import { useAction } from "../../api/use.ts";
import { useKeys } from "../../keys.ts";
import { confirm } from "../../parts/confirm.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Part } from "../../parts/load.tsx";
import { Empty, Page, Section } from "../../parts/page.tsx";
import { ProblemNote } from "../../parts/problem.tsx";
import { State } from "../../parts/status.tsx";
import { More, Table } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { toast } from "../../parts/toast.tsx";
import { href } from "../../router.ts";
import { num } from "../../pure/words.ts";
import { ChangePost, WritePost } from "./write-post.tsx";

const LOOK_SECONDS = 4;
const WAITING: readonly string[] = ["publishing", "scheduled"];

export function PostsScreen() {
  const posts = usePages("listSocialPosts", { query: { limit: 50 } });
  const look = useRef(posts.reload);
  look.current = posts.reload;
  const isUnderWay = (posts.data ?? []).some(({ status }) => WAITING.includes(status));
  // The queue publishes; counters come hourly.
  useEffect(
    () =>
      poll(
        () => (isUnderWay ? LOOK_SECONDS : null),
        async () => look.current(),
      ),
    [isUnderWay],
  );
  const remove = useAction("deleteSocialPost");
  const open = useSignal<SocialPost | "new" | null>(null);
  const close = () => (open.value = null);
  const begin = () => (open.value = "new");
  useKeys([{ key: "n", label: "Write a post", run: begin }]);

  async function ask(post: SocialPost): Promise<void> {
    const isOut = post.status === "published";
    const isSure = await confirm({
      title: "Delete this post?",
      body: isOut
        ? "It goes from here, and is counted no more. At the network it stays: its interface deletes none, so delete it there as well."
        : "It is then never published.",
      confirm: isOut ? "Delete it here" : "Delete the post",
      isDangerous: true,
    });
    if (isSure && (await remove.run({ params: { post_id: post.id } })))
      toast("The post is deleted.");
  }

  return (
    <Page
      title="Posts"
      actions={
        <button type="button" class="btn main" onClick={begin}>
          Write a post <kbd>N</kbd>
        </button>
      }
    >
      {remove.problem !== undefined && <ProblemNote problem={remove.problem} />}
      <Part of={posts} lines={6}>
        {(rows) =>
          rows.length === 0 ? (
            <Section>
              <Empty
                title="No posts yet."
                action={
                  <button type="button" class="btn main" onClick={begin}>
                    Write the first
                  </button>
                }
              >
                A post is published from a <a href={href("/network")}>connected account</a>, now or
                at a time, and its counters are read for a month.
              </Empty>
            </Section>
          ) : (
            <Section flush>
              <Table
                caption="Posts, the newest first"
                rows={rows}
                keyOf={({ id }) => id}
                columns={[
                  { head: "Post", cell: (post) => <Words of={post} /> },
                  { head: "State", cell: (post) => <PostState of={post} /> },
                  {
                    head: "Seen",
                    isNumber: true,
                    cell: ({ impressions }) => num(impressions ?? 0),
                  },
                  {
                    head: "Reactions",
                    isNumber: true,
                    cell: ({ reactions }) => num(reactions ?? 0),
                  },
                  { head: "Comments", isNumber: true, cell: ({ comments }) => num(comments ?? 0) },
                  {
                    head: "Actions",
                    isQuiet: true,
                    cell: (post) => (
                      <div class="row">
                        {post.status === "scheduled" && (
                          <button type="button" class="btn" onClick={() => (open.value = post)}>
                            Change<span class="sr"> the post {beginning(post)}</span>
                          </button>
                        )}
                        <button type="button" class="btn" onClick={() => void ask(post)}>
                          Delete<span class="sr"> the post {beginning(post)}</span>
                        </button>
                      </div>
                    ),
                  },
                ]}
              />
              <More of={posts} />
            </Section>
          )
        }
      </Part>
      {open.value === "new" && (
        <Dialog title="Write a post" onClose={close}>
          <WritePost onClose={close} onMade={posts.reload} />
        </Dialog>
      )}
      {open.value !== null && open.value !== "new" && (
        <Dialog title="Change the post" onClose={close}>
          <ChangePost post={open.value} onClose={close} />
        </Dialog>
      )}
    </Page>
  );
}

const beginning = ({ text }: SocialPost): string => (text ?? "").slice(0, 40);

function Words({ of: { text, attachments, share_url: url } }: { of: SocialPost }) {
  const isWeb = url !== null && /^https?:\/\//i.test(url);
  return (
    <>
      <span class="post-words">{text}</span>
      <small>
        {attachments.length > 0 && "With an image. "}
        {isWeb && (
          <a href={url} target="_blank" rel="noopener noreferrer">
            At the network
          </a>
        )}
      </small>
    </>
  );
}

function PostState({
  of: { status, scheduled_at: due, published_at: at, last_error: why },
}: {
  of: SocialPost;
}) {
  const when = at ?? (status === "scheduled" ? due : null);
  return (
    <>
      <State of={status} />
      {when !== null && (
        <small>
          <Time at={when} />
        </small>
      )}
      {why !== null && <small>{why}</small>}
    </>
  );
}
