"""A whole evaluation over HTTP: unbroken, killed twice for good, and with faults injected; what must agree is compared.

Run it with ``python benchmarks/evaluation_run.py``: 4 × 100 tasks × 4 trials, agent, user and judge played by a local
server that takes 0.2 s an answer. It takes about 22 minutes on two cores and says on standard error how far it is.
``--tasks N`` plays N tasks of each domain; ``--json`` prints one JSON document. One line for each thing that must hold,
with what was seen; exit code 1: one of them does not.

- once: one trial of each task, which loads every world; its memory is what the other trials must not add to
- unbroken: the run as it should be; the requests in flight while there are episodes to begin, and the memory
- killed: the same run, killed with -9 after a third and after two thirds, then ended; the same rows, the same metrics
- faulty: 5 % each of 429, 500, time-out, cut connection, malformed JSON and empty answers, with twice as many episodes
  in flight; every episode is accounted for, those that ended and their metrics are as in the unbroken run; then
  ``--retry-failed``
- replay: ``vitagym replay --verify`` on all three
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from support.role_server import role_server, stats

from vitagym.evaluation.comparing import parting
from vitagym.evaluation.log import EPISODES, endpoint_failed, read_rows

IDS = ("VitaBench-Delivery-v0", "VitaBench-InStore-v0", "VitaBench-OTA-v0", "VitaBench-Cross-v0")
LEAST_SHARE_OF_IDEAL = 0.9
MOST_GROWTH = 1.1
OF_THE_CLOCK = ("started", "seconds", "seconds_by_role", "attempt")
FAULT_SHARE = 0.05
TIMEOUT_S = 3.0
OF_WHAT_WAS_ASKED = ("seconds", "tokens", "cost")
"""Metrics that faults change: what failed is asked again."""
SHARE_OF_THE_PARTS = {"once": 0.25, "unbroken": 1.0, "killed": 1.15, "faulty": 1.6, "replay": 0.5}
"""How long each part takes, as a share of the unbroken run."""
LAST_SHARE = 0.95
"""The memory at the end of a run is that over the episodes after this share of them."""
LINE_EVERY_S = 15.0
_FAILED = 1


class Told:
    """Says on standard error how far all is.

    Args:
        total: Episodes of a run.
    """

    def __init__(self, total: int) -> None:
        self.total = total
        self._began = time.monotonic()
        self._line_at = self._began
        self._ended = 0.0

    def at(self, part: str, episodes: int) -> None:
        """Say how far a part is, now and then."""
        if time.monotonic() < self._line_at:
            return
        self._line_at = time.monotonic() + LINE_EVERY_S
        share = episodes / self.total
        done = self._ended + share * SHARE_OF_THE_PARTS[part]
        seconds = time.monotonic() - self._began
        whole = sum(SHARE_OF_THE_PARTS.values())
        left = f"about {seconds / done * (whole - done) / 60:.0f} min left" if done > 0.05 else "time left unknown"
        sys.stderr.write(f"{part}: {episodes}/{self.total} episodes, {seconds / 60:.1f} min passed, {left}\n")

    def ended(self, part: str) -> None:
        """Take note that a part has ended."""
        self._ended += SHARE_OF_THE_PARTS[part]
        self._line_at = 0.0


class Sample(NamedTuple):
    """How far a run was at a moment: seconds, episodes that had ended, answers of the server, MiB of memory."""

    seconds: float
    episodes: int
    answers: int
    memory: float


class Run:
    """A run of the command into a folder."""

    def __init__(self, options: argparse.Namespace, url: str, out: Path, *, among_faults: bool = False) -> None:
        self.out = out
        in_flight = options.concurrency * (2 if among_faults else 1)
        self.command = [sys.executable, "-c", "from vitagym.cli import main; main()", "eval", *IDS]
        self.command += ["--agent", "llm", "--user", "llm", "--judge", "llm", "--tasks", str(options.tasks)]
        self.command += ["--trials", str(options.trials), "--concurrency", str(in_flight)]
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
        self.out.parent.mkdir(parents=True, exist_ok=True)
        with self._errors.open("wb") as errors:
            return subprocess.Popen(
                [*self.command, *further], env=self.environment, stdout=subprocess.PIPE, stderr=errors
            )

    def watched(self, process: subprocess.Popen[bytes], told: Told, part: str) -> dict[str, Any]:
        """Wait for the command's end, saying how far it is, and return its document."""
        while process.poll() is None:
            told.at(part, self.episodes)
            time.sleep(1)
        return self.ended(process)

    def ended(self, process: subprocess.Popen[bytes]) -> dict[str, Any]:
        """Wait for the command's end and return its document."""
        out, _ = process.communicate()
        try:
            document: dict[str, Any] = json.loads(out)
        except ValueError:
            raise SystemExit(f"{self.out.name} broke:\n{self._errors.read_text(encoding='utf-8')[-3000:]}") from None
        if "error" in document:
            raise SystemExit(document["error"])
        return document

    @property
    def _errors(self) -> Path:
        return self.out.with_suffix(".stderr")

    @property
    def episodes(self) -> int:
        """How many episodes have ended."""
        file = self.out / EPISODES
        return file.read_bytes().count(b"\n") if file.exists() else 0

    def rows(self) -> dict[str, dict[str, Any]]:
        """Return the episodes by key, of each the latest attempt, without what the clock says."""
        rows = {row["key"]: row for row in read_rows(self.out / EPISODES)}
        return {key: {n: v for n, v in row.items() if n not in OF_THE_CLOCK} for key, row in rows.items()}

    def metrics(self, only: Iterable[str] | None = None) -> dict[str, Any]:
        """Return what ``vitagym metrics`` says, seconds left out.

        Args:
            only: Keys of the episodes that count, without what faults change; None: all, with everything.
        """
        with tempfile.TemporaryDirectory() as folder:
            if only is not None:
                rows = {row["key"]: row for row in read_rows(self.out / EPISODES)}
                lines = [json.dumps(rows[key]) + "\n" for key in sorted(only)]
                (Path(folder) / EPISODES).write_text("".join(lines), encoding="utf-8")
            where = str(self.out) if only is None else folder
            conditions: dict[str, Any] = self._asked("metrics", where, "--resamples", "100")["conditions"]
        for groups in (groups for by in conditions.values() for groups in by.values()):
            for summary in groups.values():
                for name in OF_WHAT_WAS_ASKED if only is not None else ("seconds",):
                    summary["metrics"].pop(name, None)
                if only is not None:
                    summary.pop("spent", None)
        return conditions

    def replaying(self) -> subprocess.Popen[bytes]:
        """Start ``vitagym replay --verify``."""
        command = [*self.command[:3], "replay", str(self.out), "--verify", "--json"]
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=self.environment)

    def _asked(self, *arguments: str) -> dict[str, Any]:
        command = [*self.command[:3], *arguments, "--json"]
        done = subprocess.run(command, capture_output=True, check=False, env=self.environment)
        document: dict[str, Any] = json.loads(done.stdout)
        if "error" in document:
            raise SystemExit(document["error"])
        return document


