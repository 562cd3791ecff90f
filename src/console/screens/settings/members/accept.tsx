import { useWrite } from "../../../api/use.ts";
import { asProblem, type Problem } from "../../../api/problem.ts";
import { useSignal } from "@preact/signals";
import { Empty, Page, Section } from "../../../parts/page.tsx";
import { ProblemNote } from "../../../parts/problem.tsx";
import type { ScreenProps } from "../../../routes.ts";
import { me } from "../../../session.ts";
import { enterWorkspace } from "./enter.ts";

/** Behind the link of an invitation. */
export function AcceptScreen({ params }: ScreenProps) {
  const accept = useWrite("acceptInvitation");
  const choose = useWrite("chooseWorkspace");
  const isRunning = useSignal(false);
  const problem = useSignal<Problem | undefined>(undefined);
  async function join(): Promise<void> {
    if (isRunning.peek()) return;
    isRunning.value = true;
    problem.value = undefined;
    try {
      const { workspace_id: id } = await accept({ params: { token: params["token"]! } });
      await choose({ body: { workspace_id: id } });
      enterWorkspace();
    } catch (error) {
      problem.value = asProblem(error);
    } finally {
      isRunning.value = false;
    }
  }
  const who = me.value?.email ?? me.value?.name;
  return (
    <Page title="You are invited">
      {problem.value !== undefined && <ProblemNote problem={problem.value} />}
      <Section>
        <Empty
          title="Work together in a workspace."
          action={
            <button
              type="button"
              class="btn main"
              disabled={isRunning.value}
              onClick={() => void join()}
            >
              {isRunning.value ? "Joining" : "Accept and go there"}
            </button>
          }
        >
          {who === undefined || who === null
            ? "You are signed in."
            : `You are signed in as ${who}.`}{" "}
          The invitation is for one address: if it went to another of yours, sign out and come back
          with that.
        </Empty>
      </Section>
    </Page>
  );
}
