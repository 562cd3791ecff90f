import type { TimelineItem } from "../../api/schema.ts";
import { CampaignLink } from "../../parts/in-use.tsx";
import { Time } from "../../parts/time.tsx";
import { timelineWords } from "../../pure/timeline-words.ts";
import { href } from "../../router.ts";

/** The newest first; what is still to come stands above, and is said to be so. */
export function Timeline({ items }: { items: TimelineItem[] }) {
  if (items.length === 0)
    return <p class="dim">Nothing yet: this person is in no campaign and got no message.</p>;
  return (
    <ol class="timeline">
      {items.map((item, index) => (
        <li key={index} class={item.forecast ? "to-come" : item.kind}>
          <p>
            {timelineWords(item)}
            {item.machine && !item.forecast && <span class="dim">, by a machine</span>}
          </p>
          {item.detail !== null && <p class="dim">{item.detail}</p>}
          <p class="dim">
            <Time at={item.at} as="exact" />
            {item.campaign_id !== null && (
              <>
                {" · "}
                <CampaignLink id={item.campaign_id} />
              </>
            )}
            {item.conversation_id !== null && (
              <>
                {" · "}
                <a href={href(`/inbox/${item.conversation_id}`)}>Conversation</a>
              </>
            )}
          </p>
        </li>
      ))}
    </ol>
  );
}
