import { useSignal } from "@preact/signals";
import type { ConversationDetail } from "../../api/schema.ts";
import { addressOf } from "../../api/call.ts";
import { Time } from "../../parts/time.tsx";
import { classWords } from "../../pure/inbox-words.ts";

export type Message = ConversationDetail["messages"][number];

/** Its text is what one reads; its page stands in a frame that runs nothing, and pictures wait for a second click. */
export function ThreadMessage({ of, conversationId }: { of: Message; conversationId: string }) {
  const { id, direction, from, to, subject, text, html, expired, sent_at: at } = of;
  const page = useSignal<"text" | "page" | "pictures">("text");
  const isIn = direction === "in";
  const { url } = addressOf("getMessageHtml", {
    params: { conversation_id: conversationId, message_id: id },
    ...(page.value === "pictures" ? { query: { images: "true" as const } } : {}),
  });
  const name = `${isIn ? "From" : "To"} ${isIn ? from : to.join(", ")}`;
  return (
    <article class={isIn ? "message in" : "message"} aria-label={name}>
      <header>
        <b>{name}</b>
        {of.class !== "sent" && of.class !== "reply" && (
          <span class="dim">{classWords(of.class)}</span>
        )}
        <span class="dim when">
          <Time at={at} />
        </span>
      </header>
      {subject !== null && <p class="dim">{subject}</p>}
      {expired ? (
        <p class="dim">
          Its text was kept long enough and is gone. That it was {isIn ? "received" : "sent"} is
          still known.
        </p>
      ) : page.value === "text" ? (
        <p class="words">
          {text.trim() === "" ? <span class="dim">Without words.</span> : text.trim()}
        </p>
      ) : (
        <iframe
          key={page.value}
          sandbox=""
          referrerpolicy="no-referrer"
          src={url}
          title={`The page of the message ${name}`}
        />
      )}
      {html !== null && (
        <p class="row small">
          <button
            type="button"
            class="link"
            onClick={() => (page.value = page.value === "text" ? "page" : "text")}
          >
            {page.value === "text" ? "Show it as it was written" : "Show its text"}
          </button>
          {page.value === "page" && (
            <>
              <button type="button" class="link" onClick={() => (page.value = "pictures")}>
                Show pictures
              </button>
              <span class="dim">Their sender may learn that you looked.</span>
            </>
          )}
        </p>
      )}
    </article>
  );
}
