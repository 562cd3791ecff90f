import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { shown } from "../api/call.ts";
import { useQuery } from "../api/use.ts";
import { Dialog } from "../parts/dialog.tsx";
import { TextField } from "../parts/fields.tsx";
import { Form, useForm } from "../parts/form.tsx";
import { Part } from "../parts/load.tsx";
import { me, signIn } from "../session.ts";
import { Logo } from "./rail.tsx";

/** In the place of the whole page, at the address that was asked for: it is shown as soon as one is in. */
export function SignInScreen() {
  useEffect(() => {
    document.title = "Sign in - Overture";
  }, []);
  return (
    <main id="main" class="sign-in">
      <div class="sheet">
        <Logo />
        <h1>Sign in</h1>
        <SignIn />
      </div>
    </main>
  );
}

/** Above a page whose session ended: nothing on it is lost. Put off, it stays a line on the page. */
export function SignInAgain() {
  const isLater = useSignal(false);
  if (isLater.value)
    return (
      <p class="offline signed-out" role="status">
        <b>You are signed out.</b> What you see is of before.{" "}
        <button type="button" class="link" onClick={() => (isLater.value = false)}>
          Sign in
        </button>
      </p>
    );
  return (
    <Dialog title="Sign in again" onClose={() => (isLater.value = true)}>
      <p>
        Your session ended{me.value?.email ? ` (${me.value.email})` : ""}. The page beneath stays as
        it is; what you typed is kept.
      </p>
      <SignIn />
    </Dialog>
  );
}

function SignIn() {
  const config = useQuery("getSignInConfig");
  return (
    <Part of={config} lines={2}>
      {({ login, paste, issuer }) => (
        <>
          {login && (
            <p>
              <a class="btn main wide" href={`/api/v2/auth/login?${back()}`}>
                Sign in{issuer === undefined ? "" : ` with ${hostOf(issuer)}`}
              </a>
            </p>
          )}
          {login && paste && <p class="or">or</p>}
          {paste && <PasteForm isOnly={!login} />}
        </>
      )}
    </Part>
  );
}

const hostOf = (issuer: string): string => URL.parse(issuer)?.host ?? issuer;

/** To where one is, in the same workspace. */
const back = () =>
  new URLSearchParams({
    return_to: location.pathname + location.search,
    workspace: shown.workspace,
  });

function PasteForm({ isOnly }: { isOnly: boolean }) {
  const form = useForm("sign-in", { credential: "" }, { secrets: ["credential"] });
  return (
    <Form
      form={form}
      submit={isOnly ? "Sign in" : "Sign in with this key"}
      isQuiet={!isOnly}
      onSend={async ({ credential }) => {
        await signIn(credential.trim());
        form.discard();
      }}
    >
      <TextField
        form={form}
        name="credential"
        label="API key or login token"
        type="password"
        autocomplete="off"
        spellcheck={false}
        required
        hint="It is exchanged for a session that ends by itself, and is not kept in this page."
      />
    </Form>
  );
}
