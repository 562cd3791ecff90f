import type { PlaygroundDraft } from "../../api/schema.ts";
import { useQuery } from "../../api/use.ts";
import { Facts } from "../../parts/page.tsx";
import { Time } from "../../parts/time.tsx";
import { excerpt, numbered, type Source, sourceWords } from "../../pure/draft-queue.ts";
import { words } from "../../pure/words.ts";

const SHOWN_FIRST = ["title", "company", "location", "email"];

/** What the draft rests on, beside it. */
export function DraftFacts({ of }: { of: PlaygroundDraft }) {
  const { claims } = numbered(of);
  const { commonality, lead_snapshot: snapshot } = of;
  return (
    <aside class="draft-facts" aria-label="What the draft rests on">
      <section>
        <h2>The person</h2>
        <Facts of={known(snapshot)} />
        <SoFar leadId={of.lead_id} />
      </section>
      <section>
        <h2>What the draft claims</h2>
        {claims.length === 0 ? (
          <p class="dim">No number, name or quotation.</p>
        ) : (
          <ol class="sources">
            {claims.map(({ n, text, source }) => (
              <li key={n} class={source === null ? "open" : undefined}>
                <b>{n}</b>
                {source === null ? (
                  <div>
                    No source says “{text}”.
                    <small>
                      Not in their record, your profile, the step’s text or the research. Edit it,
                      or approve it as it is.
                    </small>
                  </div>
                ) : (
                  <div>
                    <q>{excerpt(source, text)}</q>
                    <SourceLine of={source} />
                  </div>
                )}
              </li>
            ))}
          </ol>
        )}
      </section>
      {commonality !== null && (
        <section>
          <h2>What they share with you</h2>
          <p>
            {commonality.text}{" "}
            <span class="dim">
              Confidence {commonality.confidence_score}, rarity {commonality.rarity_score}
            </span>
          </p>
        </section>
      )}
    </aside>
  );
}

function SourceLine({ of }: { of: Source }) {
  const { label, url } = sourceWords(of);
  return (
    <small>
      {label}
      {url !== null && (
        <>
          ,{" "}
          <a href={url} target="_blank" rel="noopener noreferrer">
            {url}
          </a>
        </>
      )}
    </small>
  );
}

function known(snapshot: Record<string, unknown>): [string, string][] {
  const said = (name: string) => {
    const value = snapshot[name];
    return typeof value === "string" || typeof value === "number" ? String(value) : "";
  };
  return SHOWN_FIRST.filter((name) => said(name) !== "").map((name) => [name, said(name)]);
}

/** What they had of us, the newest first. */
function SoFar({ leadId }: { leadId: string }) {
  const timeline = useQuery("getLeadTimeline", {
    params: { lead_id: leadId },
    query: { days: 0, limit: 5 },
  });
  const items = (timeline.data?.items ?? []).filter(
    ({ kind, machine }) => kind !== "joined" && !machine,
  );
  if (items.length === 0) return null;
  return (
    <ul class="plain so-far">
      {items.map(({ at, kind, step }, index) => (
        <li key={index}>
          {words(kind)}
          {step !== null && `, step ${step}`}{" "}
          <span class="dim">
            <Time at={at} />
          </span>
        </li>
      ))}
    </ul>
  );
}
