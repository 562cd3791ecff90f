import type { SessionVia } from "../../../api/schema.ts";
import { useAction, useQuery } from "../../../api/use.ts";
import { confirm } from "../../../parts/confirm.tsx";
import { Part } from "../../../parts/load.tsx";
import { Section } from "../../../parts/page.tsx";
import { ProblemNote } from "../../../parts/problem.tsx";
import { Status } from "../../../parts/status.tsx";
import { enterWorkspace, leaveWorkspace } from "./enter.ts";

/** The signed-in person's workspaces and sessions. */
export function Yours({ via }: { via: SessionVia | undefined }) {
  if (via === "key")
    return (
      <Section title="You">
        <p class="dim">
          You are signed in by an API key, which is of this workspace alone. Sign in by a login to
          change between workspaces, or to sign out everywhere.
        </p>
      </Section>
    );
  if (via === undefined) return null;
  return <OfLogin />;
}

function OfLogin() {
  const joined = useQuery("listJoinedWorkspaces");
  const choose = useAction("chooseWorkspace");
  const revoke = useAction("revokeSessions");
  async function enter(id: string): Promise<void> {
    if (await choose.run({ body: { workspace_id: id } })) enterWorkspace();
  }
  async function askRevoke(): Promise<void> {
    const isSure = await confirm({
      title: "Sign out everywhere?",
      body: "Every session of yours ends, in whatever browser, this one too. API keys go on.",
      confirm: "Sign out everywhere",
      isDangerous: true,
    });
    if (isSure && (await revoke.run({}))) leaveWorkspace();
  }
  const problem = choose.problem ?? revoke.problem;
  return (
    <Section
      title="Your workspaces"
      actions={
        <button
          type="button"
          class="btn"
          disabled={revoke.isRunning}
          onClick={() => void askRevoke()}
        >
          Sign out everywhere
        </button>
      }
    >
      {problem !== undefined && <ProblemNote problem={problem} />}
      <Part of={joined} lines={2}>
        {({ items }) => (
          <ul class="plain needs">
            {items.map(({ id, name, role, is_current: isCurrent }) => (
              <li key={id}>
                <span>{isCurrent ? <Status tone="good">here</Status> : null}</span>
                <div>
                  <b>{name}</b>
                  <small>{role}</small>
                </div>
                <div>
                  {!isCurrent && (
                    <button
                      type="button"
                      class="btn"
                      disabled={choose.isRunning}
                      onClick={() => void enter(id)}
                    >
                      Go there<span class="sr"> to {name}</span>
                    </button>
                  )}
                </div>
              </li>
            ))}
          </ul>
        )}
      </Part>
    </Section>
  );
}
