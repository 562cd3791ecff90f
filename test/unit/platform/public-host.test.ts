import { describe, expect, test } from "vitest";
import { hostFault } from "#src/platform/public-host.ts";

const strict = { loopback: false };

describe("hosts that nobody is connected with", () => {
  test.each([
    ...["127.0.0.1", "127.1", "2130706433", "0x7f000001", "0177.0.0.1", "0x7f.1", "127.0.0.1."],
    ...["10.0.0.5", "172.16.0.1", "172.31.255.255", "192.168.1.1", "100.64.0.1", "0.0.0.0", "0"],
    ...["169.254.169.254", "0xa9fea9fe", "192.0.0.8", "198.18.0.1", "198.51.100.7", "203.0.113.9"],
    ...["224.0.0.1", "255.255.255.255", "240.0.0.1", "１２７.0.0.1"],
    ...["::1", "[::1]", "::", "::ffff:127.0.0.1", "::ffff:8.8.8.8", "0:0:0:0:0:ffff:7f00:1"],
    ...["fe80::1", "fe80::1%eth0", "fc00::1", "fd00:ec2::254", "ff02::1", "64:ff9b::7f00:1"],
    ...["2002:7f00:1::", "2001:db8::1", "2001::1", "3fff::1", "4000::1", "[::1]:25", "::127.0.0.1"],
    ...["localhost", "LOCALHOST.", "a.localhost", "mail.local", "metadata.google.internal"],
    ...["instance-data.ec2.internal", "metadata", "router", "mx.corp", "nas.home.arpa", "x.lan"],
    ...["1.0.0.127.in-addr.arpa", "a.onion", "redis.default.svc", "a.test", "a.invalid"],
    ...[
      "",
      ".",
      "a b",
      "a..b",
      "-a.com",
      "user@a.com",
      "a.com:25",
      "a.com/x",
      "a.com\r\n",
      "%31.com",
    ],
    "x".repeat(300),
  ])("%j", (host) => {
    expect(hostFault(host, strict)).not.toBeNull();
  });
});

test.each([
  ...["smtp.gmail.com", "Mail.Example.COM", "a-b.c_d.io.", "mail.bücher.de", "x.co", "8.8.8.8"],
  ...["172.32.0.1", "100.128.0.1", "192.0.1.1", "198.20.0.1", "2606:4700::1111", "[2a00:1450::1]"],
  ...["mylocal.com", "internal.acme.com", "localhost.acme.com", "test.io"],
  // Names of DNS, as proxies make them for mail hosts; no rule of host names.
  ...["_dc-mx.5f1a2b3c4d5e.acme.com", "mx_.acme.com"],
])("%j is a public host, as far as its text tells", (host) => {
  expect(hostFault(host, strict)).toBeNull();
});

test("this machine may be named where the configuration allows it, a private network never", () => {
  for (const host of ["127.0.0.1", "localhost", "::1", "127.1"])
    expect(hostFault(host, { loopback: true })).toBeNull();
  for (const host of ["10.0.0.1", "169.254.169.254", "mail.local", "::ffff:127.0.0.1"])
    expect(hostFault(host, { loopback: true })).not.toBeNull();
});
