#!/bin/sh
{mark} {version}: runs rouge-cli in place of the original.
python={python}
if [ ! -x "$python" ]; then
  printf 'Error: %s is gone; run rouge-cli install-shim again\n' "$python" >&2
  exit 3
fi
exec "$python" {start} "$@"
