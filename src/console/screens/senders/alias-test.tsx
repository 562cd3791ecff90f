import type { MailAlias, MailAliasTest } from "../../api/schema.ts";
import { useAction } from "../../api/use.ts";
import { Facts, Section } from "../../parts/page.tsx";
import { ProblemNote } from "../../parts/problem.tsx";
import { Status } from "../../parts/status.tsx";
import { Time } from "../../parts/time.tsx";
import { href } from "../../router.ts";

const STAGES = ["connect", "greeting", "tls", "ehlo", "auth", "sender", "ready"] as const;
const STAGE_WORDS: Record<(typeof STAGES)[number], string> = {
  connect: "the server is reached",
  greeting: "it greets",
  tls: "the line is encrypted",
  ehlo: "it says what it can",
  auth: "the login is taken",
  sender: "the address may send",
  ready: "mail can be sent",
};

/** How far the test came, step by step. */
export function AliasTest({ of }: { of: MailAliasTest }) {
  const reached = STAGES.indexOf(of.stage);
  return (
    <Section
      title={of.ok ? "The test went well" : "The test failed"}
      note={<Time at={of.checked_at} as="ago" />}
    >
      <p>{of.message}</p>
      <ol class="plain steps">
        {STAGES.slice(0, of.ok ? undefined : reached + 1).map((stage, index) => {
          const isGood = of.ok || index < reached;
          return (
            <li key={stage} class="row">
              <Status tone={isGood ? "good" : "bad"}>{isGood ? "yes" : "no"}</Status>
              {STAGE_WORDS[stage]}
            </li>
          );
        })}
      </ol>
      <Facts
        of={[
          ...(of.inbox === undefined
            ? []
            : [["Inbox", of.inbox.ok ? "can be read" : of.inbox.message] as [string, string]]),
          [
            "Replies",
            of.token_mailed_to === null
              ? { yes: "come back", no: "do not come back", unknown: "were not tested" }[
                  of.replies_return
                ]
              : `a mail went to ${of.token_mailed_to}; whether it comes back shows here within minutes`,
          ],
        ]}
      />
    </Section>
  );
}

/** The way to the provider's page where access is given, and back here. */
export function OauthConnect({ of: { id, oauth } }: { of: MailAlias }) {
  const connect = useAction("connectMailAlias");
  if (oauth === null) return null;
  const name = { google: "Google", microsoft: "Microsoft", other: "the provider" }[oauth.provider];
  async function begin(provider: NonNullable<typeof oauth>["provider"]): Promise<void> {
    const back = new URL(href(`/senders/aliases/${id}`), location.href).href;
    const begun = await connect.run({
      params: { alias_id: id },
      body: { provider, return_url: back },
    });
    if (begun?.authorize_url) location.assign(begun.authorize_url);
  }
  return (
    <Section title={oauth.connected ? `Connected at ${name}` : `Not connected at ${name} yet`}>
      {connect.problem !== undefined && <ProblemNote problem={connect.problem} />}
      <p class="dim">
        You are led to {name}, sign in there as the owner of the mailbox, and come back here.
      </p>
      <p class="note-foot">
        <button
          type="button"
          class={oauth.connected ? "btn" : "btn main"}
          disabled={connect.isRunning}
          onClick={() => void begin(oauth.provider)}
        >
          {oauth.connected ? "Connect again" : `Give access at ${name}`}
        </button>
      </p>
    </Section>
  );
}
