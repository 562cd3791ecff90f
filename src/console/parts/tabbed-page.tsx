import type { ComponentChildren } from "preact";
import { href } from "../router.ts";
import { Page } from "./page.tsx";
import { Tabs } from "./tabs.tsx";

/** Pages beside each other, by their path; each is named by its tab unless it has a title of its own. */
export function TabbedPage(props: {
  label: string;
  tabs: Record<string, string>;
  path: string;
  title?: string;
  actions?: ComponentChildren;
  children: ComponentChildren;
}) {
  const { label, tabs, path, actions, children } = props;
  return (
    <Page
      title={props.title ?? tabs[path]!}
      {...(actions === undefined ? {} : { actions })}
      tabs={
        <Tabs
          label={label}
          tabs={Object.entries(tabs).map(([at, name]) => ({
            label: name,
            href: href(at),
            isCurrent: at === path,
          }))}
        />
      }
    >
      {children}
    </Page>
  );
}
