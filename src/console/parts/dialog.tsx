import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";

const FIELD = "input:not([type=hidden], [type=file]), select, textarea";

/** A native dialog above the page: Escape closes it, the focus stays in it and goes back where it was. */
export function Dialog(props: {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
  /** Beside the page rather than in its middle. */
  isDrawer?: boolean;
}) {
  const { title, onClose, children, isDrawer = false } = props;
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  // With what is shown, not after its paint: letters typed right behind the key that opens it are the field's.
  useLayoutEffect(() => {
    const dialog = ref.current!;
    const before = document.activeElement;
    dialog.showModal();
    // A form that opens has the focus in its first field, not on the button that closes it.
    dialog.querySelector<HTMLElement>(FIELD)?.focus();
    return () => {
      dialog.close();
      // A link in a picture is no HTMLElement.
      if (before?.isConnected && "focus" in before) (before as HTMLElement | SVGElement).focus();
    };
  }, []);
  return (
    <dialog
      ref={ref}
      class={isDrawer ? "drawer" : undefined}
      aria-labelledby={id}
      onCancel={(event) => {
        // The dialog is closed by the state that shows it.
        event.preventDefault();
        onClose();
      }}
    >
      <div class="dialog-head">
        <h2 id={id}>{title}</h2>
        <button type="button" class="icon" aria-label="Close" onClick={onClose}>
          <svg viewBox="0 0 16 16" aria-hidden="true">
            <path d="M4 4l8 8M12 4l-8 8" />
          </svg>
        </button>
      </div>
      {children}
    </dialog>
  );
}
