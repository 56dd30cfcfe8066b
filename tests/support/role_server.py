"""An OpenAI-compatible server on 127.0.0.1, in a process of its own, that plays agent, user and judge.

Which role a request is for its model's name says (see ``support.roles``). Answers come after a delay, and some requests
are answered with a fault: which ones depends on the seed, the request, and how often it came, never on the order.

    python -m support.role_server --delay 0.2 --faults 0.05 --seed 1
"""

import argparse
import asyncio
import contextlib
import gc
import json
import os
import subprocess
import sys
import zlib
from collections import Counter
from pathlib import Path

import orjson

FAULTS = ("429", "500", "timeout", "cut", "malformed", "empty")
_STATUS = {200: b"OK", 404: b"Not Found", 429: b"Too Many Requests", 500: b"Internal Server Error"}


class RoleServer(asyncio.Protocol):
    """One connection."""

    def __init__(self, answers):
        self._answers = answers
        self._read = bytearray()
        self._transport = None

    def connection_made(self, transport):
        self._transport = transport

    def data_received(self, data):
        self._read += data
        while (end := self._read.find(b"\r\n\r\n")) >= 0:
            head = bytes(self._read[:end]).lower()
            length = head.partition(b"content-length:")[2].partition(b"\r\n")[0]
            size = end + 4 + int(length or 0)
            if len(self._read) < size:
                return
            body = bytes(self._read[end + 4 : size])
            del self._read[:size]
            self._answers.give(head, body, self._write)

    def _write(self, status, body, headers=b""):
        """Write an answer; no status: close the connection instead."""
        if self._transport.is_closing():
            return
        if status is None:
            self._transport.close()
            return
        head = b"HTTP/1.1 %d %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n%s\r\n"
        self._transport.write(head % (status, _STATUS[status], len(body), headers) + body)


class Answers:
    """Answers requests.

    Attributes:
        counts: How often each kind of answer was given; the server's ``/stats`` has them.
    """

    def __init__(self, delay, faults, seed):
        from support.roles import AgentRole, JudgeRole, UserRole, by_instruction

        by_instruction()
        self._delay, self._faults, self._seed = delay, faults, seed
        self._roles = {"agent": AgentRole(), "user": UserRole(), "judge": JudgeRole()}
        self._seen = Counter()
        self.counts = Counter()

    def give(self, head, body, write):
        if head.startswith(b"get /stats"):
            write(200, orjson.dumps(self.counts))
            return
        loop = asyncio.get_running_loop()
        fault = self._fault(body)
        self.counts[fault or "good"] += 1
        if fault == "timeout":
            return
        if fault == "cut":
            loop.call_later(self._delay / 2, write, None, b"")
        elif fault == "429":
            write(429, b'{"error": {"message": "slow down", "type": "rate_limit"}}', b"Retry-After: 0.05\r\n")
        elif fault == "500":
            write(500, b'{"error": {"message": "broken", "type": "server_error"}}')
        elif fault == "malformed":
            loop.call_later(self._delay, write, 200, b'{"choices": [{"message": {"role": "assis')
        else:
            answer = completion({"content": ""} if fault else self._message(body), body)
            loop.call_later(self._delay, write, 200, answer)

    def _message(self, body):
        request = orjson.loads(body)
        role = request["model"].partition("-")[0]
        self.counts[role] += 1
        return self._roles[role](request)

    def _fault(self, body):
        if not self._faults:
            return None
        name = zlib.crc32(body)
        self._seen[name] += 1
        drawn = zlib.crc32(f"{self._seed}/{name}/{self._seen[name]}".encode()) / 2**32
        place = int(drawn / self._faults)
        return FAULTS[place] if place < len(FAULTS) else None


def completion(message, body):
    """The body of an answer; tokens are counted roughly, by bytes."""
    said = {"role": "assistant", **message}
    written = orjson.dumps(said)
    used = {"prompt_tokens": len(body) // 4, "completion_tokens": len(written) // 4}
    return orjson.dumps(
        {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 0,
            "model": "role",
            "choices": [{"index": 0, "message": said, "finish_reason": "stop"}],
            "usage": {**used, "total_tokens": sum(used.values())},
        }
    )


async def serve(options):
    answers = Answers(options.delay, options.faults, options.seed)
    # Tasks and plays live as long as the server: looking through them again and again would hold answers up.
    gc.freeze()
    server = await asyncio.get_running_loop().create_server(lambda: RoleServer(answers), "127.0.0.1", options.port)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


@contextlib.contextmanager
def role_server(delay=0.0, faults=0.0, seed=0, port=0):
    """Run the server; gives its base URL. Its process is ended with the block."""
    options = [
        f"--{name}={value}" for name, value in (("delay", delay), ("faults", faults), ("seed", seed), ("port", port))
    ]
    tests = str(Path(__file__).parents[1])
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([tests, os.environ.get("PYTHONPATH", "")])}
    command = [sys.executable, "-m", "support.role_server", *options]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, env=environment, text=True)
    try:
        port = process.stdout.readline().strip()
        if not port:
            raise RuntimeError("the server did not start")
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        process.terminate()
        process.wait()
        process.stdout.close()


def stats(url):
    """How often each kind of answer was given."""
    import urllib.request

    with urllib.request.urlopen(url.removesuffix("/v1") + "/stats") as answer:
        return json.load(answer)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--delay", type=float, default=0.0, help="seconds before a good answer")
    parser.add_argument("--faults", type=float, default=0.0, help="share of requests that get each of the six faults")
    parser.add_argument("--seed", type=int, default=0, help="which requests get one")
    parser.add_argument("--port", type=int, default=0, help="0: any free one")
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(serve(parser.parse_args()))
