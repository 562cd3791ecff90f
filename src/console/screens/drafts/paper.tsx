import type { PlaygroundDraft } from "../../api/schema.ts";
import { numbered } from "../../pure/draft-queue.ts";

/** The text as it was written, byte for byte, with a number behind what it claims; in amber where no source says it. */
export function Paper({ of }: { of: PlaygroundDraft }) {
  const { pieces } = numbered(of);
  return (
    <article class="sheet paper" aria-label="The draft">
      {of.subject !== null && of.subject !== "" && <h2>{of.subject}</h2>}
      <p class="words">
        {pieces.map(({ text, claim }, index) =>
          claim === null ? (
            text
          ) : (
            <span key={index}>
              <mark class={claim.source === null ? "open" : undefined}>{text}</mark>
              <sup class={claim.source === null ? "open" : undefined}>
                <span class="sr">claim </span>
                {claim.n}
              </sup>
            </span>
          ),
        )}
      </p>
    </article>
  );
}
