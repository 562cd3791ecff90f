import type { StepFreedom } from "../../pure/campaign-rules.ts";
import {
  ACTIONS,
  type ActionType,
  newVariant,
  shares,
  type StepForm,
  USUAL_EXPERIMENT,
} from "../../pure/step-form.ts";
import { Check, Select, Text } from "./step-fields.tsx";
import { VariantFields } from "./variant-fields.tsx";

const MOST_VARIANTS = 10;

export function StepCard(props: {
  index: number;
  step: StepForm;
  isOnly: boolean;
  isCurrent: boolean;
  /** Why not all of it can change. */
  note: string | null;
  freedom: StepFreedom;
  faultOf(at: string): string | null;
  onFocus(): void;
  onChange(next: StepForm): void;
  onMove(by: -1 | 1): void;
  onRemove(): void;
}) {
  const { index, step, isOnly, isCurrent, note, freedom, faultOf } = props;
  const at = `steps/${index}`;
  const isLocked = freedom !== "free";
  const isTextLocked = freedom === "sent" || freedom === "shut";
  const set = (change: Partial<StepForm>) => props.onChange({ ...step, ...change });
  const isMail = step.channel === "email";
  return (
    <section
      class={isCurrent ? "step current" : "step"}
      aria-label={`Step ${index + 1}`}
      onFocusIn={props.onFocus}
    >
      <div class="step-head">
        <h2>Step {index + 1}</h2>
        <span class="dim">
          {ACTIONS[step.channel].find(({ action }) => action === step.action)?.label}
        </span>
        <div class="actions">
          <Small
            label="Move up"
            sign="↑"
            isOff={isLocked || index === 0}
            run={() => props.onMove(-1)}
            of={index}
          />
          <Small
            label="Move down"
            sign="↓"
            isOff={isLocked}
            run={() => props.onMove(1)}
            of={index}
          />
          <Small
            label="Remove"
            sign="×"
            isOff={isLocked || isOnly}
            run={props.onRemove}
            of={index}
          />
        </div>
      </div>
      {note !== null && <p class="hint">{note}</p>}
      {faultOf(at) !== null && <p class="fault">{faultOf(at)}</p>}
      <div class="fields">
        <Text
          at={`${at}/delay_days`}
          label={index === 0 ? "Days after the launch" : "Days after the step before"}
          inputmode="numeric"
          isNarrow
          isLocked={isLocked}
          value={step.delayDays}
          fault={faultOf(`${at}/delay_days`)}
          onInput={(delayDays) => set({ delayDays })}
        />
        {!isMail && (
          <Select
            at={`${at}/action_type`}
            label="What it does"
            isLocked={isLocked}
            value={step.action}
            fault={faultOf(`${at}/action_type`) ?? faultOf(`${at}/channel`)}
            options={ACTIONS.socialnet.map(({ action, label }) => [action, label])}
            onInput={(action) => set({ action: action as ActionType })}
          />
        )}
      </div>
      {isMail ? (
        <Variants {...props} isTextLocked={isTextLocked} />
      ) : (
        <NetworkText {...props} isTextLocked={isTextLocked} />
      )}
      {isMail && (
        <div class="row">
          <Check
            at={`${at}/ai_personalization_enabled`}
            label="A model writes it for each lead"
            isOn={step.ai}
            isLocked={isLocked}
            onChange={(ai) => set({ ai })}
          />
          <Check
            at={`${at}/track_opens`}
            label="Count opens"
            isOn={step.trackOpens}
            isLocked={isLocked}
            onChange={(trackOpens) => set({ trackOpens })}
          />
          <Check
            at={`${at}/track_clicks`}
            label="Count clicks"
            isOn={step.trackClicks}
            isLocked={isLocked}
            onChange={(trackClicks) => set({ trackClicks })}
          />
        </div>
      )}
    </section>
  );
}

type Props = Parameters<typeof StepCard>[0] & { isTextLocked: boolean };

function Variants({ index, step, freedom, faultOf, onChange, isTextLocked }: Props) {
  const at = `steps/${index}/variants`;
  const parts = shares(step.variants);
  const experimentFault =
    ["", "/metric", "/floor"]
      .map((field) => faultOf(`steps/${index}/experiment${field}`))
      .find((fault) => fault !== null) ?? null;
  const set = (variants: StepForm["variants"]) => onChange({ ...step, variants });
  return (
    <>
      {faultOf(at) !== null && <p class="fault">{faultOf(at)}</p>}
      {step.variants.map((variant, place) => (
        <VariantFields
          key={place}
          at={`${at}/${place}`}
          variant={variant}
          share={step.variants.length === 1 ? null : parts[place]!}
          isFirstStep={index === 0}
          isLocked={isTextLocked}
          faultOf={faultOf}
          onChange={(next) => set(step.variants.with(place, next))}
          {...(step.variants.length > 1
            ? { onRemove: () => set(step.variants.toSpliced(place, 1)) }
            : {})}
        />
      ))}
      <div>
        <button
          type="button"
          class="link"
          disabled={isTextLocked || step.variants.length >= MOST_VARIANTS}
          onClick={() => set([...step.variants, newVariant(step.variants)])}
        >
          Add a variant to step {index + 1}
        </button>
      </div>
      {experimentFault !== null && <p class="fault">{experimentFault}</p>}
      {step.variants.length > 1 && (
        <Check
          at={`steps/${index}/experiment`}
          label="Weights follow what comes back"
          isOn={step.experiment !== null}
          isLocked={freedom === "shut"}
          onChange={(isOn) => onChange({ ...step, experiment: isOn ? USUAL_EXPERIMENT : null })}
        />
      )}
    </>
  );
}

function NetworkText(props: Props) {
  const { index, step, faultOf, onChange, isTextLocked } = props;
  const at = `steps/${index}`;
  if (step.action === "profile_view")
    return <p class="hint">The person sees that you looked at their page.</p>;
  if (step.variants.length > 0) return <Variants {...props} />;
  const isNote = step.action === "connection_request";
  return (
    <>
      <Text
        at={`${at}/message_template`}
        label={isNote ? "Note of the request" : "Message"}
        rows={4}
        isLocked={isTextLocked}
        hint={
          isNote ? "At most 300 characters; nothing is an invitation without a note." : undefined
        }
        value={step.message}
        fault={faultOf(`${at}/message_template`)}
        onInput={(message) => onChange({ ...step, message })}
      />
      {isNote && (
        <Check
          at={`${at}/note_optional`}
          label="Without its note where the network takes no more of them"
          isOn={step.withoutNote === true}
          isLocked={isTextLocked}
          onChange={(withoutNote) => onChange({ ...step, withoutNote })}
        />
      )}
    </>
  );
}

function Small(props: { label: string; sign: string; isOff: boolean; of: number; run(): void }) {
  const { label, sign, isOff, of, run } = props;
  return (
    <button
      type="button"
      class="icon"
      aria-label={`${label} step ${of + 1}`}
      disabled={isOff}
      onClick={run}
    >
      {sign}
    </button>
  );
}
