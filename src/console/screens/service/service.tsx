import type { Component as Part_ } from "../../api/schema.ts";
import { useQuery } from "../../api/use.ts";
import { Part } from "../../parts/load.tsx";
import { Page, Section } from "../../parts/page.tsx";
import { State } from "../../parts/status.tsx";
import { Table } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { num } from "../../pure/words.ts";

const NAMES: Record<string, string> = {
  database: "Database",
  cache: "Quotas and cache",
  workflow_engine: "Sending engine",
  vault: "Encryption of credentials",
  ledger: "Credit ledger",
  mailer: "Mail",
  outbox: "Outbox",
  verifier: "Address verification",
  facilitator: "Wallet payments",
  model: "Language model",
  network: "Professional network",
};

/** Of how good it is the worst stands first. */
const RANK: Record<Part_["status"], number> = {
  unhealthy: 0,
  degraded: 1,
  healthy: 2,
  not_configured: 3,
};

const SENTENCES = {
  healthy: "Everything that is configured works.",
  degraded: "It works, but something is not as it should be.",
  unhealthy: "It cannot work now: nothing is sent until this is mended.",
};

export function ServiceScreen() {
  const status = useQuery("status", undefined, { every: 15 });
  return (
    <Page title="Service" meta={status.data && <State of={status.data.status} />}>
      <Part of={status} lines={9}>
        {({ status: overall, components, timestamp }) => (
          <Section
            title={SENTENCES[overall]}
            note={
              <>
                Looked at <Time at={timestamp} as="clock" />, every 15 seconds
              </>
            }
            flush
          >
            <Table
              caption="Components of the service"
              rows={Object.entries(components).toSorted(
                ([, a], [, b]) => RANK[a.status] - RANK[b.status],
              )}
              keyOf={([name]) => name}
              columns={[
                { head: "Component", cell: ([name]) => NAMES[name] ?? name },
                { head: "State", cell: ([, { status: state }]) => <State of={state} /> },
                {
                  head: "What it says",
                  cell: ([, { detail }]) =>
                    detail === undefined ? null : <span class="dim">{detail}</span>,
                },
                {
                  head: "Answered in",
                  isNumber: true,
                  cell: ([, { latency_ms: ms, status: state }]) =>
                    state === "not_configured" ? null : `${num(ms)} ms`,
                },
              ]}
            />
          </Section>
        )}
      </Part>
    </Page>
  );
}
