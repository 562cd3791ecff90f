import { signal } from "@preact/signals";
import { matchPath } from "./pure/match.ts";
import { routes, type Route, type Screen } from "./routes.ts";

export interface Place {
  /** The address behind /console. */
  path: string;
  params: Record<string, string>;
  query: URLSearchParams;
  /** What stays from one address to another is not built anew: the path, or what the route is one page as. */
  page: string;
  /** Null: there is no such page. */
  screen: Screen | null;
}

const BASE = "/console";

export const place = signal<Place | null>(null);
/** A screen that did not load. */
export const loadFault = signal<string | null>(null);
/** The next heading that appears takes the focus: set by a navigation to another page. */
export const focusWish = { heading: false };

/** `href("/campaigns", {status: "active"})`; links are plain `<a href>`. */
export function href(path: string, query: Record<string, string | undefined> = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value) search.set(name, value);
  return `${BASE}${path === "/" ? "" : path}${search.size === 0 ? "" : `?${search}`}`;
}

/** To another page of the console; `path` as routes have it, with a query if need be. */
export function go(path: string, { replace = false } = {}): void {
  const to = BASE + path;
  if ("navigation" in window) {
    navigation.navigate(to, { history: replace ? "replace" : "auto" });
    return;
  }
  history[replace ? "replaceState" : "pushState"](null, "", to);
  void show(new URL(location.href));
}

/** Changes the address's query in place: what is filtered stays when one comes back. */
export function setQuery(change: Record<string, string | null | undefined>): void {
  const query = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(change))
    if (value) query.set(name, value);
    else query.delete(name);
  go(pathOf(new URL(location.href)) + (query.size === 0 ? "" : `?${query}`), { replace: true });
}

export function startRouter(): void {
  if ("navigation" in window)
    navigation.addEventListener("navigate", (event) => {
      const url = new URL(event.destination.url);
      const isOurs = event.canIntercept && isConsole(url) && event.navigationType !== "reload";
      if (!isOurs || event.hashChange || event.downloadRequest !== null || event.formData) return;
      const isSamePage = url.pathname === location.pathname;
      event.intercept({
        focusReset: "manual",
        scroll: isSamePage ? "manual" : "after-transition",
        handler: () => show(url),
      });
    });
  else {
    addEventListener("popstate", () => void show(new URL(location.href)));
    document.addEventListener("click", followLink);
  }
  void show(new URL(location.href));
}

const isConsole = (url: URL): boolean =>
  url.origin === location.origin && (url.pathname === BASE || url.pathname.startsWith(`${BASE}/`));

/** Where there is no Navigation API. */
function followLink(event: MouseEvent): void {
  const link = (event.target as Element | null)?.closest?.("a[href]") as HTMLAnchorElement | null;
  const isPlain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey);
  if (link === null || !isPlain || event.defaultPrevented || link.target || link.download) return;
  const url = new URL(link.href);
  if (!isConsole(url) || (url.hash !== "" && url.pathname === location.pathname)) return;
  event.preventDefault();
  go(pathOf(url) + url.search);
  scrollTo(0, 0);
}

const pathOf = (url: URL): string => url.pathname.slice(BASE.length).replace(/\/+$/, "") || "/";

const loaded = new Map<Route, Screen>();
let latest = 0;

async function show(url: URL): Promise<void> {
  const path = pathOf(url);
  const turn = ++latest;
  loadFault.value = null;
  const [route, params] = find(path);
  let screen: Screen | null = null;
  if (route !== null) {
    try {
      screen = loaded.get(route) ?? (await route.load());
      loaded.set(route, screen);
    } catch {
      if (turn === latest) loadFault.value = path;
      return;
    }
  }
  // Another link was followed meanwhile.
  if (turn !== latest) return;
  const before = place.peek();
  const page = route?.isOnePageAs ?? path;
  if (before !== null && before.page !== page) focusWish.heading = true;
  place.value = { path, params, query: url.searchParams, page, screen };
}

/** Whether there is a page: a link to one that is not built is not shown. */
export const isPage = (path: string): boolean => find(path)[0] !== null;

function find(path: string): [Route | null, Record<string, string>] {
  for (const route of routes) {
    const params = matchPath(route.path, path);
    if (params !== null) return [route, params];
  }
  return [null, {}];
}
