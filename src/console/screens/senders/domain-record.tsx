import type { AdvisedDomainRecord } from "../../api/schema.ts";
import { CopyButton } from "../../parts/copy.tsx";
import { Status, type Tone } from "../../parts/status.tsx";
import { dnsDifference, isOpen, type Piece } from "../../pure/dns-difference.ts";
import { PURPOSES } from "../../pure/domain-words.ts";

const STATES: Record<AdvisedDomainRecord["status"], [tone: Tone, word: string]> = {
  ok: ["good", "right"],
  missing: ["bad", "missing"],
  mismatch: ["bad", "differs"],
  multiple: ["bad", "more than one"],
  unknown: ["quiet", "not known"],
};

/** One record: what it is for, what is wanted beside what is there, and what to do. */
export function DoctorRecord({ record }: { record: AdvisedDomainRecord }) {
  const { purpose, type, host, host_in_zone: name, expected, found, status, required } = record;
  const [tone, word] = STATES[status];
  const title = PURPOSES[purpose];
  const todo = todoOf(record);
  const isMild = !required && tone === "bad";
  return (
    <li class={status === "ok" ? "sheet record right" : "sheet record"}>
      <div class="sheet-head">
        <h2>{title}</h2>
        <Status tone={isMild ? "warn" : tone}>{word}</Status>
        <span class="dim">
          {type} at <code>{host}</code>
          {required ? "" : ", not required"}
        </span>
      </div>
      {record.why !== null && <p>{record.why}</p>}
      {todo !== null && (
        <p>
          <b>To do:</b> {todo}
        </p>
      )}
      {status === "ok" ? (
        <p class="value" title={found[0] ?? expected}>
          <code>{found[0] ?? expected}</code>
        </p>
      ) : (
        <dl class="compare">
          <div>
            <dt>Name</dt>
            <dd>
              <code>{name}</code>{" "}
              <CopyButton text={name} label={`Copy the name for ${title}`} isSmall />{" "}
              <span class="dim">in the zone {zoneOf(host, name)}</span>
            </dd>
          </div>
          <Compared record={record} title={title} />
        </dl>
      )}
    </li>
  );
}

/** What the advice repeats of what stands beneath is left out. */
function todoOf({ status, fix, expected }: AdvisedDomainRecord): string | null {
  if (fix === null) return null;
  if (status === "missing" && fix.startsWith("In the zone ")) return null;
  return fix.endsWith(expected) ? `${fix.slice(0, -expected.length)}the value below.` : fix;
}

const zoneOf = (host: string, name: string): string =>
  name === "@" ? host : host.slice(name.length + 1);

function Compared({ record, title }: { record: AdvisedDomainRecord; title: string }) {
  const { expected, found } = record;
  const differences = found.map((text) => dnsDifference(expected, text));
  // Beside what is nearest to it.
  const nearest = differences.toSorted((a, b) => lacking(a.expected) - lacking(b.expected))[0];
  // Where a part is the owner's to know, and where one of several is to go, no word of them is wrong.
  const isPlain = nearest === undefined || isOpen(expected) || record.status === "multiple";
  const wanted = nearest?.expected ?? [{ text: expected, kind: "same" as const }];
  return (
    <>
      <div>
        <dt>Expected</dt>
        <dd>
          <Marked pieces={wanted} isPlain={isPlain} />{" "}
          {!isOpen(expected) && (
            <CopyButton text={expected} label={`Copy the value for ${title}`} isSmall />
          )}
        </dd>
      </div>
      <div>
        <dt>Found</dt>
        <dd>
          {found.length === 0
            ? "nothing"
            : found.map((text, index) => (
                <p key={text}>
                  <Marked
                    pieces={differences[index]!.found}
                    isPlain={isPlain || /^\(.*\)$/.test(text)}
                  />
                </p>
              ))}
        </dd>
      </div>
    </>
  );
}

const lacking = (pieces: Piece[]): number =>
  pieces.reduce((sum, { kind, text }) => (kind === "lacking" ? sum + text.length : sum), 0);

/** What differs is marked, and said to who does not see the mark. */
function Marked({ pieces, isPlain }: { pieces: Piece[]; isPlain: boolean }) {
  return (
    <code>
      {pieces.map(({ text, kind }, index) =>
        isPlain || kind === "same" ? (
          <span key={index}>{text}</span>
        ) : (
          <mark key={index} class={kind}>
            <span class="sr">{kind === "lacking" ? "not there: " : "otherwise: "}</span>
            {text}
          </mark>
        ),
      )}
    </code>
  );
}
