"""Data files: the folders searched, the files refused, and downloads from a server on this machine."""

import dataclasses
import functools
import gzip
import hashlib
import http.server
import io
import json
import struct
import tarfile
import threading
import urllib.request

import numpy as np
import pytest

from cli import experiments as experiments_command
from experiments import data
from experiments.data import __main__ as command
from experiments.data import catalogue, formats, sources
from experiments.engine.study import Study

ROWS = [[1.5, -2.0, 3.0], [0.25, 4.0, 1e-3], [7.0, 8.0, 9.5]]
LABELS = ["van", "bus", "van"]
CSV = b"1.5,-2,3,van\n0.25,4.0,0.001,bus\n7,8,9.5,van\n"
IMAGES = np.arange(24, dtype=np.uint8).reshape(2, 12)

NEEDY = Study("toy.one", "", "", lambda scale: [], lambda cell: {}, data=("toy.csv",))
"""A study without cells that needs one file."""


def sha(rows, labels):
    """The checksum as documented, written anew."""
    return hashlib.sha256(
        "".join(
            ",".join([*map(repr, map(float, row)), label]) + "\n" for row, label in zip(rows, labels, strict=True)
        ).encode()
    ).hexdigest()


@pytest.fixture
def folders(tmp_path, monkeypatch):
    """A catalogue of two files, an empty user's folder, an empty cache; downloads allowed."""
    monkeypatch.setenv("KERNELBO_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("KERNELBO_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("KERNELBO_OFFLINE")
    (tmp_path / "data").mkdir()
    table = data.DataFile("toy.csv", "three rows", "a toy maker, https://example.org", sha(ROWS, LABELS), 4)
    digest = formats.array_digest({"x": IMAGES, "y": np.array([7, 1], np.uint8)})
    images = data.DataFile("images.npz", "two images", "nobody", digest)
    monkeypatch.setattr(catalogue, "CATALOGUE", {"toy.csv": table, "images.npz": images})
    monkeypatch.setattr(command, "CATALOGUE", catalogue.CATALOGUE)
    return tmp_path


@pytest.fixture
def server(folders):
    """Serves the folder `public`; gives its address."""
    (folders / "public").mkdir()

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *arguments):
            pass

        def do_GET(self):
            if self.path == "/cut.csv":
                self.send_response(200)
                self.send_header("Content-Length", str(len(CSV)))
                self.end_headers()
                self.wfile.write(CSV[:20])
            else:
                super().do_GET()

    handler = functools.partial(Quiet, directory=str(folders / "public"))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as running:
        thread = threading.Thread(target=running.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{running.server_port}"
        running.shutdown()
        thread.join()


def with_urls(name, *urls):
    catalogue.CATALOGUE[name] = dataclasses.replace(catalogue.CATALOGUE[name], urls=urls)


@pytest.mark.parametrize(
    "content",
    [
        CSV,
        CSV.replace(b",", b";"),
        CSV.replace(b",", b" "),
        b"a,b,c,class\n" + CSV,
        b"1,2,3,4\n" + CSV,
        b'"x";"y";"z";"class"\n' + CSV.replace(b",", b";"),
        b"% about\n@relation r\n@attribute a numeric\n@DATA\n" + CSV.replace(b"van", b"'van'"),
        CSV.replace(b"\n", b"\r\n"),
        b"".join(b"%d,%s\n" % (i, line) for i, line in enumerate(CSV.splitlines())),
        gzip.compress(CSV),
    ],
    ids=["commas", "semicolons", "blanks", "header", "numbered", "quoted", "arff", "crlf", "identifier", "gzip"],
)
def test_one_table_in_many_wrappings(content):
    table = formats.parse_table(content, 4)
    np.testing.assert_array_equal(table.features, ROWS)
    assert table.target == tuple(LABELS)
    assert table.digest == sha(ROWS, LABELS)
    assert table.classes.tolist() == [1, 0, 1]
    assert formats.parse_table(formats.write_table(table), 4).digest == table.digest


def test_table_in_an_archive():
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
        for name, content in (("d/read.me", b"hello"), ("d/toy.data", CSV)):
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    assert formats.parse_table(buffer.getvalue(), 4).digest == sha(ROWS, LABELS)


@pytest.mark.parametrize(
    "content", [b"", b"1,2\n3,4\n", b"1,2,3,a\n1,2,a\n", b"1,x,3,a\n1,y,3,a\n", b"\x1f\x8b\x00", b"\xff\xfe\xfa"]
)
def test_what_is_no_table_is_refused(content):
    with pytest.raises(formats.UNREADABLE):
        formats.parse_table(content, 4)


def test_the_users_folder_comes_first(folders):
    assert data.present("toy.csv") is None
    (folders / "cache" / "data").mkdir(parents=True)
    (folders / "cache" / "data" / "toy.csv").write_bytes(CSV)
    assert data.locate("toy.csv") == folders / "cache" / "data" / "toy.csv"
    (folders / "data" / "toy.csv").write_bytes(b"h,h,h,h\n" + CSV)
    assert data.locate("toy.csv") == folders / "data" / "toy.csv"
    np.testing.assert_array_equal(data.table("toy.csv").features, ROWS)


def test_a_missing_file_is_named_with_its_source_and_the_way_to_get_it(folders):
    with pytest.raises(data.DataUnavailable, match=r"toy\.csv.*example\.org.*KERNELBO_DATA"):
        data.table("toy.csv")
    with_urls("toy.csv", "http://localhost/toy.csv")
    with pytest.raises(data.DataUnavailable, match=r"python -m experiments\.data fetch toy\.csv"):
        data.table("toy.csv")
    with pytest.raises(KeyError, match=r"toy\.csv"):
        data.table("toys.csv")


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (CSV[:-15], "partial or altered"),
        (CSV.replace(b"7", b"8"), "partial or altered"),
        (CSV[:20], "cannot be read"),
        (b"", "empty"),
    ],
)
def test_a_partial_or_altered_table_is_refused(folders, content, reason):
    """A damaged file of the user is refused even where a good copy lies in the cache."""
    (folders / "data" / "toy.csv").write_bytes(content)
    with pytest.raises(data.DataCorrupted, match=reason) as caught:
        data.table("toy.csv")
    assert str(folders / "data" / "toy.csv") in str(caught.value)
    assert "example.org" in str(caught.value)


