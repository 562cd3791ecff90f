import type { Api, Route } from "./api.ts";
import { isUrl, name } from "./envelope.ts";
import { parseJson } from "./http.ts";
import { ApiError, notFound, type UrlGroup } from "./model.ts";
import { urlGroupView } from "./views.ts";

type Handle = Route[2];
type Body = Record<string, unknown>;

function requireGroup({ state }: Api, id: string): UrlGroup {
  const group = state.store.urlGroups.get(id);
  if (group === undefined) throw notFound("URL group", id);
  return group;
}

function readEndpoints(body: Buffer): { name: string | null; url: string }[] {
  const { endpoints } = parseJson(body) as Body;
  if (!Array.isArray(endpoints)) throw new ApiError(400, "endpoints must be an array");
  return endpoints.map((endpoint: Body) => ({
    name: endpoint["name"] === undefined ? null : String(endpoint["name"]),
    url: String(endpoint["url"] ?? ""),
  }));
}

const addEndpoints: Handle = ({ state }, { body }, [id]) => {
  const added = readEndpoints(body);
  const invalid = added.find(({ url }) => !isUrl(url));
  if (invalid) throw new ApiError(400, `invalid endpoint url ${invalid.url}`);
  const now = Date.now();
  const group = state.store.urlGroups.get(name(id!, "URL group name"));
  const kept = (group?.endpoints ?? []).filter(({ url }) => !added.some((one) => one.url === url));
  state.store.urlGroups.put(id!, {
    name: id!,
    endpoints: [...kept, ...added],
    createdAt: group?.createdAt ?? now,
    updatedAt: now,
  });
  return {};
};

const removeEndpoints: Handle = (api, { body }, [id]) => {
  const removed = readEndpoints(body);
  const group = requireGroup(api, id!);
  const endpoints = group.endpoints.filter(
    (one) =>
      !removed.some(({ name, url }) => url === one.url || (name !== null && name === one.name)),
  );
  if (endpoints.length === 0) api.state.store.urlGroups.delete(id!);
  else api.state.store.urlGroups.put(id!, { ...group, endpoints, updatedAt: Date.now() });
  return {};
};

export const urlGroupRoutes: Route[] = [
  [
    "GET",
    /^\/v2\/topics$/,
    ({ state }) => ({ json: state.store.urlGroups.values().map(urlGroupView) }),
  ],
  [
    "GET",
    /^\/v2\/topics\/([^/]+)$/,
    (api, _, [id]) => ({ json: urlGroupView(requireGroup(api, id!)) }),
  ],
  [
    "DELETE",
    /^\/v2\/topics\/([^/]+)$/,
    ({ state }, _, [id]) => {
      state.store.urlGroups.delete(id!);
      return {};
    },
  ],
  ["POST", /^\/v2\/topics\/([^/]+)\/endpoints$/, addEndpoints],
  ["DELETE", /^\/v2\/topics\/([^/]+)\/endpoints$/, removeEndpoints],
];
