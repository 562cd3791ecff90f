import { useQuery } from "../../api/use.ts";
import type { VariantForm } from "../../pure/step-form.ts";
import { Select, Text } from "./step-fields.tsx";

/** One text of a step: written here or a template's, in whose name, with its part of the leads. */
export function VariantFields(props: {
  at: string;
  variant: VariantForm;
  /** In percent; null where there is no other. */
  share: number | null;
  isFirstStep: boolean;
  isLocked: boolean;
  faultOf(at: string): string | null;
  onChange(next: VariantForm): void;
  onRemove?: () => void;
}) {
  const { at, variant, share, isFirstStep, isLocked, faultOf, onChange, onRemove } = props;
  const templates = useQuery("listTemplates", { query: { limit: 100 } });
  const profiles = useQuery("listSenderProfiles", { query: { limit: 100 } });
  const set = (change: Partial<VariantForm>) => onChange({ ...variant, ...change });
  const field = (name: string) => ({
    at: `${at}/${name}`,
    fault: faultOf(`${at}/${name}`),
    isLocked,
  });
  const isTemplate = variant.type === "TEMPLATE";
  const hasTemplates = isTemplate || (templates.data?.items.length ?? 0) > 0;
  const hasProfiles = variant.senderProfileId !== "" || (profiles.data?.items.length ?? 0) > 0;
  return (
    <div class="variant" role="group" aria-label={`Variant ${variant.label}`}>
      <div class="fields">
        {share !== null && (
          <>
            <Text
              {...field("label")}
              label="Variant"
              isNarrow
              value={variant.label}
              onInput={(label) => set({ label })}
            />
            <Text
              {...field("weight")}
              label="Weight"
              isNarrow
              inputmode="numeric"
              hint={`${share} %`}
              value={variant.weight}
              onInput={(weight) => set({ weight })}
            />
          </>
        )}
        {hasTemplates && (
          <Select
            {...field("type")}
            label="Text"
            value={variant.type}
            options={[
              ["INLINE", "written here"],
              ["TEMPLATE", "a template"],
            ]}
            onInput={(type) => set({ type: type as VariantForm["type"] })}
          />
        )}
        {hasProfiles && (
          <Select
            {...field("sender_profile_id")}
            label="In the name of"
            value={variant.senderProfileId}
            options={[
              ["", "the default"],
              ...(profiles.data?.items ?? []).map(({ id, full_name: name }) => [id, name] as const),
            ]}
            onInput={(senderProfileId) => set({ senderProfileId })}
          />
        )}
        {onRemove !== undefined && (
          <button type="button" class="btn" disabled={isLocked} onClick={onRemove}>
            Remove<span class="sr"> variant {variant.label}</span>
          </button>
        )}
      </div>
      {isTemplate ? (
        <Select
          {...field("template_id")}
          label="Template"
          value={variant.templateId}
          options={[
            ["", "Choose a template"],
            ...(templates.data?.items ?? []).map(({ id, name }) => [id, name] as const),
          ]}
          onInput={(templateId) => set({ templateId })}
        />
      ) : (
        <>
          <Text
            {...field("subject")}
            label="Subject"
            hint={
              isFirstStep ? undefined : "Nothing: it goes on in the thread of the message before."
            }
            value={variant.subject}
            onInput={(subject) => set({ subject })}
          />
          <Text
            {...field("body")}
            label="Text"
            rows={8}
            value={variant.body}
            onInput={(body) => set({ body })}
          />
        </>
      )}
    </div>
  );
}
