import type { AttentionItemsSeverity } from "../../api/schema.ts";
import type { Query } from "../../api/use.ts";
import { Part } from "../../parts/load.tsx";
import { Section } from "../../parts/page.tsx";
import { Status, type Tone } from "../../parts/status.tsx";
import { Time } from "../../parts/time.tsx";
import { attentionPlace } from "../../pure/attention-place.ts";
import { count } from "../../pure/words.ts";
import { href, isPage } from "../../router.ts";

const SEVERITY: Record<AttentionItemsSeverity, [tone: Tone, word: string]> = {
  error: ["bad", "stands still"],
  warning: ["warn", "goes wrong"],
  info: ["busy", "waits for you"],
};

/** What a person has to do something about, the worst first, each with where it is done. */
export function Needs({ of }: { of: Query<"getAttention"> }) {
  return (
    <Section title="Needs you" note="the worst first">
      <Part of={of} lines={3}>
        {({ items }) =>
          items.length === 0 ? (
            <p class="dim">Nothing. What stands still or goes wrong appears here by itself.</p>
          ) : (
            <ul class="plain needs">
              {items.map((item) => {
                const { kind, severity, subject, message, until, campaign_ids: campaigns } = item;
                const [tone, word] = SEVERITY[severity];
                const place = attentionPlace(item);
                return (
                  <li key={`${kind} ${subject.type} ${subject.id}`}>
                    <span>
                      <Status tone={tone}>{word}</Status>
                    </span>
                    <div>
                      {subject.name !== null && <b>{subject.name}</b>} {message}
                      {(until !== null || campaigns.length > 1) && (
                        <small>
                          {until !== null && (
                            <>
                              Until <Time at={until} />.{" "}
                            </>
                          )}
                          {campaigns.length > 1 &&
                            `Holds back ${count(campaigns.length, "campaign")}.`}
                        </small>
                      )}
                    </div>
                    {place !== null && isPage(place.path) && (
                      <div>
                        <a class="btn" href={href(place.path)}>
                          {place.label}
                        </a>
                      </div>
                    )}
                  </li>
                );
              })}
            </ul>
          )
        }
      </Part>
    </Section>
  );
}