def sampled(run: Run, url: str, told: Told, part: str) -> tuple[dict[str, Any], list[Sample]]:
    """Play a run without a break, and return its document and its samples."""
    process = run.start()
    samples: list[Sample] = []
    while process.poll() is None:
        samples.append(Sample(time.monotonic(), run.episodes, answers(url), _mebibytes(process.pid)))
        told.at(part, samples[-1].episodes)
        time.sleep(1)
    return run.ended(process), samples


def unbroken(run: Run, options: argparse.Namespace, url: str, told: Told) -> dict[str, Any]:
    """Play the run without a break and watch its pace and its memory."""
    document, samples = sampled(run, url, told, "unbroken")
    usages = [row["usage"]["roles"] for row in read_rows(run.out / EPISODES)]
    requests = sum(role["requests"] for roles in usages for role in roles.values())
    pace, seconds = _pace(samples, told.total - options.concurrency)
    return {
        "episodes": document["done"],
        "failed": document["failed"],
        "seconds": document["spent"]["seconds"],
        "requests": requests,
        "answers_of_the_server": stats(url),
        "tokens": document["spent"]["tokens"],
        "cost": document["spent"]["cost"],
        "answers_per_s": pace,
        "measured_s": seconds,
        "share_of_ideal": pace * options.delay / options.concurrency,
        "memory_mib": _memory(samples),
        "results": document["results"],
    }


