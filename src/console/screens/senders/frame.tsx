import type { ComponentChildren } from "preact";
import { TabbedPage } from "../../parts/tabbed-page.tsx";

const TABS = {
  "/senders": "Mail aliases",
  "/senders/domains": "Domains",
  "/senders/profiles": "Sender profiles",
  "/senders/placement": "Placement",
};

/** The senders, and the accounts and domains behind them. */
export function SendersPage(props: {
  path: keyof typeof TABS;
  actions?: ComponentChildren;
  children: ComponentChildren;
}) {
  const named = props.path === "/senders" ? { title: "Senders" } : {};
  return <TabbedPage label="Senders" tabs={TABS} {...named} {...props} />;
}
