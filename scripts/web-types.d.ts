// Names of Web types that workerd's types and browsers declare and @types/node does not, for `src` under tsconfig.node.json.
type CryptoKey = import("node:crypto").webcrypto.CryptoKey;
type CryptoKeyPair = import("node:crypto").webcrypto.CryptoKeyPair;
type JsonWebKey = import("node:crypto").webcrypto.JsonWebKey;
type SubtleCrypto = import("node:crypto").webcrypto.SubtleCrypto;
type Crypto = import("node:crypto").webcrypto.Crypto;
type TextDecoder = import("node:util").TextDecoder;
type TextEncoder = import("node:util").TextEncoder;
type BufferSource = ArrayBufferView<ArrayBuffer> | ArrayBuffer;
type BodyInit = NonNullable<RequestInit["body"]>;
type HeadersInit = NonNullable<RequestInit["headers"]>;
type RequestInfo = Parameters<typeof fetch>[0];
