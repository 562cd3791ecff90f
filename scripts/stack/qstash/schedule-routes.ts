import { notFound, type Schedule } from "./model.ts";
import type { Api, Route } from "./api.ts";
import { setSchedulePaused } from "./schedules.ts";
import { scheduleView } from "./views.ts";

function requireSchedule({ state }: Api, id: string): Schedule {
  const schedule = state.store.schedules.get(id);
  if (schedule === undefined) throw notFound("schedule", id);
  return schedule;
}

const setPaused =
  (paused: boolean): Route[2] =>
  (api, _, [id]) => {
    setSchedulePaused(api.state, requireSchedule(api, id!), paused);
    api.dispatcher.wake();
    return {};
  };

const PAUSE = /^\/v2\/schedules\/([\w.-]+)\/pause$/;
const RESUME = /^\/v2\/schedules\/([\w.-]+)\/resume$/;

export const scheduleRoutes: Route[] = [
  [
    "GET",
    /^\/v2\/schedules$/,
    ({ state }) => ({ json: state.store.schedules.values().map(scheduleView) }),
  ],
  [
    "GET",
    /^\/v2\/schedules\/([^/]+)$/,
    (api, _, [id]) => ({ json: scheduleView(requireSchedule(api, id!)) }),
  ],
  [
    "DELETE",
    /^\/v2\/schedules\/([^/]+)$/,
    (api, _, [id]) => {
      api.state.store.schedules.delete(requireSchedule(api, id!).scheduleId);
      api.dispatcher.wake();
      return {};
    },
  ],
  // The API's description says POST, the SDK sends PATCH.
  ["POST", PAUSE, setPaused(true)],
  ["PATCH", PAUSE, setPaused(true)],
  ["POST", RESUME, setPaused(false)],
  ["PATCH", RESUME, setPaused(false)],
];
