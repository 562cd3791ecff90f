import fc from "fast-check";
import { expect, test } from "vitest";
import { signAwsRequest } from "#src/providers/mail/aws-signature.ts";
import { awsRefusal } from "../../support/aws-verifier.ts";

const signer = {
  accessKeyId: "AKIDEXAMPLE",
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
  region: "us-east-1",
  service: "service",
};
const at = new Date("2015-08-30T12:36:00Z");
const unreserved = "-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Cases of the AWS Signature Version 4 test suite, with the suite's names. */
const suite = [
  {
    name: "get-vanilla",
    method: "GET",
    target: "/",
    signature: "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31",
  },
  {
    name: "get-vanilla-query-order-key-case",
    method: "GET",
    target: "/?Param2=value2&Param1=value1",
    signature: "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500",
  },
  {
    name: "get-vanilla-query-unreserved",
    method: "GET",
    target: `/?${unreserved}=${unreserved}`,
    signature: "9c3e54bfcdf0b19771a7f523ee5669cdf59bc7cc0884027167c21bb143a40197",
  },
  {
    name: "get-vanilla-utf8-query",
    method: "GET",
    target: "/?ሴ=bar",
    signature: "2cdec8eed098649ff3a119c94853b13c643bcf08f8b0a1d91e12c9027818dd04",
  },
  {
    name: "get-header-value-trim",
    method: "GET",
    target: "/",
    headers: { "My-Header1": " value1", "My-Header2": ' "a   b   c"' },
    names: "host;my-header1;my-header2;x-amz-date",
    signature: "acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736",
  },
  {
    name: "post-vanilla",
    method: "POST",
    target: "/",
    signature: "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b",
  },
  {
    name: "post-x-www-form-urlencoded",
    method: "POST",
    target: "/",
    headers: {
      "Content-Type": "application/x-www-form-urlencoded",
      "Content-Length": "13",
      "x-amz-content-sha256": "9095672bbd1f56dfc5b65f3e153adc8731a4a654192329106275f4c7b24d0b6e",
    },
    body: "Param1=value1",
    names: "content-length;content-type;host;x-amz-content-sha256;x-amz-date",
    signature: "d3875051da38690788ef43de4db0d8f280229d82040bfac253562e56c3f20e0b",
  },
] as const;

test.each(suite)("the signature of the suite's $name is the published one", async (vector) => {
  const { method, target, signature } = vector;
  const headers: Record<string, string> = "headers" in vector ? { ...vector.headers } : {};
  const names = "names" in vector ? vector.names : "host;x-amz-date";
  const body = "body" in vector ? vector.body : "";
  const url = `https://example.amazonaws.com${target}`;
  expect(await signAwsRequest({ method, url, headers, body }, signer, at)).toEqual({
    ...headers,
    "x-amz-date": "20150830T123600Z",
    authorization: `AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=${names}, Signature=${signature}`,
  });
});

const queryPart = fc
  .tuple(fc.string({ unit: "binary", maxLength: 6 }), fc.string({ unit: "binary", maxLength: 6 }))
  .filter(([name]) => name.isWellFormed())
  .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);

const anyRequest = fc.record({
  method: fc.constantFrom("GET" as const, "POST" as const),
  path: fc.array(fc.string({ minLength: 1, maxLength: 6 }).map(encodeURIComponent), {
    maxLength: 4,
  }),
  query: fc.array(queryPart, { maxLength: 4 }),
  header: fc.string({ maxLength: 12 }),
  body: fc.string({ unit: "binary", maxLength: 40 }).filter((text) => text.isWellFormed()),
  secretAccessKey: fc.string({ minLength: 1, maxLength: 40 }),
  at: fc.date({ min: new Date("1990-01-01"), max: new Date("2090-01-01"), noInvalidDate: true }),
});

test("a verifier that shares no code with the signer accepts any request", async () => {
  await fc.assert(
    fc.asyncProperty(anyRequest, async (request) => {
      const { method, path, query, header, body, secretAccessKey, at } = request;
      const search = query.length === 0 ? "" : `?${query.join("&")}`;
      const url = new URL(`https://host.example:8443/${path.join("/")}${search}`);
      const headers = await signAwsRequest(
        { method, url: url.href, headers: { "x-any": header }, body },
        { ...signer, secretAccessKey },
        at,
      );
      const arrived = {
        method,
        target: url.pathname + url.search,
        headers: { ...headers, host: url.host },
        body: Buffer.from(body, "utf8"),
      };
      expect(awsRefusal(arrived, secretAccessKey, signer)).toBeNull();
    }),
    { numRuns: 300 },
  );
});

test("names that begin alike sort by name, and equal names by value", async () => {
  const target = "/?a-b=1&a=2&a=1&A=3";
  const url = `https://example.amazonaws.com${target}`;
  const headers = await signAwsRequest({ method: "GET", url, headers: {}, body: "" }, signer, at);
  const arrived = { method: "GET", target, body: Buffer.alloc(0) };
  const withHost = { ...headers, host: "example.amazonaws.com" };
  expect(awsRefusal({ ...arrived, headers: withHost }, signer.secretAccessKey, signer)).toBeNull();
});

test("the verifier refuses another body, another path, another key and another day", async () => {
  const url = "https://example.amazonaws.com/v2/x";
  const headers = await signAwsRequest(
    { method: "POST", url, headers: {}, body: "{}" },
    signer,
    at,
  );
  const arrived = {
    method: "POST",
    target: "/v2/x",
    headers: { ...headers, host: "example.amazonaws.com" },
    body: Buffer.from("{}"),
  };
  const key = signer.secretAccessKey;
  expect(awsRefusal(arrived, key, signer)).toBeNull();
  expect(awsRefusal({ ...arrived, body: Buffer.from("{ }") }, key, signer)).not.toBeNull();
  expect(awsRefusal({ ...arrived, target: "/v2/y" }, key, signer)).not.toBeNull();
  expect(awsRefusal(arrived, `${key}x`, signer)).not.toBeNull();
  const later = { ...arrived.headers, "x-amz-date": "20150831T123600Z" };
  expect(awsRefusal({ ...arrived, headers: later }, key, signer)).not.toBeNull();
});
