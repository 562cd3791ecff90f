import { type Handler, Parser } from "htmlparser2";

/**
 * A page of the deepest kind has some hundred. Browsers cut here too (Blink: 512), and the parser's
 * time for a tag grows with the number of those that are open.
 */
export const MAX_OPEN_TAGS = 512;

/** Where in the text the parser's present event stands; `end` is its last character. */
export interface Place {
  readonly start: number;
  readonly end: number;
}

type HtmlEvents = Partial<Handler>;

/** Hears what stands in a page, in order. */
export type HtmlListener = (place: Place) => HtmlEvents;

/**
 * Reads a page in one pass, in time linear in its length whatever it holds. False when more than
 * `MAX_OPEN_TAGS` tags are open at once: what follows is not read, and what is open is closed.
 */
export function readHtml(html: string, ...listeners: HtmlListener[]): boolean {
  const open: string[] = [];
  let isCut = false;
  const place: Place = {
    get start() {
      return parser.startIndex;
    },
    get end() {
      return parser.endIndex;
    },
  };
  const events = together(listeners.map((listen) => listen(place)));
  const parser = new Parser({
    ...events,
    onopentag(name, attributes, isImplied) {
      if (open.length === MAX_OPEN_TAGS) {
        isCut = true;
        parser.pause();
        return;
      }
      open.push(name);
      events.onopentag?.(name, attributes, isImplied);
    },
    onclosetag(name, isImplied) {
      if (isCut) return;
      open.pop();
      events.onclosetag?.(name, isImplied);
    },
  });
  parser.write(html);
  if (isCut) for (const name of open.toReversed()) events.onclosetag?.(name, true);
  else parser.end();
  return !isCut;
}

/** Events that all hear, one after the other. */
function together(all: HtmlEvents[]): HtmlEvents {
  if (all.length === 1) return all[0]!;
  const names = new Set(all.flatMap((events) => Object.keys(events) as (keyof HtmlEvents)[]));
  return Object.fromEntries(
    Array.from(names, (name) => {
      const hearers = all.flatMap((events) => (events[name] ?? []) as Hearer[]);
      if (hearers.length === 1) return [name, hearers[0]];
      const hear: Hearer = (...event) => {
        for (const each of hearers) each(...event);
      };
      return [name, hear];
    }),
  );
}

type Hearer = (...event: unknown[]) => void;

/** Whether more tags are open at once than any page needs. */
export const isTooDeep = (html: string): boolean => !readHtml(html, () => ({}));
