import { num } from "../pure/words.ts";

export interface Tab {
  label: string;
  href: string;
  isCurrent: boolean;
  count?: number | undefined;
}

/** Pages beside each other; each has an address. */
export function Tabs(props: { label: string; tabs: Tab[] }) {
  return (
    <nav class="tabs" aria-label={props.label}>
      {props.tabs.map(({ label, href, isCurrent, count }) => (
        <a key={href} href={href} aria-current={isCurrent ? "page" : undefined}>
          {label}
          {count !== undefined && <small>{num(count)}</small>}
        </a>
      ))}
    </nav>
  );
}
