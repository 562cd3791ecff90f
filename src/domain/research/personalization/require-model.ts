import type { Deps } from "#src/deps.ts";
import { AppError } from "#src/errors.ts";
import type { ChatModel } from "#src/providers/model/index.ts";

/** 503 where this deployment has no language model; nothing is begun that could not end. */
export function requireModel({ model }: Pick<Deps, "model">): ChatModel {
  if (model !== null) return model;
  throw new AppError(
    "unavailable",
    "MODEL_NOT_CONFIGURED",
    "This deployment has no language model (MODEL_BASE_URL).",
  );
}
