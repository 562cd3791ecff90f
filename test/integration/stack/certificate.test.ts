import * as crypto from "node:crypto";
import type { AddressInfo } from "node:net";
import * as tls from "node:tls";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createLocalCertificate } from "../../../scripts/stack/certificate.ts";

const certificate = createLocalCertificate();
const server = tls.createServer({ key: certificate.key, cert: certificate.cert }, (socket) =>
  socket.on("error", () => {}).end("hello"),
);

beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));
afterAll(() => new Promise<void>((resolve) => server.close(() => resolve())));

function connect(servername: string, ca: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = tls.connect({
      port: (server.address() as AddressInfo).port,
      host: "127.0.0.1",
      ca,
      // An address is checked without being sent as a name (RFC 6066 section 3).
      ...(servername === "127.0.0.1" ? {} : { servername }),
    });
    socket.once("secureConnect", () => {
      socket.destroy();
      resolve("trusted");
    });
    socket.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
  });
}

test.each(["localhost", "127.0.0.1", "mail.overture.zz"])(
  "a TLS client that trusts the authority accepts the server as %s",
  async (host) => {
    expect(await connect(host, certificate.ca)).toBe("trusted");
  },
);

test("a name that the certificate does not carry is refused", async () => {
  expect(await connect("elsewhere.zz", certificate.ca)).toBe("ERR_TLS_CERT_ALTNAME_INVALID");
});

test("another authority of the same kind does not vouch for it", async () => {
  expect(await connect("localhost", createLocalCertificate().ca)).not.toBe("trusted");
});

test("the server's certificate is no authority, and the authority signed it", () => {
  const ca = new crypto.X509Certificate(certificate.ca);
  const leaf = new crypto.X509Certificate(certificate.cert);
  expect({ ca: ca.ca, leaf: leaf.ca }).toEqual({ ca: true, leaf: false });
  expect(leaf.verify(ca.publicKey) && leaf.checkIssued(ca)).toBe(true);
  expect(leaf.checkPrivateKey(crypto.createPrivateKey(certificate.key))).toBe(true);
});
