import { useSignal } from "@preact/signals";
import type { Webhook, WebhookSecret, WebhookTest } from "../../../api/schema.ts";
import { useAction } from "../../../api/use.ts";
import { useKeys } from "../../../keys.ts";
import { confirm } from "../../../parts/confirm.tsx";
import { Dialog } from "../../../parts/dialog.tsx";
import { Menu } from "../../../parts/menu.tsx";
import { ProblemNote } from "../../../parts/problem.tsx";
import { Time } from "../../../parts/time.tsx";
import { toast } from "../../../parts/toast.tsx";
import { go } from "../../../router.ts";
import { Replay } from "./replay.tsx";
import { SecretDialog } from "./secret.tsx";

/** What can be done with a webhook as it is now. */
export function WebhookVerbs({ hook, onEdit }: { hook: Webhook; onEdit(): void }) {
  const test = useAction("testWebhook");
  const change = useAction("changeWebhook");
  const enable = useAction("enableWebhook");
  const rotate = useAction("rotateWebhookSecret");
  const remove = useAction("deleteWebhook");
  const tested = useSignal<WebhookTest | null>(null);
  const secret = useSignal<WebhookSecret | null>(null);
  const isReplaying = useSignal(false);
  const params = { webhook_id: hook.id };

  async function sendTest(): Promise<void> {
    tested.value = null;
    tested.value = (await test.run({ params })) ?? null;
  }
  async function setStatus(status: "active" | "paused"): Promise<void> {
    if (await change.run({ params, body: { status } }))
      toast(status === "paused" ? "The webhook is paused." : "The webhook goes on.");
  }
  async function askRotate(): Promise<void> {
    const isSure = await confirm({
      title: "Give it a new secret?",
      body: "Messages are signed with both secrets for a day, so that your receiver can change over. After that the one of now counts no more.",
      confirm: "Make a new secret",
    });
    if (isSure) secret.value = (await rotate.run({ params })) ?? null;
  }
  async function askDelete(): Promise<void> {
    const isSure = await confirm({
      title: "Delete the webhook?",
      body: `Nothing is sent to ${hook.url} any more, and its deliveries are forgotten.`,
      confirm: "Delete the webhook",
      isDangerous: true,
    });
    if (isSure && (await remove.run({ params }))) {
      toast("The webhook is deleted.");
      go("/settings/webhooks");
    }
  }
  useKeys([{ key: "t", label: "Send a test", run: () => void sendTest() }]);
  const problem = [test, change, enable, rotate, remove].find((each) => each.problem)?.problem;
  return (
    <div>
      {problem !== undefined && <ProblemNote problem={problem} />}
      <div class="row">
        <button
          type="button"
          class="btn main"
          disabled={test.isRunning}
          onClick={() => void sendTest()}
        >
          {test.isRunning ? "Sending the test" : "Send a test"} <kbd>T</kbd>
        </button>
        {hook.status === "active" && hook.failing_since === null && (
          <button type="button" class="btn" onClick={() => void setStatus("paused")}>
            Pause
          </button>
        )}
        {hook.status === "paused" && (
          <button type="button" class="btn" onClick={() => void setStatus("active")}>
            Let it go on
          </button>
        )}
        {(hook.status === "disabled" || hook.failing_since !== null) && (
          <button
            type="button"
            class="btn"
            disabled={enable.isRunning}
            onClick={() =>
              void enable
                .run({ params })
                .then((done) => done && toast("It is tried again at once."))
            }
          >
            {hook.status === "disabled" ? "Enable it" : "Try it again now"}
          </button>
        )}
        <button type="button" class="btn" onClick={onEdit}>
          Change
        </button>
        <Menu
          label="More"
          items={[
            { label: "Send again what it had", run: () => (isReplaying.value = true) },
            { label: "New secret", run: () => void askRotate() },
            { label: "Delete", isDangerous: true, run: () => void askDelete() },
          ]}
        />
      </div>
      {tested.value !== null && <TestAnswer of={tested.value} />}
      {isReplaying.value && (
        <Dialog title="Send again what it had" onClose={() => (isReplaying.value = false)}>
          <Replay webhookId={hook.id} onDone={() => (isReplaying.value = false)} />
        </Dialog>
      )}
      {secret.value !== null && (
        <SecretDialog
          title="The new secret"
          secret={secret.value.secret}
          onClose={() => (secret.value = null)}
        >
          <p class="hint">
            The one before signs as well until <Time at={secret.value.previous_until} />.
          </p>
        </SecretDialog>
      )}
    </div>
  );
}

/** What the receiver said, as it said it. */
function TestAnswer({ of: { delivered, status, answer, error } }: { of: WebhookTest }) {
  return (
    <div class={delivered ? "note good" : "note bad"} role="status">
      <p>
        <b>{delivered ? "The test was taken." : "The test did not get through."}</b>{" "}
        {status !== null && `Your receiver answered ${status}.`} {error}
      </p>
      {answer !== null && answer !== "" && (
        <p>
          <code>{answer}</code>
        </p>
      )}
    </div>
  );
}
