import type { Ref } from "preact";
import { useImperativeHandle } from "preact/hooks";
import type { PlaygroundDraft } from "../../api/schema.ts";
import { useQuery } from "../../api/use.ts";
import { Facts } from "../../parts/page.tsx";
import { ProblemNote } from "../../parts/problem.tsx";
import { Time } from "../../parts/time.tsx";
import type { Place } from "../../pure/draft-queue.ts";
import { count } from "../../pure/words.ts";
import type { ApprovedText } from "./approved.ts";
import { type DraftOf, useDraftActions } from "./draft-actions.tsx";
import { EditDraft } from "./edit.tsx";
import { DraftFacts } from "./facts.tsx";
import { nameOf } from "./list.tsx";
import { Paper } from "./paper.tsx";

/** What the keys of the screen do with the draft that is shown. */
export interface DraftHandle {
  approve(): void;
  edit(): void;
  rewrite(): void;
  hold(): void;
  undo(): void;
}

const LOOK_SECONDS = 15;

export function DraftView(
  props: Omit<DraftOf, "lead"> & { note: string | undefined; handle: Ref<DraftHandle> },
) {
  const { of, campaignId, note, handle } = props;
  const lead = useQuery(
    "getCampaignLead",
    { params: { campaign_id: campaignId, campaign_lead_id: of.campaign_lead_id } },
    { every: LOOK_SECONDS },
  );
  const actions = useDraftActions({ ...props, lead });
  const { place, entry, isHeld, over, canDecide, isBusy, isEditing, problem } = actions;
  useImperativeHandle(handle, () => ({
    approve: () => void actions.approve(),
    edit: () => actions.edit(true),
    rewrite: () => void actions.rewrite(),
    hold: () => void actions.toggleHold(),
    undo: () => void actions.undoLast(),
  }));
  const isOther = entry !== undefined && (entry.body !== of.body || entry.subject !== of.subject);
  return (
    <>
      <section class="draft" aria-label={`Draft to ${nameOf(of)}`}>
        <Facts
          of={[
            ["To", `${nameOf(of)}${lead.data?.email ? ` <${lead.data.email}>` : ""}`],
            ["Goes out", <GoesOut key="at" of={of} place={place} isHeld={isHeld} over={over} />],
          ]}
        />
        {note !== undefined && <p class="note">{note}</p>}
        {problem !== undefined && <ProblemNote problem={problem} />}
        <Why of={of} place={place} />
        {isEditing ? (
          <EditDraft of={of} onCancel={() => actions.edit(false)} onSend={actions.approveEdited} />
        ) : isOther ? (
          <Approved of={entry} />
        ) : (
          of.body !== null && <Paper of={of} />
        )}
        {of.body !== null && !isEditing && <About of={of} text={entry?.body ?? of.body} />}
        {!isEditing && over === null && (
          <div class="draft-bar">
            {place === "approved" && (
              <button
                type="button"
                class="btn"
                disabled={isBusy}
                onClick={() => void actions.takeBack()}
              >
                Take the approval back
              </button>
            )}
            {canDecide && (
              <>
                <button
                  type="button"
                  class="btn main"
                  disabled={isBusy}
                  onClick={() => void actions.approve()}
                >
                  Approve and next <kbd>A</kbd>
                </button>
                <button type="button" class="btn" onClick={() => actions.edit(true)}>
                  Edit <kbd>E</kbd>
                </button>
              </>
            )}
            {place !== "writing" && place !== "approved" && (
              <button
                type="button"
                class="btn"
                disabled={isBusy}
                onClick={() => void actions.rewrite()}
              >
                Write it again <kbd>R</kbd>
              </button>
            )}
            <button
              type="button"
              class="btn"
              disabled={isBusy}
              onClick={() => void actions.toggleHold()}
            >
              {isHeld ? "Let them go on" : "Hold"} <kbd>H</kbd>
            </button>
          </div>
        )}
      </section>
      <DraftFacts of={of} />
    </>
  );
}

function GoesOut(props: {
  of: PlaygroundDraft;
  place: Place;
  isHeld: boolean;
  over: string | null;
}) {
  const { of, place, isHeld, over } = props;
  if (over !== null) return <span class="dim">{over}</span>;
  if (isHeld) return <>Not while they are held</>;
  if (of.goes_out_at === null)
    return (
      <span class="dim">Not known yet: the step is not their next, or the campaign waits</span>
    );
  return (
    <>
      <b>
        <Time at={of.goes_out_at} as="exact" />
      </b>{" "}
      <span class="dim">{place === "approved" ? "" : "if approved before then"}</span>
    </>
  );
}

/** Why it is not simply to be approved. */
function Why({ of, place }: { of: PlaygroundDraft; place: Place }) {
  if (place === "stale")
    return (
      <p class="note warn">
        <b>Out of date.</b> The person or the step changed after it was written: it would not be
        sent as it is. Write it again.
      </p>
    );
  if (place === "writing") return <p class="note">It is being written.</p>;
  if (place === "failed")
    return (
      <p class="note warn">
        <b>{of.status === "failed" ? "Not written." : `It was ${of.status}.`}</b>{" "}
        {of.error ?? "Its credit was given back."}
      </p>
    );
  if (of.error === null) return null;
  return (
    <p class="note warn">
      <b>Held.</b> {of.error} It goes out only if it is approved by itself.
    </p>
  );
}

function Approved({ of }: { of: ApprovedText }) {
  return (
    <article class="sheet paper" aria-label="The approved text">
      {of.subject !== "" && <h2>{of.subject}</h2>}
      <p class="words">{of.body}</p>
      <p class="hint">This text was approved; the draft was another.</p>
    </article>
  );
}

function About({ of, text }: { of: PlaygroundDraft; text: string }) {
  return (
    <p class="hint">
      {count(text.split(/\s+/).filter(Boolean).length, "word")}
      {of.variant_label !== null && `, variant ${of.variant_label}`}
      {of.model !== null && `, ${of.model}`}
      {of.generated_at !== null && (
        <>
          , written <Time at={of.generated_at} />
        </>
      )}
      . Address and unsubscribe link are added at sending; the rest goes out byte for byte.
    </p>
  );
}
