"""Parts of zip files, never more of them than the limits allow."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Iterable

from ..understood import Limits, Refused

MOST_PARTS = 20_000


def check_size(archive: zipfile.ZipFile, names: Iterable[str], limits: Limits) -> None:
    """Raise `Refused` if the parts that are going to be read are too large, unpacked.

    A part never gives more bytes than its entry declares, so that it is enough to add these up.
    """
    if len(archive.filelist) > MOST_PARTS:
        raise Refused(f"it has more than {MOST_PARTS:,} parts")
    size = sum(archive.getinfo(name).file_size for name in names)
    if size > limits.unpacked:
        raise Refused(
            f"it unpacks to {size / 1e6:,.0f} MB; at most {limits.unpacked / 1e6:,.0f} MB are read"
        )


def part(archive: zipfile.ZipFile, name: str, limits: Limits) -> bytes:
    """One part, unpacked.

    Raises:
        Refused: it is not there, is damaged, encrypted or too large.
    """
    try:
        check_size(archive, [name], limits)
        return archive.read(name)
    except KeyError:
        raise Refused(f"it is damaged: its part {name[:60]} is missing") from None
    except RuntimeError:
        raise Refused("it has a password") from None
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError) as error:
        raise Refused(f"it is damaged: its part {name[:60]} cannot be unpacked") from error
