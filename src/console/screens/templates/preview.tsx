import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { call } from "../../api/call.ts";
import { asProblem, type Problem } from "../../api/problem.ts";
import type { Lead, TemplateRendered } from "../../api/schema.ts";
import { HtmlText } from "../../parts/html-text.tsx";
import { Skeleton } from "../../parts/load.tsx";
import { Section } from "../../parts/page.tsx";
import { ProblemNote } from "../../parts/problem.tsx";
import { leadName } from "../../pure/lead-words.ts";
import { isTypedIn, sampleValues, type TemplateValues } from "../../pure/template-form.ts";
import { ChoosePerson } from "./choose-person.tsx";

const AFTER_MS = 300;

/** What a person would get, by the renderer that sends: it follows what is typed. */
export function Preview({ values }: { values: TemplateValues }) {
  const shown = useSignal<TemplateRendered | null>(null);
  const problem = useSignal<Problem | null>(null);
  const lead = useSignal<Lead | null>(null);
  const typed = useSignal<Record<string, string>>({});
  const turn = useRef(0);
  const { subject, body, format, channel } = values;
  const names = shown.value?.variables ?? [];
  const known = lead.value === null ? sampleValues(names, typed.value) : typed.value;
  const asked = JSON.stringify([subject, body, format, channel, lead.value?.id, known]);

  useEffect(() => {
    if (body.trim() === "") {
      shown.value = null;
      problem.value = null;
      return undefined;
    }
    const timer = setTimeout(() => void render(), AFTER_MS);
    return () => clearTimeout(timer);
  }, [asked]);

  async function render(): Promise<void> {
    const mine = ++turn.current;
    const isMail = channel === "email";
    try {
      const found = await call("renderTemplate", {
        body: {
          subject: isMail && subject !== "" ? subject : null,
          body,
          format: !isMail ? "text" : format === "" ? null : (format as "html" | "text"),
          lead_id: lead.peek()?.id ?? null,
          values: known,
        },
      });
      if (mine !== turn.current) return;
      shown.value = found;
      problem.value = null;
    } catch (error) {
      if (mine === turn.current) problem.value = asProblem(error);
    }
  }
  return (
    <div class="beside">
      <Section
        title={
          lead.value === null
            ? "As a person would get it"
            : `As ${leadName(lead.value)} would get it`
        }
        note={lead.value === null ? "with sample values" : ""}
      >
        <ChoosePerson lead={lead.value} onLead={(chosen) => (lead.value = chosen)} />
        {problem.value !== null && (
          <ProblemNote problem={problem.value} retry={() => void render()} />
        )}
        {body.trim() === "" ? (
          <p class="dim">It shows as you write.</p>
        ) : shown.value === null ? (
          problem.value === null && <Skeleton lines={4} />
        ) : (
          <Shown of={shown.value} isMail={channel === "email"} />
        )}
        <Variables
          names={names}
          missing={shown.value?.missing ?? []}
          typed={typed.value}
          onType={(name, value) => (typed.value = { ...typed.peek(), [name]: value })}
        />
      </Section>
    </div>
  );
}

function Shown({ of, isMail }: { of: TemplateRendered; isMail: boolean }) {
  if (of.missing.length > 0)
    return (
      <div class="note warn" role="status">
        <p>
          <b>This person would be skipped.</b> There is no value for {of.missing.join(", ")}. Give
          it one below to go on looking, or a default in the text.
        </p>
      </div>
    );
  return (
    <div class="letter">
      {isMail && (
        <p class="letter-subject">
          {of.subject === "" ? <span class="dim">goes on in the thread</span> : of.subject}
        </p>
      )}
      {of.format === "html" ? <HtmlText html={of.html} /> : <p class="plain-text">{of.text}</p>}
    </div>
  );
}

/** Each variable of the text, to be given another value for the preview. */
function Variables(props: {
  names: string[];
  missing: string[];
  typed: Record<string, string>;
  onType(name: string, value: string): void;
}) {
  const { names, missing, typed, onType } = props;
  if (names.length === 0) return null;
  return (
    <details open={missing.length > 0}>
      <summary>Variables: {names.join(", ")}</summary>
      <div class="three">
        {names.filter(isTypedIn).map((name) => (
          <label key={name} class="field">
            <span>{name}</span>
            <input
              value={typed[name] ?? ""}
              placeholder={missing.includes(name) ? "no value" : ""}
              autocomplete="off"
              onInput={(event) => onType(name, event.currentTarget.value)}
            />
          </label>
        ))}
      </div>
    </details>
  );
}
