import { type HttpRequest, json, type Route, route } from "../page-routes.ts";
import type { CloudApiOptions } from "./cloud-api.ts";
import { graphErrorAnswer, unknownObject } from "./graph-error.ts";
import { approvedTemplates } from "./templates.ts";

const BUSINESS_ACCOUNT = "200000000000001";

/**
 * What Graph says of the number, the token and the templates: `GET /{phone number id}`, `GET /debug_token` (whose
 * granular scopes name the business account) and `GET /{business account}/message_templates`.
 */
export function settingsApi(
  options: Pick<CloudApiOptions, "accessToken" | "phoneNumberId" | "number" | "faults">,
): Route[] {
  const asked = (path: string, answer: (request: HttpRequest) => unknown) =>
    route("GET", `/v\\d{1,3}\\.\\d/${path}`, (request) => {
      const token = /^Bearer (.*)$/.exec(request.headers.authorization ?? "")?.[1];
      if (token !== options.accessToken)
        return graphErrorAnswer({ name: "notAToken", details: "" });
      const found = answer(request);
      return found === null ? unknownObject(request.captured[0] ?? "") : json(found);
    });
  return [
    asked("debug_token", () => ({
      data: {
        is_valid: true,
        scopes: ["whatsapp_business_messaging", "whatsapp_business_management"],
        granular_scopes: [
          { scope: "whatsapp_business_messaging", target_ids: [BUSINESS_ACCOUNT] },
          { scope: "whatsapp_business_management", target_ids: [BUSINESS_ACCOUNT] },
        ],
      },
    })),
    asked("([^/]+)/message_templates", ({ captured }) =>
      captured[0] === BUSINESS_ACCOUNT ? { data: templates(options) } : null,
    ),
    asked("([^/]+)", ({ captured }) =>
      captured[0] === options.phoneNumberId
        ? { id: options.phoneNumberId, display_phone_number: `+${options.number}` }
        : null,
    ),
  ];
}

const templates = ({ faults }: Pick<CloudApiOptions, "faults">) =>
  approvedTemplates.map(({ name, language, body }, index) => ({
    name,
    language,
    category: "UTILITY",
    status: index === 0 && faults.take("template_rejected") ? "REJECTED" : "APPROVED",
    components: [{ type: "BODY", text: body }],
  }));
