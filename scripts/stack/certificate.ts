import * as crypto from "node:crypto";
import { isIPv4 } from "node:net";

export interface LocalCertificate {
  /** Certificate of the authority, PEM: what a client is to trust. */
  ca: string;
  /** Certificate of the server, PEM. */
  cert: string;
  /** Private key of the server, PKCS #8 PEM. */
  key: string;
}

export const LOCAL_HOSTS = ["localhost", "127.0.0.1", "mail.overture.zz"];

/**
 * A throw-away authority and a server certificate for the given host names and
 * IPv4 addresses (ECDSA P-256; X.509 v3 as of RFC 5280). The authority's
 * private key is dropped, so nothing else can ever be signed by it.
 */
export function createLocalCertificate(hosts: readonly string[] = LOCAL_HOSTS): LocalCertificate {
  const authority = crypto.generateKeyPairSync("ec", { namedCurve: "P-256" });
  const server = crypto.generateKeyPairSync("ec", { namedCurve: "P-256" });
  // A name of its own each time: a client that trusts an older one must not try that one's key.
  const authorityName = `Overture local authority ${crypto.randomBytes(4).toString("hex")}`;
  const ca = certificate({
    issuer: authorityName,
    subject: authorityName,
    publicKey: authority.publicKey,
    signer: authority.privateKey,
    extensions: [
      extension(OID.basicConstraints, sequence(der(0x01, [0xff]), der(0x02, [0x00])), true),
      // keyCertSign and cRLSign
      extension(OID.keyUsage, der(0x03, [0x01, 0x06]), true),
      extension(OID.subjectKeyIdentifier, der(0x04, keyIdentifier(authority.publicKey))),
    ],
  });
  const cert = certificate({
    issuer: authorityName,
    subject: hosts[0] ?? "localhost",
    publicKey: server.publicKey,
    signer: authority.privateKey,
    extensions: [
      extension(OID.basicConstraints, sequence(), true),
      // digitalSignature
      extension(OID.keyUsage, der(0x03, [0x07, 0x80]), true),
      extension(OID.extendedKeyUsage, sequence(objectId(OID.serverAuth))),
      extension(OID.subjectAlternativeName, sequence(...hosts.map(generalName))),
      extension(OID.subjectKeyIdentifier, der(0x04, keyIdentifier(server.publicKey))),
      extension(
        OID.authorityKeyIdentifier,
        sequence(der(0x80, keyIdentifier(authority.publicKey))),
      ),
    ],
  });
  const key = server.privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  return { ca, cert, key };
}

const OID = {
  commonName: "2.5.4.3",
  ecdsaWithSha256: "1.2.840.10045.4.3.2",
  serverAuth: "1.3.6.1.5.5.7.3.1",
  subjectKeyIdentifier: "2.5.29.14",
  keyUsage: "2.5.29.15",
  subjectAlternativeName: "2.5.29.17",
  basicConstraints: "2.5.29.19",
  authorityKeyIdentifier: "2.5.29.35",
  extendedKeyUsage: "2.5.29.37",
} as const;

interface CertificateFields {
  issuer: string;
  subject: string;
  publicKey: crypto.KeyObject;
  signer: crypto.KeyObject;
  extensions: Buffer[];
}

function certificate(fields: CertificateFields): string {
  const algorithm = sequence(objectId(OID.ecdsaWithSha256));
  const serial = crypto.randomBytes(16);
  // Positive, and of full length.
  serial[0] = ((serial[0] ?? 0) & 0x7f) | 0x40;
  const body = sequence(
    der(0xa0, der(0x02, [0x02])),
    der(0x02, serial),
    algorithm,
    commonName(fields.issuer),
    // Fixed, because TLS checks real time while the stack's clock runs ahead of it.
    sequence(utcTime("200101000000Z"), utcTime("491231235959Z")),
    commonName(fields.subject),
    fields.publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(...fields.extensions)),
  );
  const signature = crypto.sign("sha256", body, fields.signer);
  const whole = sequence(body, algorithm, der(0x03, Buffer.concat([Buffer.of(0), signature])));
  const lines = whole.toString("base64").match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`;
}

function commonName(name: string): Buffer {
  const attribute = sequence(objectId(OID.commonName), der(0x0c, Buffer.from(name)));
  return sequence(der(0x31, attribute));
}

function extension(oid: string, value: Buffer, critical = false): Buffer {
  return sequence(objectId(oid), ...(critical ? [der(0x01, [0xff])] : []), der(0x04, value));
}

function generalName(host: string): Buffer {
  return isIPv4(host) ? der(0x87, host.split(".").map(Number)) : der(0x82, Buffer.from(host));
}

function keyIdentifier(key: crypto.KeyObject): Buffer {
  const info = key.export({ type: "spki", format: "der" });
  return crypto.createHash("sha256").update(info).digest().subarray(0, 20);
}

function utcTime(text: string): Buffer {
  return der(0x17, Buffer.from(text));
}

function sequence(...items: Buffer[]): Buffer {
  return der(0x30, Buffer.concat(items));
}

function objectId(dotted: string): Buffer {
  const [first = 0, second = 0, ...others] = dotted.split(".").map(Number);
  return der(0x06, [first * 40 + second, ...others.flatMap(base128)]);
}

function base128(value: number): number[] {
  const groups = [value & 0x7f];
  for (let left = value >>> 7; left > 0; left >>>= 7) groups.unshift((left & 0x7f) | 0x80);
  return groups;
}

/** Tag, length, value (X.690). */
function der(tag: number, value: Buffer | number[]): Buffer {
  const content = Buffer.from(value);
  const length = content.length;
  if (length < 0x80) return Buffer.concat([Buffer.of(tag, length), content]);
  const octets = length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.of(tag, ...octets), content]);
}
