"""A class on a real Dask cluster of processes: the same bytes, whoever grades whom and whatever dies."""

import contextlib
import multiprocessing
import os
import pickle
import signal
import sys
import time
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import psutil
import pytest
from distributed import LocalCluster

from autograder.grade import classes, cluster, pools
from autograder.grade import grade as grading
from autograder.grade.bench import Order
from autograder.model import KitError
from autograder.tests.grading import GOOD, small_class, submit

pytestmark = pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning")  # of the workers that are killed
grade_class = partial(classes.grade_class, walls="none", pool="dask")  # quick; all work here is our own
KILLS_ITS_DESK = GOOD.replace("return x + x", "import os; os._exit(1)")


@pytest.fixture
def course(tmp_path):
    return small_class(tmp_path)


def sheets(course):
    return {file.parent.name: file.read_bytes() for file in course.root.glob("gradesheets/*/two_steps.json")}


def undisturbed(course):
    """What one process makes of the class; then forgotten."""
    classes.grade_class(course, "two_steps", workers=1, walls="none")
    found = sheets(course)
    for file in course.root.glob("gradesheets/*/two_steps.json"):
        file.unlink()
    return found


def listening():
    """Where this process and its children can be reached."""
    found = set()
    for process in (psutil.Process(), *psutil.Process().children(recursive=True)):
        with contextlib.suppress(psutil.NoSuchProcess):  # desks come and go
            lines = process.net_connections("inet")
            found |= {line.laddr.ip for line in lines if line.status == psutil.CONN_LISTEN}
    return found


@pytest.mark.system  # it takes a cluster of processes some seconds to start
def test_a_worker_that_is_killed_in_the_middle_loses_nothing(course):
    for number in range(150):
        submit(course, f"s{number:03}", GOOD)
    submit(course, "zed", KILLS_ITS_DESK)
    before, killed, reached = undisturbed(course), [], set()

    def kill(done, of, sheet):
        if not killed:
            reached.update(listening())
            killed.append(multiprocessing.active_children()[0].pid)
            os.kill(killed[0], signal.SIGKILL)

    graded = grade_class(course, "two_steps", workers=2, progress=kill)
    assert killed
    assert [sheet.student for sheet in graded] == grading.students_with_work(course, "two_steps")
    assert sheets(course) == before
    assert reached == {"127.0.0.1"}


@pytest.mark.system
def test_a_cluster_without_workers_is_an_error(course, monkeypatch):
    monkeypatch.setattr(cluster, "PATIENCE", 0.1)
    with LocalCluster(1, **cluster._only_here()) as running:
        running.scale(0)  # asked for none from the start, it makes as many as there are processors
        while running.scheduler.workers:
            time.sleep(0.1)
        with pytest.raises(KitError, match="no worker"):
            grade_class(course, "two_steps", pool=running.scheduler_address.replace("tcp", "dask"))


@pytest.mark.system
def test_a_cluster_that_runs_already_is_used_by_its_address(course, monkeypatch):
    submit(course, "zed", KILLS_ITS_DESK)
    before = undisturbed(course)
    with LocalCluster(1, **cluster._only_here()) as running:
        address = running.scheduler_address.replace("tcp", "dask")
        workers = {child.pid for child in multiprocessing.active_children()}
        grade_class(course, "two_steps", pool=address)
        assert sheets(course) == before
        assert {child.pid for child in multiprocessing.active_children()} == workers
        monkeypatch.setattr(cluster, "grade_batch", lambda *batch: Path("/nowhere/at/all").stat())
        grade_class(course, "two_steps", pool=address, force=True)  # whom no worker could grade
        assert sheets(course) == before


def test_a_worker_needs_no_file_of_the_course(course):
    with pools.Bench(Order(course, "two_steps", walls="none")) as bench:
        parcel = cluster.Parcel.of(Order(course, "two_steps"), bench.proctor)
        sent = pickle.dumps((parcel, bench.look_up("ann")))
    assert str(course.root).encode() not in sent
    assert pickle.loads(sent)[0] == parcel


def test_a_worker_with_another_kit_grades_nobody(course):
    with pools.Bench(Order(course, "two_steps", walls="none")) as bench:
        parcel = cluster.Parcel.of(Order(course, "two_steps"), bench.proctor)
    with pytest.raises(KitError, match="Install the same"):
        cluster._Seat().grade(cluster.replace(parcel, grader="older"), [])


def test_what_cannot_be_had_is_said(course, monkeypatch):
    for pool, said in (("dask://127.0.0.1:9", "no Dask scheduler"), ("clouds", "there are: processes, dask")):
        with pytest.raises(KitError, match=said):
            grade_class(course, "two_steps", pool=pool)
    monkeypatch.setitem(sys.modules, "distributed", SimpleNamespace())
    with pytest.raises(KitError, match=r"pip install 'self-attention-kit\[cluster\]'"):
        grade_class(course, "two_steps")