def answers(url: str) -> int:
    """Return how many answers the server has given to all roles."""
    given = stats(url)
    return sum(given.get(role, 0) for role in ("agent", "user", "judge"))


def _pace(samples: list[Sample], last: int) -> tuple[float, float]:
    """Return answers a second while there were episodes to begin, and for how many seconds that was measured."""
    full = [sample for sample in samples if 1 <= sample.episodes <= last]
    first, end = (full[0], full[-1]) if len(full) > 1 else (samples[0], samples[-1])
    seconds = end.seconds - first.seconds
    return (end.answers - first.answers) / seconds, seconds


def _memory(samples: list[Sample]) -> float:
    """Return the MiB that a run holds at its end."""
    last = max(sample.episodes for sample in samples) * LAST_SHARE
    return statistics.median([s.memory for s in samples if s.memory and s.episodes >= last])


def killed(run: Run, told: Told) -> dict[str, Any]:
    """Kill the run after a third and after two thirds, then end it."""
    kept = []
    for share in (1 / 3, 2 / 3):
        process = run.start()
        while run.episodes < share * told.total and process.poll() is None:
            told.at("killed", run.episodes)
            time.sleep(0.05)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        kept.append(run.episodes)
    document = run.watched(run.start(), told, "killed")
    return {"kept_at_the_kills": kept, "played_at_last": document["played"], "episodes": run.episodes}


def faulty(run: Run, told: Told) -> dict[str, Any]:
    """Play the run against faults, then try those that failed again until none is left, three times at most."""
    first = run.watched(run.start(), told, "faulty")
    tried = [{"played": first["played"], "failed": first["failed"]}]
    while tried[-1]["failed"] and len(tried) < 4:
        again = run.ended(run.start("--retry-failed"))
        tried.append({"played": again["played"], "failed": again["failed"]})
    return {"episodes": first["done"], "left": first["left"], "seconds": first["spent"]["seconds"], "tries": tried}


def ended_alike(one: Run, other: Run) -> dict[str, Any]:
    """Compare the episodes of a faulty run that ended, and their metrics, with those of the unbroken one."""
    there, here = one.rows(), other.rows()
    ended = [key for key, row in here.items() if not endpoint_failed(row)]
    apart = [key for key in ended if not _alike(there[key], here[key])]
    same = one.metrics(ended) == other.metrics(ended)
    return {"ended": len(ended), "of": len(there), "different": len(apart), "same_metrics": same, "first": apart[:1]}