def test_arrays(folders):
    whole = formats.write_arrays({"x": IMAGES, "y": np.array([7, 1], np.uint8)})
    path = folders / "data" / "images.npz"
    path.write_bytes(whole)
    np.testing.assert_array_equal(data.arrays("images.npz")["x"], IMAGES)
    for broken in (whole[:60], whole[:-30], formats.write_arrays({"x": IMAGES + 1, "y": np.array([7, 1], np.uint8)})):
        path.write_bytes(broken)
        with pytest.raises(data.DataCorrupted, match=r"images\.npz"):
            data.arrays("images.npz")


UNCLOSED = pytest.mark.filterwarnings("ignore:.*_TemporaryFileCloser:pytest.PytestUnraisableExceptionWarning")
"""An answer 404 is closed when it is collected, of which Python 3.14 warns."""


@UNCLOSED
def test_downloads_are_checked_and_kept(folders, server, monkeypatch):
    (folders / "public" / "toy.csv").write_bytes(b"a;b;c;d\n" + CSV.replace(b",", b";"))
    (folders / "public" / "wrong.csv").write_bytes(CSV + CSV)
    with_urls("toy.csv", f"{server}/nowhere.csv", f"{server}/wrong.csv", f"{server}/cut.csv", f"{server}/toy.csv")
    said = []
    assert data.obtain(["toy.csv"], said.append) == []
    assert data.locate("toy.csv").parent == folders / "cache" / "data"
    assert data.table("toy.csv").target == tuple(LABELS)
    assert said == [f"toy.csv: downloaded from {server}/toy.csv into {folders / 'cache' / 'data'}"]
    monkeypatch.setattr(urllib.request, "urlopen", lambda *a, **k: pytest.fail("it is cached"))
    assert data.obtain(["toy.csv"]) == []


@UNCLOSED
@pytest.mark.parametrize(
    ("name", "reason"), [("wrong.csv", "partial or altered"), ("cut.csv", "20 bytes read"), ("gone.csv", "404")]
)
def test_a_bad_download_is_not_kept(folders, server, name, reason):
    (folders / "public" / "wrong.csv").write_bytes(CSV[:-15])
    with_urls("toy.csv", f"{server}/{name}")
    said = []
    assert data.obtain(["toy.csv"], said.append) == ["toy.csv"]
    assert reason in said[0]
    assert said[0].startswith("skipped: data: toy.csv")
    assert not list(folders.glob("cache/data/*"))


