import * as z from "zod";
import { endSessionsOf } from "#src/domain/access/sessions.ts";
import { whereIs, whereIsInvitation } from "#src/domain/access/where.ts";
import { packedHits } from "#src/domain/messages/tracking/packed-hits.ts";
import { recordOwnHits } from "#src/domain/messages/tracking/record.ts";
import { AppError, badRequest } from "#src/errors.ts";
import { bearerToken, wantedWorkspace } from "#src/http/auth.ts";
import { readJsonText } from "#src/http/body.ts";
import type { App, AppContext } from "#src/http/context.ts";
import { sessionCookie } from "#src/http/session-cookie.ts";
import { HITS_PATH, SECRET_HEADER, SESSIONS_PATH, WHERE_PATH } from "#src/platform/cells.ts";
import { readJson } from "#src/platform/json.ts";
import { isSameText } from "#src/platform/same-text.ts";

const MOST_BYTES = 512 * 1024;

/** What the router asks of a cell; every other caller gets 404. */
export function mountCells(app: App): void {
  app.get(WHERE_PATH, async (c) => {
    requireRouter(c);
    const deps = c.get("deps");
    const invitation = c.req.query("invitation");
    if (invitation !== undefined) return c.json(await whereIsInvitation(deps, invitation));
    const authorization = c.req.header("authorization");
    const credential = {
      token: bearerToken(authorization),
      sealed: authorization === undefined ? sessionCookie(c) : undefined,
      workspace: wantedWorkspace(c),
    };
    return c.json(await whereIs(deps, credential));
  });

  app.post(HITS_PATH, async (c) => {
    requireRouter(c);
    const { success, data } = packedHits.safeParse(
      readJson(await readJsonText(c.req.raw, MOST_BYTES)),
    );
    if (!success) throw badRequest("INVALID_PAYLOAD", "These are no hits of this release.");
    const unknown = await recordOwnHits(c.get("deps"), data.hits);
    return c.json({ taken: data.hits.length - unknown.length });
  });

  app.post(SESSIONS_PATH, async (c) => {
    requireRouter(c);
    const { success, data } = endedSessions.safeParse(
      readJson(await readJsonText(c.req.raw, MOST_BYTES)),
    );
    if (!success) throw badRequest("INVALID_PAYLOAD", "These are no logins of this release.");
    await endSessionsOf(c.get("deps"), data.logins, data.before);
    return c.json({ success: true });
  });
}

const endedSessions = z.object({
  version: z.literal(1),
  logins: z.array(z.object({ issuer: z.string(), subject: z.string() })).max(1_000),
  before: z.iso.datetime().transform((text) => new Date(text)),
});

function requireRouter(c: AppContext): void {
  const { cell } = c.get("deps").settings;
  if (cell !== null && isSameText(c.req.header(SECRET_HEADER) ?? "", cell.secret)) return;
  throw new AppError("not_found", "NOT_FOUND", "There is nothing here.");
}
