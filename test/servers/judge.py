"""Reads messages as Python's strict parser does and verifies their RSA signatures: judge.py <folder> <seconds since 1970>."""

import email
import email.policy
import json
import pathlib
import sys
import time

import dkim

# The stack's clock runs ahead, and a signature of the future is none.
time.time = lambda: float(sys.argv[2])

folder = pathlib.Path(sys.argv[1])
keys = {f"{host}.".encode(): text.encode() for host, text in json.loads((folder / "keys.json").read_text()).items()}
policy = email.policy.strict.clone(linesep="\r\n")


def is_signed(raw):
    signature = dkim.DKIM(raw, timeout=1)
    count = sum(1 for name, _ in signature.headers if name.lower() == b"dkim-signature")
    fields = [value for name, value in signature.headers if name.lower() == b"dkim-signature"]
    rsa = [index for index in range(count) if b"a=rsa-sha256" in fields[index]]
    return bool(rsa) and all(signature.verify(idx=index, dnsfunc=lambda name, timeout=5: keys.get(name)) for index in rsa)


result = {"messages": 0, "defects": [], "subjects": set(), "threaded": 0, "signed": 0}
for file in folder.glob("*.eml"):
    raw = file.read_bytes().replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
    result["messages"] += 1
    try:
        message = email.message_from_bytes(raw, policy=policy)
        for name, value in message.items():
            result["defects"] += [f"{name}: {defect}" for defect in value.defects]
        for part in message.walk():
            if not part.is_multipart():
                part.get_content()
        result["subjects"].add(str(message["subject"]).removeprefix("Re: "))
        result["threaded"] += message["in-reply-to"] is not None and message["references"] is not None
        result["signed"] += is_signed(raw)
    except Exception as error:
        result["defects"].append(f"{file.name}: {error!r}")
result["subjects"] = len(result["subjects"])
print(json.dumps(result))
