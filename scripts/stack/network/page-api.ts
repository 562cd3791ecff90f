import { z } from "zod";
import {
  type Answer,
  json,
  notFound,
  pageFile,
  type Route,
  route,
  sharedFile,
} from "../page-routes.ts";
import type { State } from "./books.ts";
import { ControlRefusal, limitsBody, mannersBody, type NetworkControl } from "./control.ts";
import { listContacts, showContact } from "./contacts.ts";
import { NetworkRefusal } from "./errors.ts";
import { SOURCE_STATUSES } from "./model.ts";
import {
  accountSummary,
  listAccounts,
  listActs,
  listChats,
  listInvitations,
  listPosts,
  listWebhooks,
} from "./views.ts";

const PART = "([^/]+)";
const nothing = z.object({});
const inPage = (name: string) => new URL(`./page/${name}`, import.meta.url);

/** The page, and the API by which people, tests and tools see and move the network. */
export function pageApi(state: State, control: NetworkControl): Route[] {
  return [
    pageFile("/", inPage("index.html")),
    ...["app.js", "contact.js", "post.js", "account.js", "network.css"].map((name) =>
      pageFile(`/${name}`, inPage(name)),
    ),
    ...(["dom.js", "bubbles.js", "base.css", "panes.css", "bubbles.css"] as const).map(sharedFile),
    route("GET", "/api/contacts", () => json(listContacts(state))),
    route("GET", `/api/contacts/${PART}/${PART}`, ({ captured }) => {
      const [owner = "", person = ""] = captured.map(decoded);
      const found = showContact(state, owner, person);
      return found === null ? notFound() : json(found);
    }),
    route("GET", "/api/accounts", () => json(listAccounts(state))),
    route("GET", "/api/invitations", () => json(listInvitations(state))),
    route("GET", "/api/chats", () => json(listChats(state))),
    route("GET", "/api/posts", () => json(listPosts(state))),
    route("GET", "/api/acts", () => json(listActs(state))),
    route("GET", "/api/webhooks", () => json(listWebhooks(state))),
    route("GET", `/media/${PART}`, ({ captured: [id = ""] }) => image(state, id)),
    order(`/api/accounts/${PART}/approve`, nothing, (_, [id = ""]) =>
      accountSummary(state, control.approve(id)),
    ),
    order(
      `/api/accounts/${PART}/status`,
      z.strictObject({ status: z.enum(SOURCE_STATUSES) }),
      ({ status }, [id = ""]) => accountSummary(state, control.setStatus(id, status)),
    ),
    order(
      `/api/accounts/${PART}/restrict`,
      z.strictObject({ restricted: z.boolean() }),
      ({ restricted }, [id = ""]) => accountSummary(state, control.restrict(id, restricted)),
    ),
    order(`/api/accounts/${PART}/limits`, limitsBody, (limits, [id = ""]) =>
      control.setLimits(id, defined(limits)),
    ),
    order(`/api/invitations/${PART}/accept`, nothing, (_, [id = ""]) => {
      control.accept(id);
      return { accepted: true };
    }),
    order(`/api/invitations/${PART}/decline`, nothing, (_, [id = ""]) => {
      control.decline(id);
      return { declined: true };
    }),
    order(
      `/api/accounts/${PART}/replies`,
      z.strictObject({ from: z.string().max(200), text: z.string().min(1).max(8000) }),
      ({ from, text }, [id = ""]) => control.reply(id, from, text),
    ),
    order(`/api/people/${PART}`, mannersBody, (manners, [slug = ""]) =>
      control.setManners(slug, defined(manners)),
    ),
    order(`/api/posts/${PART}/remove`, nothing, (_, [id = ""]) => {
      control.removePost(id);
      return { removed: true };
    }),
  ];
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return "";
  }
}

/** Without what is undefined. */
function defined<Given extends object>(given: Given) {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Given]: Exclude<Given[Name], undefined>;
  };
}

function order<Body>(
  path: string,
  shape: z.ZodType<Body>,
  carryOut: (body: Body, parts: string[]) => object,
): Route {
  return route("POST", path, ({ body, captured }) => {
    const parsed = shape.safeParse(parse(body));
    if (!parsed.success) return json({ error: z.prettifyError(parsed.error) }, 422);
    try {
      return json(carryOut(parsed.data, captured.map(decodeURIComponent)));
    } catch (error) {
      if (error instanceof NetworkRefusal || error instanceof URIError)
        return json({ error: error.message }, 404);
      if (error instanceof ControlRefusal) return json({ error: error.message }, 409);
      throw error;
    }
  });
}

function parse(body: string): unknown {
  try {
    return body.trim() === "" ? {} : JSON.parse(body);
  } catch {
    return null;
  }
}

/** With the type that its bytes have, so that a browser reads it as nothing else. */
function image({ books }: State, id: string): Answer {
  const content = books.images.get(id);
  const facts = books.posts.values().find((post) => post.image?.id === id)?.image;
  if (content === undefined || !facts) return notFound();
  return { status: 200, type: facts.type, body: Buffer.from(content, "base64") };
}
