import type { DomainPostmaster as Figures } from "../../api/schema.ts";
import { useAction, useQuery } from "../../api/use.ts";
import { confirm } from "../../parts/confirm.tsx";
import { Part } from "../../parts/load.tsx";
import { Section } from "../../parts/page.tsx";
import { ProblemNote } from "../../parts/problem.tsx";
import { Status } from "../../parts/status.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { consentWords } from "../../pure/sender-words.ts";
import { words } from "../../pure/words.ts";
import { href } from "../../router.ts";

/** What Gmail says of the domain's mail, and the way to have it told; `came` is how a consent ended, of which one comes back. */
export function DomainPostmaster({ id, came }: { id: string; came: string | null }) {
  const of = { params: { domain_id: id } };
  const figures = useQuery("getDomainPostmaster", of);
  const connect = useAction("connectDomainPostmaster");
  const disconnect = useAction("disconnectDomainPostmaster");
  async function begin(): Promise<void> {
    const back = new URL(href(`/senders/domains/${id}`), location.href).href;
    const begun = await connect.run({ ...of, body: { return_url: back } });
    if (begun?.authorize_url) location.assign(begun.authorize_url);
  }
  async function end(): Promise<void> {
    const body = "Its figures are not read any more. Those that were read stay.";
    if (await confirm({ title: "Disconnect Postmaster Tools?", confirm: "Disconnect", body }))
      await disconnect.run(of);
  }
  return (
    <Section title="What Gmail says">
      {came !== null && came !== "connected" && (
        <div class="note bad" role="status">
          <p>{consentWords(came).text}</p>
        </div>
      )}
      {connect.problem !== undefined && <ProblemNote problem={connect.problem} />}
      {disconnect.problem !== undefined && <ProblemNote problem={disconnect.problem} />}
      <Part of={figures} lines={4}>
        {(now) => (
          <>
            <State of={now} />
            {now.compliance !== null && <Compliance rows={now.compliance} />}
            {now.days.length > 0 && (
              <Table
                caption={`Gmail's figures of ${now.domain}`}
                rows={now.days.toReversed()}
                keyOf={({ day }) => day}
                columns={COLUMNS}
              />
            )}
            <p class="note-foot">
              <button
                type="button"
                class={now.status === "connected" ? "btn" : "btn main"}
                disabled={connect.isRunning}
                onClick={() => void begin()}
              >
                {now.status === "not_connected" ? "Connect Postmaster Tools" : "Connect again"}
              </button>{" "}
              {now.status !== "not_connected" && (
                <button type="button" class="btn" onClick={() => void end()}>
                  Disconnect
                </button>
              )}
            </p>
          </>
        )}
      </Part>
    </Section>
  );
}

function State({ of: { status, fetched_at, last_error, days } }: { of: Figures }) {
  if (status === "not_connected")
    return (
      <p class="dim">
        Gmail tells nobody who reported a message as spam, but its Postmaster Tools tell a domain's
        owner how many did. Add the domain at postmaster.google.com, then connect it here: you are
        led to Google and come back.
      </p>
    );
  return (
    <>
      {last_error !== null && <p class="note warn">{last_error}</p>}
      {status === "connected" && days.length === 0 && (
        <p class="dim">Gmail has no figures yet: it wants some mail a day for that.</p>
      )}
      {fetched_at !== null && (
        <small>
          Read <Time at={fetched_at} />
        </small>
      )}
    </>
  );
}

function Compliance({ rows }: { rows: NonNullable<Figures["compliance"]> }) {
  const lacking = rows.filter(({ status }) => status === "needs_work");
  if (lacking.length === 0) return <p>Gmail sees all of its requirements kept.</p>;
  return (
    <ul class="plain" aria-label="What Gmail sees not kept">
      {lacking.map(({ requirement, reason }) => (
        <li key={requirement}>
          <Status tone="bad">needs work</Status> {words(requirement)}
          {reason !== null && <small> {words(reason)}</small>}
        </li>
      ))}
    </ul>
  );
}

type Day = Figures["days"][number];
const percent = (share: number | null) => (share === null ? "" : `${share} %`);
const share = (head: string, of: (day: Day) => number | null): Column<Day> => ({
  head,
  cell: (day) => percent(of(day)),
  isNumber: true,
});

const COLUMNS: Column<Day>[] = [
  { head: "Day", cell: ({ day }) => day },
  share("Spam", ({ spam_percent: spam }) => spam),
  share("SPF", ({ spf_percent: spf }) => spf),
  share("DKIM", ({ dkim_percent: dkim }) => dkim),
  share("DMARC", ({ dmarc_percent: dmarc }) => dmarc),
  share("Refused", ({ rejected_percent: refused }) => refused),
  share("Put off", ({ deferred_percent: deferred }) => deferred),
];
