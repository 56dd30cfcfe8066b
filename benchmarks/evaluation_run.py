"""A whole evaluation over HTTP: unbroken, killed twice for good, and with faults injected; what must agree is compared.

Run it with ``python benchmarks/evaluation_run.py``: 4 × 100 tasks × 4 trials, agent, user and judge played by a local
server that takes 0.2 s an answer. ``--tasks N`` plays N tasks of each domain; ``--json`` prints one JSON document. Exit
code 1: something that must agree does not, or the requests in flight fell under 0.9 of what is ideal.

- unbroken: the run as it should be; the requests in flight, and the memory at a third of the run and at its end
- killed: the same run, killed with -9 after a third and after two thirds, then ended; the same rows, the same metrics
- faulty: 5 % each of 429, 500, time-out, cut connection, malformed JSON and empty answers; every episode is accounted
  for, those that ended are as in the unbroken run; then ``--retry-failed``
- replay: ``vitagym replay --verify`` on all three
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from support.role_server import role_server, stats

from vitagym.evaluation.comparing import parting
from vitagym.evaluation.log import EPISODES, endpoint_failed, read_rows

IDS = ("VitaBench-Delivery-v0", "VitaBench-InStore-v0", "VitaBench-OTA-v0", "VitaBench-Cross-v0")
LEAST_SHARE_OF_IDEAL = 0.9
MOST_GROWTH = 1.15
OF_THE_CLOCK = ("started", "seconds", "seconds_by_role", "attempt")
FAULT_SHARE = 0.05
TIMEOUT_S = 3.0
_FAILED = 1


class Run:
    """A run of the command into a folder."""

    def __init__(self, options: argparse.Namespace, url: str, out: Path, *, among_faults: bool = False) -> None:
        self.out = out
        self.command = [sys.executable, "-c", "from vitagym.cli import main; main()", "eval", *IDS]
        self.command += ["--agent", "llm", "--user", "llm", "--judge", "llm", "--tasks", str(options.tasks)]
        self.command += ["--trials", str(options.trials), "--concurrency", str(options.concurrency)]
        self.command += ["--price", "agent=2,8", "--price", "user=1,4", "--price", "judge=1,4"]
        self.command += ["--out", str(out), "--json"]
        roles = {f"VITAGYM_{role.upper()}_MODEL": role for role in ("agent", "user", "judge")}
        self.environment = {
            **os.environ,
            **roles,
            "VITAGYM_BASE_URL": url,
            **({"VITAGYM_TIMEOUT_S": str(TIMEOUT_S), "VITAGYM_BACKOFF_S": "0.1"} if among_faults else {}),
        }

    def start(self, *further: str) -> subprocess.Popen[bytes]:
        """Start the command."""
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
        return subprocess.Popen([*self.command, *further], env=self.environment, **pipes)  # type: ignore[call-overload,no-any-return]

    def ended(self, process: subprocess.Popen[bytes]) -> dict[str, Any]:
        """Wait for the command's end and return its document."""
        out, _ = process.communicate()
        document: dict[str, Any] = json.loads(out)
        if "error" in document:
            raise SystemExit(document["error"])
        return document

    @property
    def episodes(self) -> int:
        """How many episodes have ended."""
        file = self.out / EPISODES
        return file.read_bytes().count(b"\n") if file.exists() else 0

    def rows(self) -> dict[str, dict[str, Any]]:
        """Return the episodes by key, of each the latest attempt, without what the clock says."""
        rows = {row["key"]: row for row in read_rows(self.out / EPISODES)}
        return {key: {n: v for n, v in row.items() if n not in OF_THE_CLOCK} for key, row in rows.items()}

    def metrics(self) -> dict[str, Any]:
        """Return what ``vitagym metrics`` says, seconds left out."""
        conditions = self._asked("metrics", str(self.out), "--resamples", "100")["conditions"]
        for groups in (groups for by in conditions.values() for groups in by.values()):
            for summary in groups.values():
                del summary["metrics"]["seconds"]
        return conditions

    def replayed(self) -> dict[str, Any]:
        """Return what ``vitagym replay --verify`` says."""
        said = self._asked("replay", str(self.out), "--verify")
        return {"same": said["same"], "different": said["different"], "first": said["differences"][:1]}

    def _asked(self, *arguments: str) -> dict[str, Any]:
        command = [*self.command[:3], *arguments, "--json"]
        done = subprocess.run(command, capture_output=True, check=False, env=self.environment)
        document: dict[str, Any] = json.loads(done.stdout)
        return document


def unbroken(run: Run, options: argparse.Namespace, url: str) -> dict[str, Any]:
    """Play the run without a break and watch its memory."""
    process = run.start()
    total = len(IDS) * options.tasks * options.trials
    memory: dict[str, float] = {}
    while process.poll() is None:
        done = run.episodes / total
        for share in (0.33, 0.66, 0.95):
            if done >= share:
                memory.setdefault(f"{share:.0%}", _megabytes(process.pid))
        time.sleep(0.5)
    document = run.ended(process)
    rows = list(read_rows(run.out / EPISODES))
    starts = [row["started"] for row in rows]
    seconds = document["spent"]["seconds"]
    requests = sum(role["requests"] for row in rows for role in row["usage"]["roles"].values())
    longest = max(sum(role["requests"] for role in row["usage"]["roles"].values()) for row in rows)
    ideal = max(requests / min(options.concurrency, total), longest) * options.delay
    return {
        "episodes": document["done"],
        "failed": document["failed"],
        "seconds": seconds,
        "requests": requests,
        "answers_of_the_server": stats(url),
        "tokens": document["spent"]["tokens"],
        "cost": document["spent"]["cost"],
        "ideal_seconds": ideal,
        "share_of_ideal": ideal / seconds,
        "requests_in_flight": requests * options.delay / seconds,
        "memory_mb": memory,
        "first_started": min(starts),
        "results": document["results"],
    }


