"""Mathematical claims that are supported or refuted without a certificate, and why."""

from collections.abc import Mapping

OPEN: Mapping[str, str] = {}
