"""Buys calls with x402's official client for Python.

Reads {"base_url", "private_key", "now" (seconds since 1970), "orders": [{"path", "body"}]} from standard input and
writes a list of {"status", "body", "receipt"}, one for each order, to standard output.
"""

import json
import sys
import time

order = json.load(sys.stdin)

# Authorizations carry the time, and the buyer lives by the clock of whoever it buys from.
real_time, offset = time.time, order["now"] - time.time()
time.time = lambda: real_time() + offset

from eth_account import Account  # noqa: E402
from x402 import x402ClientSync  # noqa: E402
from x402.http import decode_payment_response_header  # noqa: E402
from x402.http.clients.requests import x402_requests  # noqa: E402
from x402.mechanisms.evm.exact import register_exact_evm_client  # noqa: E402

client = register_exact_evm_client(
    x402ClientSync(), Account.from_key(order["private_key"]), networks="eip155:8453"
)
session = x402_requests(client)


def buy(path, body):
    reply = session.post(order["base_url"] + path, json=body, timeout=30)
    receipt = reply.headers.get("PAYMENT-RESPONSE")
    return {
        "status": reply.status_code,
        "body": reply.json(),
        "receipt": receipt and decode_payment_response_header(receipt).model_dump(by_alias=True),
    }


json.dump([buy(**each) for each in order["orders"]], sys.stdout)