def test_openml_is_asked_for_the_address(folders, server, monkeypatch):
    (folders / "public" / "54").write_text(json.dumps({"data_set_description": {"url": f"{server}/toy.arff"}}))
    (folders / "public" / "toy.arff").write_bytes(b"@relation r\n@data\n" + CSV)
    monkeypatch.setattr(sources, "OPENML", server)
    with_urls("toy.csv", "openml:54")
    assert data.obtain(["toy.csv"]) == []
    assert data.table("toy.csv").digest == sha(ROWS, LABELS)


def test_images_from_two_files(folders, server):
    """MNIST's own format: big-endian sizes, then the bytes."""
    head = bytes((0, 0, 8, 3)) + struct.pack(">iii", 2, 3, 4)
    (folders / "public" / "x.gz").write_bytes(gzip.compress(head + IMAGES.tobytes()))
    (folders / "public" / "y").write_bytes(bytes((0, 0, 8, 1)) + struct.pack(">i", 2) + bytes((7, 1)))
    with_urls("images.npz", f"{server}/x.gz {server}/y")
    assert data.obtain(["images.npz"]) == []
    assert data.arrays("images.npz")["y"].tolist() == [7, 1]
    np.testing.assert_array_equal(data.arrays("images.npz")["x"], IMAGES)


def test_without_a_network_one_file_is_tried(folders, monkeypatch):
    tried = []

    def unreachable(request, timeout):
        tried.append(request.full_url)
        raise urllib.error.URLError("no route")

    monkeypatch.setattr(urllib.request, "urlopen", unreachable)
    with_urls("toy.csv", "http://a/toy.csv", "http://b/toy.csv")
    with_urls("images.npz", "http://c/x http://c/y")
    said = []
    assert data.obtain(["toy.csv", "images.npz"], said.append) == ["toy.csv", "images.npz"]
    assert tried == ["http://a/toy.csv", "http://b/toy.csv"]
    assert ["no route" in said[0], "no network" in said[1]] == [True, True]
    monkeypatch.setenv("KERNELBO_OFFLINE", "1")
    assert data.obtain(["toy.csv"], said.append) == ["toy.csv"]
    assert "switched off" in said[-1]
    assert len(tried) == 2


def test_command(folders, capsys):
    (folders / "data" / "toy.csv").write_bytes(CSV)
    assert command.main(["list", "toy.csv"]) == 0
    assert command.main(["list"]) == 1
    assert command.main(["fetch"]) == 1
    assert "no public address" in capsys.readouterr().err
    (folders / "data" / "toy.csv").write_bytes(CSV[:-15])
    assert command.main(["list", "toy.csv"]) == 1
    assert "partial" in capsys.readouterr().err
    assert command.main(["list", "toys.csv"]) == 2


def test_a_study_says_what_it_leaves_out(folders):
    assert data.skipped(NEEDY, "smoke") == []
    assert data.skipped(NEEDY, "quick")[0].startswith("skipped: data: toy.csv is missing (three rows")
    (folders / "data" / "toy.csv").write_bytes(CSV)
    assert data.skipped(NEEDY, "quick") == []


@pytest.mark.parametrize("name", [n for n in data.CATALOGUE if data.present(n) is not None])
def test_files_on_this_machine_are_what_the_catalogue_says(name):
    file = data.CATALOGUE[name]
    if file.is_table:
        assert data.table(name).features.shape[1] == file.columns - 1
    else:
        assert {"x", "y"} <= set(data.arrays(name))


@pytest.mark.parametrize(("scale", "asked"), [("smoke", []), ("quick", ["toy.csv"])])
def test_a_run_first_asks_for_the_data_of_its_studies(folders, server, monkeypatch, scale, asked):
    (folders / "public" / "toy.csv").write_bytes(CSV)
    with_urls("toy.csv", f"{server}/toy.csv")
    monkeypatch.setattr(experiments_command, "run", lambda *arguments: 0)
    folder = str(folders / "results")
    status = experiments_command.main(["run", "--scale", scale, "--results", folder], {NEEDY.id: NEEDY})
    assert status == 0
    assert [path.name for path in folders.glob("cache/data/*")] == asked
