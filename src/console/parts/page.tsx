import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { focusWish } from "../router.ts";

export interface Crumb {
  label: string;
  /** As `href()` makes it. */
  href: string;
}

/** The frame of every screen: its heading takes the focus after a navigation, and names the tab. */
export function Page(props: {
  title: string;
  /** Beside the heading: a chip, a sentence. */
  meta?: ComponentChildren;
  actions?: ComponentChildren;
  crumbs?: Crumb[];
  tabs?: ComponentChildren;
  children?: ComponentChildren;
}) {
  const { title, meta, actions, crumbs = [], tabs, children } = props;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} - Overture`;
  }, [title]);
  useEffect(() => {
    if (!focusWish.heading) return;
    focusWish.heading = false;
    heading.current?.focus();
  });
  return (
    <>
      {crumbs.length > 0 && (
        <nav class="crumbs" aria-label="Where this is">
          {crumbs.map(({ label, href }) => (
            <span key={href}>
              <a href={href}>{label}</a> <span aria-hidden="true">/</span>{" "}
            </span>
          ))}
        </nav>
      )}
      <header class="head">
        <h1 tabIndex={-1} ref={heading}>
          {title}
        </h1>
        {meta}
        {actions !== undefined && <div class="actions">{actions}</div>}
      </header>
      {tabs}
      {children}
    </>
  );
}

/** A sheet of paper on the page, with a heading of its own. */
export function Section(props: {
  title?: string;
  note?: ComponentChildren;
  actions?: ComponentChildren;
  children?: ComponentChildren;
  /** Without padding, as tables want it. */
  flush?: boolean;
}) {
  const { title, note, actions, children, flush = false } = props;
  return (
    <section class={flush ? "sheet flush" : "sheet"}>
      {(title !== undefined || actions !== undefined) && (
        <div class="sheet-head">
          {title !== undefined && <h2>{title}</h2>}
          {note !== undefined && <span class="dim">{note}</span>}
          {actions !== undefined && <div class="actions">{actions}</div>}
        </div>
      )}
      {children}
    </section>
  );
}

/** What to do where there is nothing yet. */
export function Empty(props: {
  title: string;
  children?: ComponentChildren;
  action?: ComponentChildren;
}) {
  return (
    <div class="empty">
      <p class="empty-title">{props.title}</p>
      {props.children !== undefined && <p>{props.children}</p>}
      {props.action !== undefined && <p>{props.action}</p>}
    </div>
  );
}

/** Facts with their names, in two columns. */
export function Facts(props: { of: [name: string, value: ComponentChildren][] }) {
  return (
    <dl class="facts">
      {props.of.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
