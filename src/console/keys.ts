import { signal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { navigation } from "./routes.ts";
import { go } from "./router.ts";

export interface Shortcut {
  /** As in KeyboardEvent.key ("p", "?", "ArrowDown"), or two keys in turn: "g c". */
  key: string;
  label: string;
  run(): void;
}

const KEPT_AT = "overture.single-keys";
/** WCAG 2.1.4: who uses speech or has a tremor can turn them off. */
export const singleKeys = signal(localStorage.getItem(KEPT_AT) !== "off");
export function setSingleKeys(areOn: boolean): void {
  singleKeys.value = areOn;
  if (areOn) localStorage.removeItem(KEPT_AT);
  else localStorage.setItem(KEPT_AT, "off");
}

export const isHelpOpen = signal(false);
/** Of the screen that is shown, for the list of keys. */
export const screenKeys = signal<Shortcut[]>([]);

/** The keys of a screen, for as long as it is shown; `?` lists them. */
export function useKeys(shortcuts: Shortcut[]): void {
  const latest = useRef(shortcuts);
  latest.current = shortcuts;
  const names = shortcuts.map(({ key, label }) => `${key} ${label}`).join("\n");
  // With what is shown, not after its paint: a key that follows at once is heard.
  useLayoutEffect(() => {
    const mine = latest.current.map(({ key, label }, index) => ({
      key,
      label,
      run: () => latest.current[index]?.run(),
    }));
    screenKeys.value = [...screenKeys.peek(), ...mine];
    return () => {
      screenKeys.value = screenKeys.peek().filter((each) => !mine.includes(each));
    };
  }, [names]);
}

export const everywhere: Shortcut[] = [
  { key: "?", label: "Show these shortcuts", run: () => (isHelpOpen.value = true) },
  { key: "/", label: "Search on this page", run: focusSearch },
  ...navigation.flat().map(({ path, label, key }) => ({
    key: `g ${key}`,
    label: `Go to ${label}`,
    run: () => go(path),
  })),
];

function focusSearch(): void {
  document.querySelector<HTMLElement>("main input[type=search]")?.focus();
}

/** How long the second of two keys may take, in ms. */
const SECOND_KEY_MS = 1_500;
let first: { key: string; at: number } | null = null;

export function startKeys(): void {
  document.addEventListener("keydown", (event) => {
    if (!singleKeys.peek() || isBusy(event)) return;
    const chord =
      first !== null && event.timeStamp - first.at < SECOND_KEY_MS
        ? `${first.key} ${event.key}`
        : "";
    const all = [...screenKeys.peek(), ...everywhere];
    const found = all.find(({ key }) => key === chord) ?? all.find(({ key }) => key === event.key);
    const begins = all.some(({ key }) => key.startsWith(`${event.key} `));
    first = begins && found === undefined ? { key: event.key, at: event.timeStamp } : null;
    if (found === undefined) return;
    event.preventDefault();
    found.run();
  });
}

/** Keys are for fields first, and for what is open above the page. */
function isBusy(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey)
    return true;
  // A held key would decide on what comes up behind what was looked at; it may go through a list.
  if (event.repeat && !/[jk]/.test(event.key)) return true;
  const target = event.target as HTMLElement;
  const isField = /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) || target.isContentEditable;
  return isField || document.querySelector("dialog[open], [popover]:popover-open") !== null;
}
