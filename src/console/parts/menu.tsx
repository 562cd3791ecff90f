import { useId, useRef } from "preact/hooks";

export interface MenuItem {
  label: string;
  run?(): void;
  href?: string;
  isDangerous?: boolean;
}

/** A button with a list of more to do; arrows go through it, Escape closes it. */
export function Menu(props: { label: string; items: MenuItem[]; isSmall?: boolean }) {
  const { label, items, isSmall = false } = props;
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const entries = () => [...list.current!.querySelectorAll<HTMLElement>("[role=menuitem]")];
  function opened(isOpen: boolean): void {
    button.current!.setAttribute("aria-expanded", String(isOpen));
    if (!isOpen) return;
    const { bottom, right } = button.current!.getBoundingClientRect();
    const { offsetWidth, offsetHeight, style } = list.current!;
    const top =
      bottom + offsetHeight + 8 > innerHeight
        ? Math.max(8, bottom - offsetHeight - 40)
        : bottom + 4;
    style.setProperty("top", `${top}px`);
    style.setProperty("left", `${Math.max(8, right - offsetWidth)}px`);
    entries()[0]?.focus();
  }
  function move(event: KeyboardEvent): void {
    const all = entries();
    const at = all.indexOf(document.activeElement as HTMLElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    all.at(to % all.length)?.focus();
  }
  const close = () => list.current?.hidePopover();
  return (
    <>
      <button
        ref={button}
        type="button"
        class={isSmall ? "icon" : "btn"}
        popovertarget={id}
        aria-haspopup="menu"
        aria-expanded="false"
        aria-label={isSmall ? label : undefined}
      >
        {isSmall ? "⋯" : label}
      </button>
      <div
        ref={list}
        id={id}
        popover="auto"
        role="menu"
        class="menu"
        aria-label={label}
        onKeyDown={move}
        onToggle={(event) => opened(event.newState === "open")}
      >
        {items.map(({ label: text, run, href, isDangerous }) =>
          href === undefined ? (
            <button
              key={text}
              type="button"
              role="menuitem"
              class={isDangerous === true ? "danger" : undefined}
              onClick={() => {
                close();
                button.current?.focus();
                run?.();
              }}
            >
              {text}
            </button>
          ) : (
            <a key={text} role="menuitem" href={href} onClick={close}>
              {text}
            </a>
          ),
        )}
      </div>
    </>
  );
}
