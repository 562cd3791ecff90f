import { DELIVERY_ERRORS, type DeliveryErrorType, type PostmasterDay } from "./index.ts";

type Field = Exclude<keyof PostmasterDay, "day" | "errors">;
/** A figure that is asked for: a field of a day, or one of its delivery errors. */
type Metric = { name: string; standardMetric: string; filter?: string } & (
  | { field: Field; error?: undefined }
  | { field?: undefined; error: { type: DeliveryErrorType; reason: string } }
);

const plain = (field: Field, standardMetric: string, filter?: string): Metric => ({
  name: field,
  field,
  standardMetric,
  ...(filter === undefined ? {} : { filter }),
});

const errorsOf = (type: DeliveryErrorType): Metric[] =>
  DELIVERY_ERRORS[type].map((reason) => ({
    name: `${type}_${reason}`,
    standardMetric: "DELIVERY_ERROR_RATE",
    filter: `error_type = "${type}" AND error_reason = "${reason}"`,
    error: { type, reason },
  }));

/** https://developers.google.com/workspace/gmail/postmaster/reference/rest/v2/MetricDefinition */
export const METRICS: readonly Metric[] = [
  plain("spam", "SPAM_RATE"),
  plain("spf", "AUTH_SUCCESS_RATE", 'auth_type = "spf"'),
  plain("dkim", "AUTH_SUCCESS_RATE", 'auth_type = "dkim"'),
  plain("dmarc", "AUTH_SUCCESS_RATE", 'auth_type = "dmarc"'),
  plain("tls", "TLS_ENCRYPTION_RATE", 'traffic_direction = "inbound"'),
  plain("rejected", "DELIVERY_ERROR_RATE", 'error_type = "reject"'),
  plain("deferred", "DELIVERY_ERROR_RATE", 'error_type = "temp_fail"'),
  ...errorsOf("reject"),
  ...errorsOf("temp_fail"),
];

export const METRIC_DEFINITIONS = METRICS.map(({ name, standardMetric, filter }) => ({
  name,
  baseMetric: { standardMetric },
  ...(filter === undefined ? {} : { filter }),
}));
