import type { CreditBalance } from "../../api/schema.ts";
import { useQuery } from "../../api/use.ts";
import { Part } from "../../parts/load.tsx";
import { Page, Section } from "../../parts/page.tsx";
import { Status } from "../../parts/status.tsx";
import { num } from "../../pure/words.ts";
import type { ScreenProps } from "../../routes.ts";
import { CameBack } from "./came-back.tsx";
import { Ledger } from "./ledger.tsx";
import { Packs } from "./packs.tsx";

export function CreditsScreen({ query }: ScreenProps) {
  const balance = useQuery("getCreditBalance", {}, { every: 30 });
  return (
    <Page
      title="Credits"
      meta={
        balance.data && (
          <Status tone={balance.data.plan === "paid" ? "good" : "quiet"}>
            {balance.data.plan} plan
          </Status>
        )
      }
    >
      <CameBack session={query.get("session")} isCancelled={query.get("cancelled") !== null} />
      <div class="stack">
        <div class="two">
          <Section title="Balance">
            <Part of={balance} lines={3}>
              {(now) => <Balance of={now} />}
            </Part>
          </Section>
          <Packs />
        </div>
        <Ledger />
      </div>
    </Page>
  );
}

function Balance({ of: { available, held, owed, plan } }: { of: CreditBalance }) {
  return (
    <>
      <p class="figures">
        <span>
          <b class="figure">{num(available)}</b> to spend
        </span>
        <span>
          <b class="figure">{num(held)}</b> reserved by work under way
        </span>
        {owed > 0 && (
          <span>
            <b class="figure">{num(owed)}</b> owed
          </span>
        )}
      </p>
      {owed > 0 && (
        <p class="note warn">
          <b>{num(owed)} credits are owed:</b> they were spent before their purchase was refunded.
          The next ones that you buy pay them first.
        </p>
      )}
      <p class="hint">
        {plan === "free"
          ? "The free plan sends as any other; API keys, verifying and finding need a paid one. Buying any pack makes the workspace paid."
          : "Campaigns and mail cost no credits: they pay for what is verified, found and written."}
      </p>
    </>
  );
}
