import type { ComponentChildren } from "preact";
import { Page } from "../../parts/page.tsx";
import { Tabs } from "../../parts/tabs.tsx";
import { href } from "../../router.ts";

const TABS = [
  { label: "Mail aliases", path: "/senders" },
  { label: "Domains", path: "/senders/domains" },
  { label: "Sender profiles", path: "/senders/profiles" },
];

/** Whom mail goes out from, and what speaks for them. */
export function SendersPage(props: {
  path: string;
  actions?: ComponentChildren;
  children: ComponentChildren;
}) {
  const { path, actions, children } = props;
  return (
    <Page
      title={path === "/senders" ? "Senders" : TABS.find((tab) => tab.path === path)!.label}
      {...(actions === undefined ? {} : { actions })}
      tabs={
        <Tabs
          label="Senders"
          tabs={TABS.map((tab) => ({
            label: tab.label,
            href: href(tab.path),
            isCurrent: tab.path === path,
          }))}
        />
      }
    >
      {children}
    </Page>
  );
}
