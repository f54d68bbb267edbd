"""Bodies that schemathesis cannot make up by itself: it runs this file as its hooks."""

import schemathesis
from hypothesis import strategies

_ANY = strategies.binary(min_size=1)
schemathesis.openapi.media_type("application/zip", _ANY | _ANY.map(lambda rest: b"PK\3\4" + rest))
