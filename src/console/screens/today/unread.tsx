import type { Query } from "../../api/use.ts";
import { Part } from "../../parts/load.tsx";
import { Section } from "../../parts/page.tsx";
import { CLASS_WORDS } from "../../pure/conversation-words.ts";
import { num, words } from "../../pure/words.ts";
import { href, isPage } from "../../router.ts";

/** What came back and waits to be read. */
export function Unread({ of }: { of: Query<"countConversations"> }) {
  const hasInbox = isPage("/inbox");
  return (
    <Section title="Inbox" actions={hasInbox && <a href={href("/inbox")}>Open the inbox</a>}>
      <Part of={of} lines={3}>
        {({ unread, open, snoozed, classes }) => {
          const known = Object.keys(classes).toSorted((a, b) => rank(a) - rank(b));
          return (
            <>
              <p class="figures">
                <span>
                  <b class="figure">{num(unread)}</b> unread
                </span>
                <span>
                  <b class="figure">{num(open)}</b> open
                </span>
                <span>
                  <b class="figure">{num(snoozed)}</b> snoozed
                </span>
              </p>
              {open === 0 ? (
                <p class="dim">Answers to your campaigns appear here, sorted by what they are.</p>
              ) : (
                <>
                  <h3>Open ones</h3>
                  <ul class="plain">
                    {known.map((name) => (
                      <li key={name}>
                        <b>{num(classes[name]!)}</b>{" "}
                        {hasInbox ? (
                          <a href={href("/inbox", { tab: "all", class: name })}>
                            {CLASS_WORDS[name] ?? words(name)}
                          </a>
                        ) : (
                          (CLASS_WORDS[name] ?? words(name))
                        )}
                      </li>
                    ))}
                  </ul>
                </>
              )}
            </>
          );
        }}
      </Part>
    </Section>
  );
}

function rank(name: string): number {
  const order = Object.keys(CLASS_WORDS);
  const at = order.indexOf(name);
  return at === -1 ? order.length : at;
}
