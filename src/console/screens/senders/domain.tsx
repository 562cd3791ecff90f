import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { serverNow } from "../../api/clock.ts";
import { poll } from "../../api/poll.ts";
import type { MailDomain } from "../../api/schema.ts";
import { useAction, useQuery } from "../../api/use.ts";
import { useKeys } from "../../keys.ts";
import { confirm } from "../../parts/confirm.tsx";
import { CopyButton } from "../../parts/copy.tsx";
import { DeleteProblem } from "../../parts/in-use.tsx";
import { Part } from "../../parts/load.tsx";
import { Menu } from "../../parts/menu.tsx";
import { Page, Section } from "../../parts/page.tsx";
import { ProblemNote } from "../../parts/problem.tsx";
import { State } from "../../parts/status.tsx";
import { Time } from "../../parts/time.tsx";
import { toast } from "../../parts/toast.tsx";
import { bindText } from "../../pure/bind-text.ts";
import { domainSentence } from "../../pure/domain-words.ts";
import { timeWords } from "../../pure/time-words.ts";
import { go, href } from "../../router.ts";
import type { ScreenProps } from "../../routes.ts";
import { DomainLimit } from "./domain-limit.tsx";
import { DomainHealth } from "./domain-health.tsx";
import { DomainPostmaster } from "./domain-postmaster.tsx";
import { DomainOperators } from "./domain-operators.tsx";
import { DomainReports } from "./domain-reports.tsx";
import { DoctorRecord } from "./domain-record.tsx";

/** DNS takes a while: so often it is looked again, while one watches. */
const LOOK_EVERY_S = 20;

/** The doctor: what DNS should have beside what it has. */
export function DomainScreen({ params, query }: ScreenProps) {
  const of = { params: { domain_id: params["id"]! } };
  const domain = useQuery("getMailDomain", of);
  const check = useAction("verifyMailDomain");
  const remove = useAction("deleteMailDomain");
  const isWatching = useSignal(false);
  const look = async () => {
    await check.run(of);
  };
  useKeys([{ key: "c", label: "Check again", run: () => void look() }]);
  const { data } = domain;
  const isDone = data !== undefined && data.records.every(({ status }) => status === "ok");
  useEffect(() => {
    if (!isWatching.value || isDone) return undefined;
    return poll(() => LOOK_EVERY_S, look);
  }, [isWatching.value, isDone]);

  async function askToDelete(known: MailDomain): Promise<void> {
    const isSure = await confirm({
      title: `Delete ${known.domain}?`,
      body: "Its signing keys are forgotten: mail from this domain is no longer signed by us, and the records that you published are of no use. Adding it again makes new ones.",
      facts: [["Records", String(known.records.length)]],
      typed: known.domain,
      confirm: "Delete the domain",
      isDangerous: true,
    });
    if (isSure && (await remove.run(of, { ifMatch: domain.etag }))) {
      toast(`${known.domain} is deleted.`);
      go("/senders/domains");
    }
  }
  return (
    <Page
      title={data?.domain ?? "Domain"}
      crumbs={[
        { label: "Senders", href: href("/senders") },
        { label: "Domains", href: href("/senders/domains") },
      ]}
      meta={
        data && (
          <>
            <State of={data.status} />
            <span class="dim">
              {data.checked_at === null ? "never checked" : <Checked at={data.checked_at} />}
            </span>
          </>
        )
      }
      actions={
        data && (
          <>
            <button
              type="button"
              class="btn main"
              disabled={check.isRunning}
              onClick={() => void look()}
            >
              {check.isRunning ? "Looking" : "Check again"} <kbd>C</kbd>
            </button>
            <Menu
              label="More"
              items={[{ label: "Delete", isDangerous: true, run: () => void askToDelete(data) }]}
            />
          </>
        )
      }
    >
      {check.problem !== undefined && <ProblemNote problem={check.problem} />}
      {remove.problem !== undefined && <DeleteProblem problem={remove.problem} />}
      <Part of={domain} lines={10}>
        {(now) => (
          <>
            <Section title={domainSentence(now)} note={failing(now)}>
              {!isDone && (
                <div class="check">
                  <input
                    type="checkbox"
                    id="watching"
                    checked={isWatching.value}
                    onChange={(event) => (isWatching.value = event.currentTarget.checked)}
                  />
                  <label for="watching">
                    Look again every {LOOK_EVERY_S} seconds until all is right
                  </label>
                </div>
              )}
            </Section>
            <ol class="records" aria-label={`Records of ${now.domain}`}>
              {worstFirst(now.records).map((record) => (
                <DoctorRecord key={`${record.purpose} ${record.host}`} record={record} />
              ))}
            </ol>
            <DomainHealth id={now.id} />
            <DomainPostmaster id={now.id} came={query.get("status")} />
            <DomainOperators id={now.id} />
            <DomainReports id={now.id} />
            <Bind of={now} />
            <DomainLimit of={now} etag={domain.etag ?? null} />
          </>
        )}
      </Part>
    </Page>
  );
}

/** What is to be done stands first, in the order of setting a domain up. */
const worstFirst = (records: MailDomain["records"]) => {
  const rank = ({ status, required }: (typeof records)[number]) =>
    status === "ok" ? 2 : required ? 0 : 1;
  return records.toSorted((a, b) => rank(a) - rank(b));
};

const failing = ({ failing_since: since }: MailDomain) =>
  since === null ? undefined : (
    <>
      It fails since <Time at={since} />; after three days its senders are closed.
    </>
  );

const TICK_MS = 1000;

/** "checked 12 s ago", counted while one looks. */
function Checked({ at }: { at: string }) {
  const tick = useSignal(0);
  useEffect(() => {
    const timer = setInterval(() => tick.value++, TICK_MS);
    return () => clearInterval(timer);
  }, []);
  void tick.value;
  // A stack whose clock was just moved is ahead of what is known of it here.
  const now = Math.max(serverNow(), Date.parse(at));
  return <>checked {timeWords(new Date(at), "ago", new Date(now))}</>;
}

function Bind({ of }: { of: MailDomain }) {
  const text = bindText(of.domain, of.records);
  return (
    <Section
      title="All of it for a zone file"
      note="BIND's notation"
      actions={<CopyButton text={text} label="Copy all records" />}
    >
      <details>
        <summary>Show it</summary>
        <pre class="code" tabIndex={0}>
          {text}
        </pre>
      </details>
    </Section>
  );
}
