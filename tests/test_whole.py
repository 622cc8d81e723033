# SPDX-License-Identifier: MIT
import os

import pytest

from stigmergy.errors import OutputError
from stigmergy.io.whole import write_all_whole, write_whole


def test_a_file_is_replaced_and_gets_the_rights_of_the_mask(tmp_path):
    path = tmp_path / "x.txt"
    path.write_text("before")
    mask = os.umask(0o027)
    try:
        write_whole(path, b"after")
    finally:
        os.umask(mask)
    assert path.read_text() == "after"
    assert path.stat().st_mode & 0o777 == 0o640
    assert os.listdir(tmp_path) == ["x.txt"]


def test_when_one_cannot_be_written_none_is(tmp_path):
    first = tmp_path / "first.txt"
    first.write_text("before")
    missing = tmp_path / "no-such-folder" / "second.txt"
    with pytest.raises(OutputError, match=r"cannot write .*second\.txt: No such file or directory"):
        write_all_whole({first: b"after", missing: b"x"})
    assert first.read_text() == "before"
    assert os.listdir(tmp_path) == ["first.txt"]


def test_devices_are_written_to_not_replaced():
    write_whole("/dev/null", b"gone")
    assert not os.path.isfile("/dev/null")


def test_a_folder_is_no_file(tmp_path):
    with pytest.raises(OutputError, match=r"cannot write .*: Is a directory"):
        write_whole(tmp_path, b"x")


def test_a_link_stays_and_its_target_changes(tmp_path):
    (tmp_path / "link").symlink_to(tmp_path / "target")
    write_whole(tmp_path / "link", b"x")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "target").read_bytes() == b"x"
