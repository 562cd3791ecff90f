import { useEffect, useRef } from "preact/hooks";
import type { PlaygroundDraft } from "../../api/schema.ts";
import { type Place, placeOf } from "../../pure/draft-queue.ts";

const WORDS: Record<Place, string> = {
  review: "",
  held: "held",
  stale: "out of date",
  writing: "being written",
  failed: "not written",
  approved: "approved",
};

export function nameOf({ lead_snapshot: snapshot }: PlaygroundDraft): string {
  const said = (name: string) => (typeof snapshot[name] === "string" ? snapshot[name] : "");
  const full = said("full_name") || `${said("first_name")} ${said("last_name")}`.trim();
  return full || said("email") || "Somebody";
}

export const companyOf = ({ lead_snapshot: { company } }: PlaygroundDraft): string =>
  typeof company === "string" ? company : "";

export function DraftList(props: {
  drafts: PlaygroundDraft[];
  id: string | null;
  counts: Record<Place, number>;
  hrefOf(campaignLeadId: string): string;
}) {
  const { drafts, id, counts, hrefOf } = props;
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    list.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
  }, [id]);
  return (
    <nav class="sheet flush draft-list" aria-label="Drafts of this batch">
      <p>
        <b>{counts.review + counts.held} to review</b>{" "}
        <span class="dim">{counts.approved} approved</span>
      </p>
      <ol class="rows" ref={list} tabIndex={-1}>
        {drafts.map((draft) => {
          const place = placeOf(draft);
          return (
            <li key={draft.campaign_lead_id}>
              <a
                href={hrefOf(draft.campaign_lead_id)}
                aria-current={draft.campaign_lead_id === id ? "true" : undefined}
              >
                <b>{nameOf(draft)}</b>
                <small class={`place is-${place}`}>{WORDS[place]}</small>
                <small class="line">{companyOf(draft)}</small>
              </a>
            </li>
          );
        })}
      </ol>
    </nav>
  );
}
