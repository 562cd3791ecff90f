import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Problem } from "../../api/problem.ts";
import type { AccountConnected, CheckpointAnswered, ConnectedAccount } from "../../api/schema.ts";
import { useWrite } from "../../api/use.ts";
import { TextField } from "../../parts/fields.tsx";
import { Form, useForm } from "../../parts/form.tsx";
import { toast } from "../../parts/toast.tsx";

const GOOD_FOR_SECONDS = 5 * 60;
const TRIES = 5;

interface Checkpoint {
  token: string;
  type: string;
  endsAt: number;
}

/** By name and password, which the page forgets at once; and by what the network asks besides. */
export function Connect({
  account,
  onClose,
}: {
  account: ConnectedAccount | undefined;
  onClose(): void;
}) {
  const checkpoint = useSignal<Checkpoint | null>(null);
  const again = useSignal(0);
  function took(answer: AccountConnected | CheckpointAnswered): void {
    if (answer.success) {
      toast(`${answer.account.display_name || "The account"} is connected.`);
      onClose();
      return;
    }
    const token = answer.checkpoint_token;
    // It is told once: a repetition has what the first try was answered, without it.
    if (token == null)
      throw new Problem(
        200,
        "TOKEN_LOST",
        "The network asks for more, and its question was lost on its way. Begin again, and it asks anew.",
      );
    const endsAt = Date.now() + GOOD_FOR_SECONDS * 1000;
    checkpoint.value = {
      token,
      type: answer.checkpoint_type ?? "otp",
      endsAt,
    };
  }
  const now = checkpoint.value;
  if (now === null)
    return <Login key={again.value} account={account} onAnswer={took} onClose={onClose} />;
  return (
    <Code
      key={now.token}
      of={now}
      onAnswer={took}
      onOver={() => {
        checkpoint.value = null;
        again.value++;
      }}
    />
  );
}

function Login(props: {
  account: ConnectedAccount | undefined;
  onAnswer(answer: AccountConnected): void;
  onClose(): void;
}) {
  const { account, onAnswer, onClose } = props;
  const [connect, reconnect] = [useWrite("connectAccount"), useWrite("reconnectAccount")];
  const form = useForm(
    `connect ${account?.id ?? ""}`,
    { username: "", password: "", country: account?.connection_country ?? "" },
    { secrets: ["password"] },
  );
  return (
    <Form
      form={form}
      submit={account === undefined ? "Connect" : "Connect again"}
      onCancel={onClose}
      onSend={async ({ username, password, country }) => {
        const where = country.trim().toUpperCase();
        const body = {
          username: username.trim(),
          password,
          ...(where !== "" && { country: where }),
        };
        const answer = await (account === undefined
          ? connect({ body })
          : reconnect({ params: { account_id: account.id }, body }));
        onAnswer(answer);
        form.discard();
      }}
    >
      <TextField
        form={form}
        name="username"
        label="Username"
        hint="The email address or telephone number that you sign in with there."
        autocomplete="off"
        spellcheck={false}
        required
      />
      <TextField
        form={form}
        name="password"
        label="Password"
        type="password"
        autocomplete="off"
        hint="It goes to the network in this one request and is kept nowhere, not in this page either."
        required
      />
      <TextField
        form={form}
        name="country"
        label="Country"
        maxLength={2}
        hint="Two letters: from where the session is opened, best where you are. Empty: the provider chooses."
      />
    </Form>
  );
}

const ASKS: Record<string, [label: string, hint: string]> = {
  otp: ["Code", "The network sent it by mail or message."],
  two_factor: ["Code", "From your authenticator app, or by message."],
  captcha: ["Answer", "What the network asks to see that you are a person."],
  phone_register: ["Telephone number", "The network wants one, such as (+33)0612345678."],
};

/** What the network asks besides: five minutes and five tries. */
function Code(props: {
  of: Checkpoint;
  onAnswer(answer: CheckpointAnswered): void;
  onOver(): void;
}) {
  const { of, onAnswer, onOver } = props;
  const answer = useWrite("answerCheckpoint");
  const form = useForm("checkpoint", { code: "" }, { secrets: ["code"] });
  const left = useSignal(Math.ceil((of.endsAt - Date.now()) / 1000));
  const tries = useSignal(TRIES);
  /** By the network's own clock, or by another login. */
  const isOver = useSignal(false);
  useEffect(() => {
    const timer = setInterval(
      () => (left.value = Math.max(0, Math.ceil((of.endsAt - Date.now()) / 1000))),
      1000,
    );
    return () => clearInterval(timer);
  }, [of.token]);
  const isApp = of.type === "in_app_validation";
  const [label, hint] = ASKS[of.type] ?? ["Answer", `The network asks for: ${of.type}.`];
  if (isOver.value || left.value === 0 || tries.value === 0)
    return (
      <>
        <p class="note warn" role="alert">
          <b>{tries.value === 0 ? "The five tries are used up." : "The five minutes are over."}</b>{" "}
          The network asks anew once you begin again.
        </p>
        <div class="dialog-foot">
          <button type="button" class="btn main" onClick={onOver}>
            Begin again
          </button>
        </div>
      </>
    );
  return (
    <Form
      form={form}
      submit={isApp ? "I have approved it" : "Send the code"}
      onCancel={onOver}
      onSend={async ({ code }) => {
        try {
          const reply = await answer({
            body: { checkpoint_token: of.token, code: isApp ? "" : code.trim() },
          });
          if (!reply.success && reply.checkpoint_token === of.token)
            throw new Problem(
              200,
              "NOT_YET",
              "It was not approved in the app yet. Approve it there, then press again.",
            );
          onAnswer(reply);
          form.discard();
        } catch (error) {
          const code_ = error instanceof Problem ? error.code : "";
          if (code_ === "CHECKPOINT_CODE_INVALID") tries.value--;
          if (code_ === "CHECKPOINT_EXPIRED") isOver.value = true;
          throw error;
        }
      }}
    >
      <p role="timer">
        {Math.floor(left.value / 60)}:{String(left.value % 60).padStart(2, "0")} left
        {!isApp && `, ${tries.value} ${tries.value === 1 ? "try" : "tries"}`}.
      </p>
      {isApp ? (
        <p>Open the network’s app and say yes to this sign-in.</p>
      ) : (
        <TextField
          form={form}
          name="code"
          label={label}
          hint={hint}
          autocomplete="one-time-code"
          required
        />
      )}
    </Form>
  );
}
