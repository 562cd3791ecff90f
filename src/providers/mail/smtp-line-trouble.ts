/** The causes of a failed connection, by the runtime's error text. */
export type LineTrouble =
  /** TLS itself failed, and will again: what to do. */
  | { kind: "tls"; advice: string }
  /** The name, the port or the way to it: what to do. */
  | { kind: "line"; advice: string }
  /** The runtime keeps it to itself, as workerd does. */
  | { kind: "opaque" };

interface Rule {
  text: RegExp;
  kind: "tls" | "line";
  advice: string;
}

/** The words of OpenSSL and Node, of rustls, and of BoringSSL; the first that fits. */
const rules: readonly Rule[] = [
  {
    text: /altname|host ?name mismatch|not valid for (any )?names?|NotValidForName/i,
    kind: "tls",
    advice:
      "Its certificate is for another name: use the host name that the provider documents, which the certificate names.",
  },
  {
    text: /has expired|certificate expired|CERT_HAS_EXPIRED/i,
    kind: "tls",
    advice: "Its certificate has expired: the server's operator has to renew it.",
  },
  {
    text: /not yet valid|NotValidYet/i,
    kind: "tls",
    advice: "Its certificate is not valid yet: the server's operator has to mend it.",
  },
  {
    text: /in certificate chain|unable to (verify|get)|unknown ?(ca|issuer|authority)|issuer|not trusted|untrusted/i,
    kind: "tls",
    advice:
      "Its certificate is of an authority that is not known, or the chain to it is incomplete: the server's operator has to install the whole chain of a public authority.",
  },
  {
    text: /self.?signed/i,
    kind: "tls",
    advice:
      "Its certificate is self-signed, so that nobody can tell the server from another: its operator has to install one of a public authority.",
  },
  {
    text: /wrong version number|packet length too long|record layer|http request|InvalidContentType|corrupt message/i,
    kind: "tls",
    advice:
      "The server does not speak TLS from the first byte on this port: choose the security starttls, mostly with port 587.",
  },
  {
    text: /unsupported protocol|protocol version|no (shared|suitable) cipher|handshake failure|no protocols available|dh key too small|ee key too small|md too weak/i,
    kind: "tls",
    advice: "It speaks no version of TLS that is still safe: its operator has to update it.",
  },
  {
    text: /certificate|\bCERT_/i,
    kind: "tls",
    advice: "Its certificate is not in order: the server's operator has to mend it.",
  },
  {
    text: /ECONNREFUSED|connection refused/i,
    kind: "line",
    advice:
      "The machine is there and nobody listens on that port: check the port (587 for starttls, 465 for tls); or the mail server is down.",
  },
  {
    text: /ENOTFOUND|EAI_AGAIN|getaddrinfo|lookup address|name or service not known/i,
    kind: "line",
    advice: "The name was not found: check its spelling.",
  },
  {
    text: /DNS did not answer/i,
    kind: "line",
    advice: "DNS gave no answer for the name: try later.",
  },
  {
    text: /EHOSTUNREACH|ENETUNREACH|no route|unreachable/i,
    kind: "line",
    advice: "There is no way to it at the moment: check the host, or try later.",
  },
  {
    text: /in time|timed? ?out|ETIMEDOUT/i,
    kind: "line",
    advice:
      "Nothing answered in time: the host or the port is wrong, a firewall is in between, or the server is down.",
  },
  {
    text: /ECONNRESET|EPIPE|reset|closed|aborted|disconnected|hang up|broken pipe/i,
    kind: "line",
    advice: "The connection broke off: try later.",
  },
];

export function lineTroubleOf(words: string): LineTrouble {
  const rule = rules.find(({ text }) => text.test(words));
  return rule ? { kind: rule.kind, advice: rule.advice } : { kind: "opaque" };
}