def killed(run: Run, options: argparse.Namespace) -> dict[str, Any]:
    """Kill the run after a third and after two thirds, then end it."""
    total = len(IDS) * options.tasks * options.trials
    kept = []
    for share in (1 / 3, 2 / 3):
        process = run.start()
        while run.episodes < share * total and process.poll() is None:
            time.sleep(0.05)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        kept.append(run.episodes)
    document = run.ended(run.start())
    return {"kept_at_the_kills": kept, "played_at_last": document["played"], "episodes": run.episodes}


def faulty(run: Run) -> dict[str, Any]:
    """Play the run against faults, then try those that failed again until none is left, three times at most."""
    first = run.ended(run.start())
    tried = [{"played": first["played"], "failed": first["failed"]}]
    while tried[-1]["failed"] and len(tried) < 4:
        again = run.ended(run.start("--retry-failed"))
        tried.append({"played": again["played"], "failed": again["failed"]})
    return {"episodes": first["done"], "left": first["left"], "seconds": first["spent"]["seconds"], "tries": tried}


def ended_alike(one: Run, other: Run) -> dict[str, Any]:
    """Compare the episodes of a faulty run that ended with those of the unbroken one, usage aside."""
    there, here = one.rows(), other.rows()
    ended = [key for key, row in here.items() if not endpoint_failed(row)]
    apart = [key for key in ended if not _alike(there[key], here[key])]
    success = [sum(bool(rows[key]["is_success"]) for key in ended) for rows in (there, here)]
    return {"ended": len(ended), "of": len(there), "different": len(apart), "successes": success, "first": apart[:1]}


def _alike(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Return whether two episodes came to the same, however often their models had to be asked."""
    names = ("messages", "rewards", "rubrics", "is_success", "end_reason", "world_changes")
    return all(parting(one[name], other[name]) is None for name in names)


def _megabytes(pid: int) -> float:
    """Return what a process holds in memory."""
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) / 1024
    return 0.0


@contextlib.contextmanager
def _folder(wanted: Path | None) -> Iterator[Path]:
    if wanted is not None:
        wanted.mkdir(parents=True, exist_ok=True)
        yield wanted
        return
    with tempfile.TemporaryDirectory() as made:
        yield Path(made)


def measure(options: argparse.Namespace, folder: Path) -> dict[str, Any]:
    """Play the three runs and return every figure."""
    figures: dict[str, Any] = {}
    with role_server(delay=options.delay) as url:
        whole = Run(options, url, folder / "unbroken")
        figures["unbroken"] = _told("unbroken", unbroken(whole, options, url))
        broken = Run(options, url, folder / "killed")
        figures["killed"] = killed(broken, options)
    apart = parting(whole.rows(), broken.rows())
    figures["killed"]["rows_differ_at"] = None if apart is None else str(apart)
    figures["killed"]["same_metrics"] = whole.metrics() == broken.metrics()
    _told("killed", figures["killed"])
    with role_server(delay=options.delay, faults=FAULT_SHARE, seed=options.seed) as url:
        hurt = Run(options, url, folder / "faulty", among_faults=True)
        figures["faulty"] = faulty(hurt)
        figures["faulty"]["answers_of_the_server"] = stats(url)
    figures["faulty"]["against_unbroken"] = ended_alike(whole, hurt)
    _told("faulty", figures["faulty"])
    figures["replay"] = _told("replay", {run.out.name: run.replayed() for run in (whole, broken, hurt)})
    return figures


def wrong(figures: dict[str, Any], options: argparse.Namespace) -> list[str]:
    """Return what is not as it must be."""
    total = len(IDS) * options.tasks * options.trials
    whole, broken, hurt = figures["unbroken"], figures["killed"], figures["faulty"]
    memory = list(whole["memory_mb"].values())
    checks = {
        "an episode of the unbroken run failed": whole["failed"] or whole["episodes"] != total,
        "the requests in flight are under 0.9 of the ideal": whole["share_of_ideal"] < LEAST_SHARE_OF_IDEAL,
        "memory grows": len(memory) > 1 and memory[-1] > MOST_GROWTH * memory[0],
        "the killed run has other rows": broken["rows_differ_at"] is not None or broken["episodes"] != total,
        "the killed run has other metrics": not broken["same_metrics"],
        "the faulty run lost an episode": hurt["episodes"] != total or hurt["left"],
        "an episode that ended among faults is another": hurt["against_unbroken"]["different"],
        "a replay differs": any(run["different"] for run in figures["replay"].values()),
    }
    return [what for what, holds in checks.items() if holds]


def _told(name: str, figures: dict[str, Any]) -> dict[str, Any]:
    sys.stderr.write(f"{name}: {json.dumps({k: v for k, v in figures.items() if k != 'results'})}\n")
    return figures


def main() -> None:
    """Play, print the figures, and say what is wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tasks", type=int, default=100, help="tasks of each of the four domains")
    parser.add_argument("--trials", type=int, default=4)
    parser.add_argument("--concurrency", type=int, default=64)
    parser.add_argument("--delay", type=float, default=0.2, help="seconds that the server takes for an answer")
    parser.add_argument("--seed", type=int, default=1, help="which requests get a fault")
    parser.add_argument("--out", type=Path, help="folder for the runs; without one they are thrown away")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with _folder(options.out) as folder:
        figures = measure(options, folder)
    faults = wrong(figures, options)
    if options.json:
        print(json.dumps({**figures, "wrong": faults}, indent=2))
    else:
        print("\n".join(faults) or "everything agrees")
    raise SystemExit(_FAILED if faults else 0)


if __name__ == "__main__":
    main()
