"""Writes `python/vorrang/tables.py`: the keys of descriptions as types, from their JSON Schema.

python generate.py SCHEMA            prints it
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

HEAD = '''"""The keys of descriptions as types. Generated from their JSON Schema; do not edit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypedDict

from .time import Duration
'''

KEYWORDS = {"is", "in", "from", "for", "class", "with"}


def kind(schema: dict[str, Any]) -> str:
    """The Python type of a value."""
    if any(of in schema for of in ("anyOf", "oneOf")):
        ones = schema.get("anyOf") or schema["oneOf"]
        words = [json.dumps(one["const"]) for one in ones if "const" in one]
        kinds = dict.fromkeys(kind(one) for one in ones if "const" not in one)
        return " | ".join([*([f"Literal[{', '.join(words)}]"] if words else []), *kinds])
    if "const" in schema:
        return f"Literal[{json.dumps(schema['const'])}]"
    if "enum" in schema:
        return f"Literal[{', '.join(json.dumps(one) for one in schema['enum'])}]"
    match schema.get("type"):
        case "string":
            return "Duration" if "(ns|us|" in schema.get("pattern", "") else "str"
        case "integer":
            return "int"
        case "number":
            return "float"
        case "boolean":
            return "bool"
        case "array":
            return f"list[{kind(schema['items'])}]"
        case "object":
            return "Mapping[Any, Any]"
        case other:
            raise SystemExit(f"a schema of the type {other!r} has no type in Python: {schema}")


def table(name: str, schema: dict[str, Any]) -> str:
    """The class of a table."""
    rows = schema["additionalProperties"]
    lines = [
        f"class {name.capitalize()}(TypedDict, total=False):",
        f'    """{schema["description"]}"""',
        "",
    ]
    for key, value in rows["properties"].items():
        field = key.replace("-", "_")
        field += "_" if field in KEYWORDS else ""
        lines.append(f"    {field}: {kind(value)}")
    return "\n".join(lines)


def main() -> None:
    """The whole file on standard output."""
    schema = json.loads(Path(sys.argv[1]).read_text())
    tables = (
        table(name, value)
        for name, value in schema["properties"].items()
        if isinstance(value.get("additionalProperties"), dict)
    )
    print(HEAD + "".join(f"\n\n{text}\n" for text in tables), end="")


if __name__ == "__main__":
    main()