def _alike(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Return whether two episodes came to the same, however often their models had to be asked."""
    names = ("messages", "rewards", "rubrics", "is_success", "end_reason", "world_changes")
    return all(parting(one[name], other[name]) is None for name in names)


def _mebibytes(pid: int) -> float:
    """Return what a process holds in memory; 0 where it has ended."""
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
    told = Told(len(IDS) * options.tasks * options.trials)
    with role_server(delay=options.delay) as url:
        one_trial = argparse.Namespace(**{**vars(options), "trials": 1})
        _, samples = sampled(Run(one_trial, url, folder / "once"), url, told, "once")
        figures["once"] = {"memory_mib": _memory(samples)}
        told.ended("once")
        whole = Run(options, url, folder / "unbroken")
        figures["unbroken"] = unbroken(whole, options, url, told)
        told.ended("unbroken")
        broken = Run(options, url, folder / "killed")
        figures["killed"] = killed(broken, told)
    apart = parting(whole.rows(), broken.rows())
    figures["killed"]["rows_differ_at"] = None if apart is None else str(apart)
    figures["killed"]["same_metrics"] = whole.metrics() == broken.metrics()
    told.ended("killed")
    with role_server(delay=options.delay, faults=FAULT_SHARE, seed=options.seed) as url:
        hurt = Run(options, url, folder / "faulty", among_faults=True)
        figures["faulty"] = faulty(hurt, told)
        figures["faulty"]["answers_of_the_server"] = stats(url)
    figures["faulty"]["against_unbroken"] = ended_alike(whole, hurt)
    told.ended("faulty")
    told.at("replay", 0)
    figures["replay"] = replayed((whole, broken, hurt))
    return figures


def replayed(runs: Iterable[Run]) -> dict[str, Any]:
    """Return what ``vitagym replay --verify`` says of each run, all at once."""
    said = {run.out.name: run.ended(process) for run, process in [(run, run.replaying()) for run in runs]}
    return {
        name: {"same": it["same"], "different": it["different"], "first": it["differences"][:1]}
        for name, it in said.items()
    }


@dataclass(frozen=True)
class Check:
    """Something that must hold.

    Attributes:
        holds: Whether it does.
        seen: What was seen, in words.
    """

    holds: bool
    seen: str


def checks(figures: dict[str, Any], options: argparse.Namespace) -> list[Check]:
    """Return what must hold, with what was seen."""
    total = len(IDS) * options.tasks * options.trials
    whole, broken, hurt = figures["unbroken"], figures["killed"], figures["faulty"]
    first, last = figures["once"]["memory_mib"], whole["memory_mib"]
    alike = hurt["against_unbroken"]
    same = sum(run["same"] for run in figures["replay"].values())
    different = sum(run["different"] for run in figures["replay"].values())
    kept = " and ".join(str(number) for number in broken["kept_at_the_kills"])
    return [
        Check(
            whole["episodes"] == total and not whole["failed"],
            f"{whole['episodes']} of {total} episodes over HTTP in {whole['seconds']:.0f} s, {whole['requests']} "
            f"requests, {whole['failed']} cut off",
        ),
        Check(
            whole["share_of_ideal"] >= LEAST_SHARE_OF_IDEAL,
            f"{whole['share_of_ideal']:.1%} of the ideal concurrency: {whole['answers_per_s']:.0f} answers a second "
            f"over {whole['measured_s']:.0f} s, with {options.concurrency} in flight and {options.delay:g} s an answer",
        ),
        Check(
            last <= first * MOST_GROWTH,
            f"memory flat: {first:.0f} MiB at the end of one trial, {last:.0f} MiB at the end of {options.trials}",
        ),
        Check(
            broken["episodes"] == total and broken["rows_differ_at"] is None and broken["same_metrics"],
            f"killed with -9 twice, with {kept} episodes kept, then ended: {broken['episodes']} episodes, rows "
            f"{'equal' if broken['rows_differ_at'] is None else 'differ at ' + broken['rows_differ_at']}, metrics "
            f"{'equal' if broken['same_metrics'] else 'differ'}",
        ),
        Check(
            hurt["episodes"] == total and not hurt["left"],
            f"5 % each of six faults: {hurt['episodes']} of {total} episodes accounted for in {hurt['seconds']:.0f} s; "
            f"cut off by the endpoint: {' → '.join(str(tried['failed']) for tried in hurt['tries'])}",
        ),
        Check(
            not alike["different"] and alike["same_metrics"],
            f"of those that ended among faults ({alike['ended']}), {alike['different']} differ from the unbroken run; "
            f"metrics {'equal' if alike['same_metrics'] else 'differ'}",
        ),
        Check(not different and bool(same), f"replay --verify: {same} episodes the same, {different} different"),
    ]


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
    found = checks(figures, options)
    if options.json:
        print(json.dumps({**figures, "checks": [asdict(check) for check in found]}, indent=2))
    else:
        for check in found:
            print(f"{'ok   ' if check.holds else 'WRONG'} {check.seen}")
    raise SystemExit(0 if all(check.holds for check in found) else _FAILED)


if __name__ == "__main__":
    main()
