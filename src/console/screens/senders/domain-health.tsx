import type { DomainRule } from "../../api/schema.ts";
import { useQuery } from "../../api/use.ts";
import { Part } from "../../parts/load.tsx";
import { Section } from "../../parts/page.tsx";
import { Status, type Tone } from "../../parts/status.tsx";
import { Time } from "../../parts/time.tsx";
import {
  askedWords,
  healthSentence,
  RULE_NAMES,
  worstRulesFirst,
} from "../../pure/health-words.ts";

const STATES: Record<DomainRule["status"], [tone: Tone, word: string]> = {
  ok: ["good", "kept"],
  failing: ["bad", "not kept"],
  unknown: ["quiet", "not known"],
};

/** The rules of large receivers, each with what is known of it and what to do. */
export function DomainHealth({ id }: { id: string }) {
  const health = useQuery("getDomainHealth", { params: { domain_id: id } });
  return (
    <Section title="Rules of large receivers">
      <Part of={health} lines={6}>
        {({ rules }) => (
          <>
            <p>{healthSentence(rules)}</p>
            <ul class="plain needs" aria-label="Rules of large receivers">
              {worstRulesFirst(rules).map((rule) => (
                <Checked key={rule.rule} rule={rule} />
              ))}
            </ul>
          </>
        )}
      </Part>
    </Section>
  );
}

function Checked({
  rule: { rule, asked_by, status, evidence, period, what_to_do },
}: {
  rule: DomainRule;
}) {
  const [tone, word] = STATES[status];
  return (
    <li>
      <span>
        <Status tone={tone}>{word}</Status>
      </span>
      <div>
        <b>{RULE_NAMES[rule]}</b> <span class="dim">{askedWords(asked_by)}</span>
        <p>{evidence}</p>
        {what_to_do !== null && (
          <p>
            <b>To do:</b> {what_to_do}
          </p>
        )}
        {period !== null && (
          <small>
            {period.since === period.until ? (
              <>
                As of <Time at={period.until} />
              </>
            ) : (
              <>
                Since <Time at={period.since} />
              </>
            )}
          </small>
        )}
      </div>
    </li>
  );
}
