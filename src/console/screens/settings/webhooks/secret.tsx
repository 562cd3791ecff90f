import type { ComponentChildren } from "preact";
import { CopyButton } from "../../../parts/copy.tsx";
import { Dialog } from "../../../parts/dialog.tsx";
import { href } from "../../../router.ts";

/** A signing secret, which is shown this once. Null: the answer that had it was lost on its way. */
export function SecretDialog(props: {
  title: string;
  secret: string | null;
  onClose(): void;
  children?: ComponentChildren;
  next?: { label: string; path: string };
}) {
  const { title, secret, onClose, children, next } = props;
  return (
    <Dialog title={title} onClose={onClose}>
      {secret === null ? (
        <p>
          It was done at the first try, whose answer was lost with the secret in it. Rotate the
          secret to get another.
        </p>
      ) : (
        <>
          <p>
            Copy the secret now: it is shown this once. Your receiver checks with it that a message
            is from here (Standard Webhooks).
          </p>
          <p class="secret">
            <code>{secret}</code>
          </p>
        </>
      )}
      {children}
      <div class="dialog-foot">
        {secret !== null && <CopyButton text={secret} label="Copy the secret" />}
        {next !== undefined && (
          <a class="btn" href={href(next.path)}>
            {next.label}
          </a>
        )}
        <button type="button" class="btn main" onClick={onClose}>
          I have it
        </button>
      </div>
    </Dialog>
  );
}
